#pragma once
#include <cstdint>
#include <string>
#include <vector>

/// Archives as engines take them (POSIX.1-1988 ustar, GNU long names). Pure functions; any thread.
namespace codebox::engine {

/// One file or folder of an archive. Names are relative and at most 100 bytes long.
struct TarEntry {
  std::string name;
  std::string content;
  unsigned mode = 0644;
  bool folder = false;
};

/// What stands before a regular file's bytes; longer names take the form that GNU tar gives them.
std::string tar_head(const std::string& name, std::uint64_t size, unsigned mode, std::uint64_t modified);
/// What fills up the last block after so many bytes.
std::string tar_fill(std::uint64_t size);
std::string tar_end();

/// A POSIX ustar archive, owned by root and without dates, so that equal input gives equal bytes.
std::string tar(const std::vector<TarEntry>& entries);

}  // namespace codebox::engine
