#include "openwebui/chat_files.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "openwebui/reference.hpp"

namespace codebox::openwebui {
namespace {

using nlohmann::json;

constexpr std::size_t most_files = 1000;
constexpr int deepest = 12;

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
  const double found = number.is_number() ? number.get<double>() : 0;
  return found > 0 && found < 1e11 ? found : 0;
}

std::string name_of(const json& file) {
  for (const std::string& name :
       {text_at(file, "name"), text_at(file, "filename"), text_at(child(file, "file"), "filename"),
        text_at(child(file, "meta"), "name")}) {
    if (!name.empty()) return name;
  }
  return "";
}

// Pictures carry their id only within their URL.
std::string id_of(const json& file) {
  for (const char* key : {"id", "url"}) {
    const std::string id = parse_reference(text_at(file, key)).id;
    if (!id.empty()) return id;
  }
  return "";
}

std::uint64_t size_of(const json& file) {
  for (const json* holder : {&file, &child(file, "meta")}) {
    const json& size = child(*holder, "size");
    if (size.is_number_unsigned()) return size.get<std::uint64_t>();
  }
  return 0;
}

/// Collects files in the order in which they came.
class Collected {
 public:
  void add(KnownFile file) {
    const bool known = std::any_of(files_.begin(), files_.end(),
                                   [&](const auto& f) { return f.id == file.id && f.name == file.name; });
    if (file.id.empty() || file.name.empty() || known || files_.size() >= most_files) return;
    files_.push_back(std::move(file));
  }

  void add_items(const json& files, double when, bool made) {
    if (!files.is_array()) return;
    for (const json& file : files) {
      const double date = when > 0 ? when : number_at(file, "created_at");
      add({id_of(file), name_of(file), size_of(file), static_cast<std::int64_t>(date), made});
    }
  }

  // Links such as results offer them, in every text of a message.
  void add_links(const json& value, double when, int depth = 0) {
    if (depth > deepest) return;
    if (value.is_structured()) {
      for (const json& part : value) add_links(part, when, depth + 1);
    } else if (value.is_string()) {
      add_links_of(value.get_ref<const std::string&>(), when);
    }
  }

  std::vector<KnownFile> newest_first() && {
    std::reverse(files_.begin(), files_.end());
    std::stable_sort(files_.begin(), files_.end(),
                     [](const KnownFile& a, const KnownFile& b) { return a.when > b.when; });
    return std::move(files_);
  }

 private:
  void add_links_of(std::string_view text, double when) {
    constexpr std::string_view middle = "](";
    for (auto at = text.find(middle); at != std::string_view::npos; at = text.find(middle, at + 1)) {
      const auto end = text.find(')', at);
      const std::string_view target = text.substr(at + middle.size(), end - at - middle.size());
      if (end == std::string_view::npos || !target.ends_with("/content") || target.size() > 400) continue;
      const std::string id = parse_reference(target).id;
      if (!id.empty()) add({id, label_before(text.substr(0, at)), 0, static_cast<std::int64_t>(when), true});
    }
  }

  // The text between the brackets that end here, without its backslashes; empty where none begin on this
  // line.
  static std::string label_before(std::string_view text) {
    constexpr std::size_t longest = 600;
    const auto escaped = [&](std::size_t at) {
      std::size_t slashes = 0;
      while (slashes < at && text[at - 1 - slashes] == '\\') ++slashes;
      return slashes % 2 == 1;
    };
    std::string label;
    for (std::size_t at = text.size(); at > 0 && label.size() < longest; --at) {
      const char c = text[at - 1];
      if (c == '\n') break;
      if (c == '[' && !escaped(at - 1)) {
        std::reverse(label.begin(), label.end());
        return label;
      }
      const bool escapes = c == '\\' && !label.empty() && escaped(at);
      if (!escapes) label += c;
    }
    return "";
  }

  std::vector<KnownFile> files_;
};

}  // namespace

std::vector<KnownFile> files_of_chat(std::string_view text) {
  const json answer = json::parse(text, nullptr, false);
  const json& chat = child(answer, "chat");
  Collected found;
  const json& messages = child(child(chat, "history"), "messages");
  if (messages.is_object()) {
    for (const json& message : messages) {
      const bool made = text_at(message, "role") == "assistant";
      const double when = number_at(message, "timestamp");
      found.add_items(child(message, "files"), when, made);
      if (!made) continue;
      found.add_links(child(message, "output"), when);
      found.add_links(child(message, "content"), when);
    }
  }
  found.add_items(child(chat, "files"), 0, false);
  return std::move(found).newest_first();
}

std::vector<KnownFile> files_of_list(std::string_view text, std::string_view user) {
  const json answer = json::parse(text, nullptr, false);
  const json& files = answer.is_array() ? answer : child(answer, "items");
  json own = json::array();
  if (files.is_array()) {
    std::copy_if(files.begin(), files.end(), std::back_inserter(own),
                 [&](const json& file) { return text_at(file, "user_id") == user; });
  }
  Collected found;
  found.add_items(own, 0, false);
  return std::move(found).newest_first();
}

}  // namespace codebox::openwebui
