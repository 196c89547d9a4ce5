#include "sandbox/places.hpp"

namespace codebox::sandbox::places {

std::vector<std::string> parts(std::string_view path) {
  if (path.size() < 2 || path.size() > longest_path || path.front() != '/' ||
      path.find('\0') != std::string_view::npos) {
    return {};
  }
  std::vector<std::string> found;
  path.remove_prefix(1);
  while (true) {
    const auto slash = path.find('/');
    const auto part = path.substr(0, slash);
    if (part.empty() || part == "." || part == ".." || part.size() > longest_name ||
        found.size() == deepest) {
      return {};
    }
    found.emplace_back(part);
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
  }
  const bool place = found.front() == "sandbox" || found.front() == "packages" || found.front() == "tmp";
  if (!place || found.size() < 2) return {};
  return found;
}

bool is_glob(std::string_view part) {
  return part.find_first_of("*?") != std::string_view::npos;
}

bool matches(std::string_view glob, std::string_view name) {
  if (!name.empty() && name.front() == '.' && (glob.empty() || glob.front() != '.')) return false;
  const auto next = [&](std::size_t at) {
    ++at;
    while (at < name.size() && (static_cast<unsigned char>(name[at]) & 0xC0) == 0x80) ++at;
    return at;
  };
  std::size_t g = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;
  std::size_t retry = 0;
  while (n < name.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      retry = n;
    } else if (g < glob.size() && glob[g] == '?') {
      ++g;
      n = next(n);
    } else if (g < glob.size() && glob[g] == name[n]) {
      ++g;
      ++n;
    } else if (star != std::string_view::npos) {
      g = star + 1;
      n = ++retry;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

}  // namespace codebox::sandbox::places
