#include "openwebui/chat_files.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "openwebui/reference.hpp"

namespace codebox::openwebui {
namespace {

using nlohmann::json;

struct Found {
  std::string id;
  double when = 0;
};

std::string text_at(const json& value, const char* key) {
  if (!value.is_object()) return "";
  const auto found = value.find(key);
  return found != value.end() && found->is_string() ? found->get<std::string>() : "";
}

const json& child(const json& value, const char* key) {
  static const json nothing;
  if (!value.is_object()) return nothing;
  const auto found = value.find(key);
  return found != value.end() ? *found : nothing;
}

double number_at(const json& value, const char* key) {
  const json& number = child(value, key);
  return number.is_number() ? number.get<double>() : 0;
}

bool is_named(const json& file, std::string_view name) {
  return text_at(file, "name") == name || text_at(file, "filename") == name ||
         text_at(child(file, "file"), "filename") == name || text_at(child(file, "meta"), "name") == name;
}

// Pictures carry their id only within their URL.
std::string id_of(const json& file) {
  for (const char* key : {"id", "url"}) {
    const std::string id = parse_reference(text_at(file, key)).id;
    if (!id.empty()) return id;
  }
  return "";
}

void collect(const json& files, std::string_view name, double when, std::vector<Found>& found) {
  if (!files.is_array()) return;
  for (const json& file : files) {
    if (!is_named(file, name)) continue;
    const std::string id = id_of(file);
    if (!id.empty()) found.push_back({id, when > 0 ? when : number_at(file, "created_at")});
  }
}

std::vector<std::string> newest_first(std::vector<Found> found) {
  std::stable_sort(found.begin(), found.end(),
                   [](const Found& a, const Found& b) { return a.when > b.when; });
  std::vector<std::string> ids;
  for (const Found& file : found) {
    if (std::find(ids.begin(), ids.end(), file.id) == ids.end()) ids.push_back(file.id);
  }
  return ids;
}

}  // namespace

std::vector<std::string> named_in_chat(std::string_view text, std::string_view name) {
  const json answer = json::parse(text, nullptr, false);
  const json& chat = child(answer, "chat");
  std::vector<Found> found;
  const json& messages = child(child(chat, "history"), "messages");
  if (messages.is_object()) {
    for (const json& message : messages)
      collect(child(message, "files"), name, number_at(message, "timestamp"), found);
  }
  collect(child(chat, "files"), name, 0, found);
  return newest_first(std::move(found));
}

std::vector<std::string> named_in_search(std::string_view text, std::string_view name,
                                         std::string_view user) {
  const json answer = json::parse(text, nullptr, false);
  const json& files = answer.is_array() ? answer : child(answer, "items");
  std::vector<Found> found;
  if (files.is_array()) {
    json own = json::array();
    std::copy_if(files.begin(), files.end(), std::back_inserter(own),
                 [&](const json& file) { return text_at(file, "user_id") == user; });
    collect(own, name, 0, found);
  }
  return newest_first(std::move(found));
}

}  // namespace codebox::openwebui
