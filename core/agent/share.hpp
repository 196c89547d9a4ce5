#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace codebox::agent {

/// What a program may take that no limit of its container bounds, so that the agent counts it: pools of the
/// host's kernel that are one for all (pseudo-terminals, and on older control groups the buffers of sockets);
/// files, where the engine knows no limit on inodes; and what is added to /packages after the install. Owned
/// by the loop; one thread.
class Share {
 public:
  /// Before each step. With the first one that does not install, the folder /packages is closed, and what
  /// its subfolders still take counts as the program's.
  void begin(bool installing);
  /// Says what this sandbox has too much of, as the end of "The program was ended because it ..."; empty when
  /// of nothing.
  std::string over() const;

 private:
  std::string over_files() const;
  std::string over_disk() const;

  std::vector<std::string> places_;  ///< the writable ones in memory, /packages apart
  bool looked_ = false;
  bool closed_ = false;
  std::uint64_t installed_ = 0;  ///< bytes in /packages when it was closed
};

}  // namespace codebox::agent
