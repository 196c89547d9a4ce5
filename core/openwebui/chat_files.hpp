#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace codebox::openwebui {

/// Ids of the files with exactly this name, newest first, each once; `json` is Open WebUI's answer and may be
/// anything. Of a chat (GET /api/v1/chats/ID): attached to the chat or to one of its messages.
std::vector<std::string> named_in_chat(std::string_view json, std::string_view name);
/// Of a search (GET /api/v1/files/search): only this user's own, since an administrator's search finds
/// everybody's.
std::vector<std::string> named_in_search(std::string_view json, std::string_view name, std::string_view user);

}  // namespace codebox::openwebui
