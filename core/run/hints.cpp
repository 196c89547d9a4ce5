#include "run/hints.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <sstream>

#include "base/text.hpp"

namespace codebox::run {
namespace {

using Words = std::initializer_list<std::string_view>;

template <class Range = Words>
bool says(std::string_view output, const Range& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return output.find(word) != std::string_view::npos; });
}

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::string seconds(std::chrono::milliseconds time) {
  return std::to_string(std::chrono::ceil<std::chrono::seconds>(time).count());
}

std::string about_time(const Failed& failed, const Options& options) {
  const std::string kept =
      "do less in one call, print results as they come and write files into /sandbox/output early: what was "
      "printed and written before the end is kept.";
  if (failed.limit < options.exec_timeout)
    return "Give a `timeout` of up to " + seconds(options.exec_timeout) + " seconds, or " + kept;
  return "A longer `timeout` is not possible: " + kept;
}

std::string about_network(const plugin::LanguageSpec& language, const Options& options) {
  switch (network_of(options, language.id)) {
    case Network::none:
      return "Nothing here has a network: work with what is installed, and take data as `input_files`.";
    case Network::install:
      return "A program has no network here: name packages in `libraries` instead of fetching them, and take "
             "data as `input_files`; if it is only to be had from the internet, ask the user to attach it.";
    case Network::allowlist:
      return "A program reaches only the hosts that the operator allows (SANDBOX_ALLOWED_HOSTS), through the "
             "proxy that HTTPS_PROXY names.";
    case Network::full:
      return {};
  }
  return {};
}

// Ruby names the system call, then the file, then the error's class, without quotes, behind the words.
std::string name_of_ruby(std::string_view line) {
  const auto call = line.find(" directory @ ");
  const auto dash = line.find(" - ", call == std::string_view::npos ? line.size() : call);
  const auto end = line.rfind(" (Errno::");
  if (dash == std::string_view::npos || end == std::string_view::npos || end < dash + 3) return {};
  return std::string(line.substr(dash + 3, end - dash - 3));
}

// Where the name of a line stands: between the last pair of quotes, or before the colon ahead of the words.
std::string name_in(std::string_view line, std::size_t words) {
  if (std::string name = name_of_ruby(line); !name.empty()) return name;
  for (const char quote : {'\'', '"', '`'}) {
    const auto end = line.rfind(quote);
    if (end == std::string_view::npos || end == 0) continue;
    const auto begin = line.rfind(quote, end - 1);
    if (begin != std::string_view::npos && end > begin + 1)
      return std::string(line.substr(begin + 1, end - begin - 1));
  }
  std::string_view before = text::trim(line.substr(0, words));
  while (!before.empty() && (before.back() == ':' || before.back() == '(' || before.back() == ' '))
    before.remove_suffix(1);
  const auto from = before.find_last_of(" \t");
  return std::string(from == std::string_view::npos ? before : before.substr(from + 1));
}

constexpr std::array<std::string_view, 4> missing_words = {
    "o such file or directory", "on-existent directory", "annot find the file", "oes not exist"};

bool is_like(std::string_view wanted, std::string_view there) {
  const std::string a = text::lower(base_name(wanted));
  const std::string b = text::lower(base_name(there));
  return text::distance(a, b) <= std::max<std::size_t>(1, a.size() / 3);
}

void add_limits(std::vector<std::string>& found, std::string_view said, const engine::Limits& limits) {
  if (says(said, {"No space left on device", "ENOSPC"})) {
    found.push_back("The sandbox's disk may be full: the limit is " + text::size(limits.disk) +
                    ", and one file for each 8 KiB of it (SANDBOX_MAX_DISK).");
  }
  if (says(said, {"Resource temporarily unavailable", "EAGAIN", "can't start new thread",
                  "unable to create native thread"})) {
    found.push_back("A sandbox may have " + std::to_string(limits.pids) +
                    " processes and threads at once (SANDBOX_MAX_PIDS).");
  }
}

