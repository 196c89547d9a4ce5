#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace codebox::openwebui {

/// A page that a program wrote, fit to stand in a chat. It reaches nothing but itself and `hosts`, so that it
/// cannot carry what it shows elsewhere; a large one is packed, since it is stored with the chat. Any thread.
std::string embed_of(std::string_view page, const std::vector<std::string>& hosts);

/// The hosts that a page loads scripts, styles and map tiles from and that are not among `hosts`, each once. A
/// page that brings its scripts needs none. Any thread.
std::vector<std::string> outside_hosts(std::string_view page, const std::vector<std::string>& hosts);

}  // namespace codebox::openwebui
