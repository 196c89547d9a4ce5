#include "agent/prove.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/fd.hpp"

namespace codebox::agent::prove {

std::string slurp(const char* path) {
  const Fd file(::open(path, O_RDONLY | O_CLOEXEC));
  std::string text;
  char part[4096];
  ssize_t got = 0;
  while (file && text.size() < 1024 * 1024 && (got = ::read(file.get(), part, sizeof part)) > 0) {
    text.append(part, static_cast<std::size_t>(got));
  }
  return text;
}

std::string field(std::string_view text, std::string_view name) {
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    auto line = text.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with(name) || line.size() <= name.size() || line[name.size()] != ':') continue;
    line.remove_prefix(name.size() + 1);
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    return std::string(line);
  }
  return {};
}

bool first_number(std::initializer_list<const char*> paths, std::uint64_t& number) {
  for (const char* path : paths) {
    const auto text = slurp(path);
    if (text.empty()) continue;
    number = text.starts_with("max") || text.starts_with("-") ? ~std::uint64_t{0}
                                                              : std::strtoull(text.c_str(), nullptr, 10);
    return true;
  }
  return false;
}

std::string mebibytes(std::uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f MiB", static_cast<double>(bytes) / (1 << 20));
  return text;
}

namespace {

void say(const char* name, const char* verdict, const std::string& seen) {
  const std::string line = std::string(name) + " " + verdict + " " + seen + "\n";
  if (::write(STDOUT_FILENO, line.data(), line.size()) < 0) ::_exit(1);
}

}  // namespace

void report(const char* name, bool holds, const std::string& seen) {
  say(name, holds ? "ok" : "bad", seen);
}

void not_offered(const char* name, const std::string& instead) {
  say(name, "none", instead);
}

int main(int argc, char** argv) {
  const auto is = [&](const char* task, int numbers) {
    return argc == numbers + 1 && std::strcmp(argv[0], task) == 0;
  };
  const auto number = [&](int at) { return std::strtoull(argv[at], nullptr, 10); };
  if (is("look", 0)) {
    look();
    kernel();
  } else if (is("disk", 2)) {
    disk(number(1), number(2));
  } else if (is("processes", 1)) {
    processes(number(1));
  } else if (is("processor", 1)) {
    processor(number(1));
  } else if (is("memory", 1)) {
    memory(number(1));
  } else {
    return 64;
  }
  return 0;
}

}  // namespace codebox::agent::prove
