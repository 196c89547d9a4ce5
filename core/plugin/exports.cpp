#include "plugin/exports.hpp"

#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/text.hpp"

namespace codebox::plugin {
namespace {

// Bounds for a library that lies about itself; real plugins are far below.
constexpr std::uint64_t most_sections = 4096;
constexpr std::uint64_t most_symbols = 65'536;
constexpr std::size_t most_named = 3;

template <class T>
std::optional<T> read_at(int fd, std::uint64_t offset) {
  T value{};
  if (offset > (std::uint64_t{1} << 40)) return std::nullopt;
  if (::pread(fd, &value, sizeof value, static_cast<off_t>(offset)) != static_cast<ssize_t>(sizeof value))
    return std::nullopt;
  return value;
}

std::optional<Elf64_Shdr> section(int fd, const Elf64_Ehdr& head, std::uint64_t number) {
  if (head.e_shentsize != sizeof(Elf64_Shdr) || number >= head.e_shnum) return std::nullopt;
  return read_at<Elf64_Shdr>(fd, head.e_shoff + number * sizeof(Elf64_Shdr));
}

std::optional<Elf64_Shdr> dynamic_symbols(int fd, const Elf64_Ehdr& head) {
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(head.e_shnum, most_sections); ++i) {
    const auto one = section(fd, head, i);
    if (one && one->sh_type == SHT_DYNSYM && one->sh_entsize == sizeof(Elf64_Sym)) return one;
  }
  return std::nullopt;
}

std::string name_at(int fd, const Elf64_Shdr& names, std::uint64_t offset) {
  const auto bytes = read_at<std::array<char, 64>>(fd, names.sh_offset + offset);
  if (!bytes) return {};
  return {bytes->begin(), std::find(bytes->begin(), bytes->end(), '\0')};
}

bool exported(const Elf64_Sym& symbol) {
  const unsigned binding = ELF64_ST_BIND(symbol.st_info), visibility = ELF64_ST_VISIBILITY(symbol.st_other);
  return symbol.st_shndx != SHN_UNDEF && binding != STB_LOCAL && visibility != STV_HIDDEN &&
         visibility != STV_INTERNAL;
}

// What linkers and sanitizers put there by themselves is nobody's choice.
bool expected(const std::string& name) {
  constexpr std::array of_linkers = {"_init", "_fini", "_edata", "_end", "__bss_start"};
  return name.empty() || name.starts_with("codebox_plugin_v") || name.starts_with("__asan") ||
         name.starts_with("__odr_asan") ||
         std::find(of_linkers.begin(), of_linkers.end(), name) != of_linkers.end();
}

}  // namespace

Finding needless_exports(int fd) {
  const auto head = read_at<Elf64_Ehdr>(fd, 0);
  const auto symbols = head ? dynamic_symbols(fd, *head) : std::nullopt;
  const auto names = symbols ? section(fd, *head, symbols->sh_link) : std::nullopt;
  if (!names) return {};
  std::vector<std::string> more;
  const std::uint64_t count = std::min(symbols->sh_size / sizeof(Elf64_Sym), most_symbols);
  for (std::uint64_t i = 1; i < count && more.size() <= most_named; ++i) {
    const auto symbol = read_at<Elf64_Sym>(fd, symbols->sh_offset + i * sizeof(Elf64_Sym));
    if (!symbol) break;
    if (!exported(*symbol)) continue;
    if (auto name = name_at(fd, *names, symbol->st_name); !expected(name)) more.push_back(text::quoted(name));
  }
  if (more.empty()) return {};
  const bool others = more.size() > most_named;
  if (others) more.pop_back();
  return {"exports", "The library exports " + text::join(more, ", ") + (others ? " and more" : "") +
                         " besides its entry; build it with -fvisibility=hidden."};
}

}  // namespace codebox::plugin
