#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/fd.hpp"
#include "base/result.hpp"
#include "plugin/finding.hpp"
#include "plugin/signature.hpp"

namespace codebox::plugin {

/// A plugin's library may be this large.
inline constexpr std::uint64_t largest_library = 64ull << 20;

/// The plugin folder, held open, so that nothing can be exchanged between a check and its use. One thread.
/// Only root and the server's own user may own or write the folder, whatever is above it, and the files; a
/// folder that others may write passes where its sticky bit keeps them from replacing what is not theirs.
class Gate {
 public:
  /// With keys, a library passes only with a signature by one of them, the file NAME.sig beside it.
  static Result<Gate> open(const std::filesystem::path& folder, TrustedKeys keys = {});

  /// Names of the files that end in ".so" and do not begin with a dot, ascending.
  Result<std::vector<std::string>> names() const;
  /// What changes whenever the file, its owner or its mode does; empty where there is no telling.
  std::string identity(const std::string& name) const;
  /// The file as a sealed copy in memory that nobody can change any more, or what is wrong with it.
  Checked<Fd> admit(const std::string& name) const;

 private:
  Finding signature_fault(const std::string& name, int library) const;

  std::filesystem::path folder_;
  Fd fd_;
  TrustedKeys keys_;
  Finding unsafe_;  ///< of the folders; its id is empty where they are safe
};

}  // namespace codebox::plugin