void add_places(std::vector<std::string>& found, const std::string& said, const Failed& failed) {
  if (misses_file(said)) {
    const std::string name = missing_file(said);
    if (name.starts_with("/mnt/data")) {
      found.push_back(
          "There is no /mnt/data here: input files lie in /sandbox, where the program starts, and what it "
          "writes into /sandbox/output goes to the user.");
    }
    if (!name.empty() && name != "/mnt/data") {
      if (std::string about = about_missing(name, failed.present); !about.empty())
        found.push_back(std::move(about));
    }
  }
  if (says(said, {"Read-only file system", "EROFS", "Permission denied: '/", "permission denied, open '/",
                  "permission denied, mkdir '/"})) {
    found.push_back(
        "Only /sandbox and /tmp can be written; what the program writes into /sandbox/output goes to the "
        "user.");
  }
}

// The lines about which the language's rules say nothing: a header that is missing is no file of the user's.
std::string unexplained(const std::string& output, const plugin::LanguageSpec& language) {
  std::vector<std::string> lines = text::split(output, '\n');
  std::erase_if(lines, [&](const std::string& line) {
    return std::any_of(language.hints.begin(), language.hints.end(),
                       [&](const plugin::Hint& one) { return text::matches(one.pattern, line); });
  });
  return text::join(lines, "\n");
}

}  // namespace

bool misses_file(std::string_view output) {
  return says(output, missing_words);
}

std::string missing_file(std::string_view output) {
  std::string name;
  for (const std::string& line : text::split(output, '\n')) {
    for (const std::string_view words : missing_words) {
      const auto at = line.find(words);
      if (at != std::string::npos) name = name_in(line, at > 0 ? at - 1 : 0);
    }
  }
  return std::string(text::prefix(name, 400));
}

std::string listed(const std::vector<std::string>& paths) {
  constexpr std::size_t most = 8;
  std::vector<std::string> shown;
  for (const std::string& path : paths) {
    if (shown.size() == most) break;
    shown.push_back(text::quoted(path));
  }
  const std::size_t rest = paths.size() - shown.size();
  return text::join(shown, ", ") + (rest > 0 ? " and " + std::to_string(rest) + " more" : "");
}

std::vector<std::string> like_named(const std::string& path, const std::vector<std::string>& present) {
  std::vector<std::string> like;
  for (const std::string& there : present) {
    if (is_like(path, there)) like.push_back(there);
  }
  return like;
}

std::string about_missing(const std::string& name, const std::vector<std::string>& present) {
  const std::string wanted = text::quoted(name);
  const std::vector<std::string> like = like_named(name, present);
  if (!like.empty()) return "There is no file " + wanted + ", but there is " + listed(like) + ".";
  // A bare word is as likely a command that is not installed.
  if (name.find('.') == std::string::npos && name.find('/') == std::string::npos) return {};
  if (!present.empty()) return "There is no file " + wanted + "; the sandbox has " + listed(present) + ".";
  return "There is no file " + wanted +
         ", nor any other: every call begins empty, so name the user's files in `input_files` each time.";
}

std::vector<std::string> language_hints(const std::string& output, const plugin::LanguageSpec& language) {
  std::vector<std::string> found;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const auto rule = std::find_if(language.hints.begin(), language.hints.end(),
                                   [&](const plugin::Hint& one) { return text::matches(one.pattern, line); });
    if (rule == language.hints.end()) continue;
    if (std::find(found.begin(), found.end(), rule->hint) == found.end()) found.push_back(rule->hint);
  }
  return found;
}

std::vector<std::string> hints(const Failed& failed, const plugin::LanguageSpec& language,
                               const Options& options) {
  std::vector<std::string> found = language_hints(failed.output, language);
  if (failed.end.ending == sandbox::Ending::timed_out) found.push_back(about_time(failed, options));
  if (failed.end.out_of_memory) {
    found.emplace_back(
        "Hold less at once: read in pieces, take only the columns that are needed, use smaller types, drop "
        "what is done with.");
  }
  if (says(failed.output,
           {"emporary failure in name resolution", "Name or service not known", "Network is unreachable",
            "etwork is unreachable", "ENETUNREACH", "getaddrinfo", "ould not resolve host",
            "NameResolutionError", "no such host", "failed to lookup address"})) {
    if (std::string about = about_network(language, options); !about.empty())
      found.push_back(std::move(about));
  }
  add_places(found, unexplained(failed.output, language), failed);
  add_limits(found, failed.output, options.limits);
  return found;
}

}  // namespace codebox::run
