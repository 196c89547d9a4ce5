#include "openwebui/file_names.hpp"

#include <algorithm>
#include <ctime>

#include "base/encoding.hpp"
#include "base/text.hpp"

namespace codebox::openwebui {
namespace {

// What two names have in common that a person takes for one.
std::string folded(std::string_view name) {
  std::string out;
  for (const char c : text::lower(encoding::from_percent(name))) {
    const bool gap = c == ' ' || c == '_' || c == '-';
    if (!gap || out.empty() || out.back() != '_') out += gap ? '_' : c;
  }
  return out;
}

template <class Fits>
std::vector<KnownFile> chosen(const std::vector<KnownFile>& files, Fits fits) {
  std::vector<KnownFile> found;
  bool made = false;
  for (const KnownFile& file : files) {
    if (!fits(file) || (file.made && made)) continue;
    made = made || file.made;
    found.push_back(file);
  }
  return found;
}

// "12 KiB, attached 2026-11-30 06:12 UTC": what tells files of one name apart.
std::string about(const KnownFile& file) {
  std::string out = file.size > 0 ? text::size(file.size) + ", " : "";
  out += file.made ? "made by a program" : "attached";
  if (file.when > 0) {
    const auto when = static_cast<std::time_t>(file.when);
    std::tm date{};
    char shown[64];
    if (::gmtime_r(&when, &date) && std::strftime(shown, sizeof shown, " %Y-%m-%d %H:%M UTC", &date) > 0)
      out += shown;
  }
  return out;
}

}  // namespace

std::vector<KnownFile> named(const std::vector<KnownFile>& files, std::string_view name) {
  auto found = chosen(files, [&](const KnownFile& file) { return file.name == name; });
  if (!found.empty()) return found;
  const std::string meant = folded(name);
  return chosen(files, [&](const KnownFile& file) { return folded(file.name) == meant; });
}

std::vector<std::string> like(const std::vector<KnownFile>& files, std::string_view name) {
  constexpr std::size_t most = 3;
  constexpr std::size_t longest = 100;
  const std::string meant(text::prefix(folded(name), longest));
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const KnownFile& file : files) {
    const std::string other(text::prefix(folded(file.name), longest));
    const bool part = meant.size() > 2 && (other.find(meant) != std::string::npos ||
                                           (other.size() > 2 && meant.find(other) != std::string::npos));
    const std::size_t distance = part ? 1 : text::distance(meant, other);
    if (distance <= std::max<std::size_t>(2, meant.size() / 3)) ranked.emplace_back(distance, file.name);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (const auto& [distance, candidate] : ranked) {
    const bool known = std::find(names.begin(), names.end(), candidate) != names.end();
    if (!known && names.size() < most) names.push_back(candidate);
  }
  return names;
}

Failure no_such_file(std::string_view name, const FileList& known) {
  std::vector<std::string> names = like(known.files, name);
  std::string message = "No file " + text::quoted(name) + (known.of_chat ? " in this chat" : "") +
                        " or among this person's files: ";
  for (std::string& one : names) one = text::quoted(one);
  if (!names.empty()) return {Reason::not_found, message + "did you mean " + text::join(names, " or ") + "?"};
  return {Reason::not_found, message + "list_files shows which there are."};
}

Failure several_files(std::string_view name, const std::vector<KnownFile>& files) {
  constexpr std::size_t shown = 5;
  std::string message = "There are " + std::to_string(files.size()) + " files named " + text::quoted(name) +
                        ": give the id of one instead, newest first:";
  for (std::size_t i = 0; i < files.size() && i < shown; ++i)
    message += (i == 0 ? " " : "; ") + files[i].id + " (" + about(files[i]) + ")";
  return {Reason::invalid, message + "."};
}

std::string listing(const FileList& known) {
  constexpr std::size_t shown = 100;
  const std::string whose = known.of_chat ? "this chat" : "this user, whatever the chat";
  if (known.files.empty()) {
    return "There are no files of " + whose +
           ". The user can attach some, and what a program writes into /sandbox/output becomes one.";
  }
  std::string out = "Files of " + whose +
                    ", newest first. In `input_files` give the name, or the id where two share one.\n";
  for (std::size_t i = 0; i < known.files.size() && i < shown; ++i) {
    const KnownFile& file = known.files[i];
    out +=
        "- " + text::one_line(text::prefix(file.name, 255)) + " (" + about(file) + ") id " + file.id + "\n";
  }
  if (known.files.size() > shown)
    out += "and " + std::to_string(known.files.size() - shown) + " older ones\n";
  return out;
}

Failure unknown_file(const std::string& reference) {
  return {Reason::not_found, "No file " + text::quoted(reference) +
                                 " among this person's files: use a name or an id that list_files shows."};
}

}  // namespace codebox::openwebui
