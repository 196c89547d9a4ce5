#pragma once
#include <string>
#include <vector>

namespace codebox::engine {

/// One file or folder of an archive. Names are relative and at most 100 bytes long.
struct TarEntry {
  std::string name;
  std::string content;
  unsigned mode = 0644;
  bool folder = false;
};

/// A POSIX ustar archive, owned by root and without dates, so that equal input gives equal bytes.
std::string tar(const std::vector<TarEntry>& entries);

}  // namespace codebox::engine
