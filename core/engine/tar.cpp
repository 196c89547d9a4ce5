#include "engine/tar.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace codebox::engine {
namespace {

constexpr std::size_t block = 512;
constexpr std::size_t longest_name = 100;

/// `value` as octal digits that fill the field but for its closing NUL.
void octal(char* field, std::size_t size, std::uint64_t value) {
  for (std::size_t i = size - 1; i-- > 0; value /= 8) field[i] = static_cast<char>('0' + value % 8);
}

std::string header(const std::string& name, std::uint64_t size, unsigned mode, std::uint64_t modified,
                   char type) {
  std::array<char, block> out{};
  char* const at = out.data();
  name.copy(at, longest_name);
  octal(at + 100, 8, mode);
  octal(at + 108, 8, 0);
  octal(at + 116, 8, 0);
  octal(at + 124, 12, size);
  octal(at + 136, 12, modified);
  std::memset(at + 148, ' ', 8);
  at[156] = type;
  std::memcpy(at + 257, "ustar\00000", 8);
  std::uint64_t sum = 0;
  for (const char c : out) sum += static_cast<unsigned char>(c);
  octal(at + 148, 7, sum);
  at[154] = '\0';
  return {out.data(), out.size()};
}

}  // namespace

std::string tar_head(const std::string& name, std::uint64_t size, unsigned mode, std::uint64_t modified) {
  std::string out;
  if (name.size() > longest_name) {
    // The name with its closing NUL is the content of an entry before the file's own.
    out = header("././@LongLink", name.size() + 1, 0644, 0, 'L') + name + '\0' + tar_fill(name.size() + 1);
  }
  return out + header(name, size, mode, modified, '0');
}

std::string tar_fill(std::uint64_t size) {
  return std::string((block - size % block) % block, '\0');
}

std::string tar_end() {
  return std::string(2 * block, '\0');
}

std::string tar(const std::vector<TarEntry>& entries) {
  std::string out;
  for (const auto& entry : entries) {
    if (entry.folder) {
      out += header(entry.name, 0, entry.mode, 0, '5');
    } else {
      out += tar_head(entry.name, entry.content.size(), entry.mode, 0) + entry.content;
      out += tar_fill(entry.content.size());
    }
  }
  return out + tar_end();
}

}  // namespace codebox::engine
