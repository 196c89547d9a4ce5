#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "openwebui/files.hpp"

/// Reads what Open WebUI answers about files; nothing of it is believed. Pure functions; any thread.
namespace codebox::openwebui {

/// The files that Open WebUI's answer names, newest first, each once; `json` may be anything. Of a chat
/// (GET /api/v1/chats/ID): attached to it or to a message, and those that a program's result linked to.
std::vector<KnownFile> files_of_chat(std::string_view json);
/// Of a list or a search (GET /api/v1/files/...): only this user's own, since an administrator's search finds
/// everybody's.
std::vector<KnownFile> files_of_list(std::string_view json, std::string_view user);

}  // namespace codebox::openwebui
