#include "engine/tar.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace codebox::engine {
namespace {

constexpr std::size_t block = 512;

/// `value` as octal digits that fill the field but for its closing NUL.
void octal(char* field, std::size_t size, std::uint64_t value) {
  for (std::size_t i = size - 1; i-- > 0; value /= 8) field[i] = static_cast<char>('0' + value % 8);
}

std::array<char, block> header(const TarEntry& entry) {
  std::array<char, block> out{};
  char* const at = out.data();
  entry.name.copy(at, 100);
  octal(at + 100, 8, entry.mode);
  octal(at + 108, 8, 0);
  octal(at + 116, 8, 0);
  octal(at + 124, 12, entry.folder ? 0 : entry.content.size());
  octal(at + 136, 12, 0);
  std::memset(at + 148, ' ', 8);
  at[156] = entry.folder ? '5' : '0';
  std::memcpy(at + 257, "ustar\00000", 8);
  std::uint64_t sum = 0;
  for (const char c : out) sum += static_cast<unsigned char>(c);
  octal(at + 148, 7, sum);
  at[154] = '\0';
  return out;
}

}  // namespace

std::string tar(const std::vector<TarEntry>& entries) {
  std::string out;
  for (const auto& entry : entries) {
    const auto head = header(entry);
    out.append(head.data(), head.size());
    if (entry.folder) continue;
    out += entry.content;
    out.append((block - entry.content.size() % block) % block, '\0');
  }
  out.append(2 * block, '\0');
  return out;
}

}  // namespace codebox::engine
