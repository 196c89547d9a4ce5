#pragma once
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/caller.hpp"
#include "base/clock.hpp"
#include "base/result.hpp"

namespace codebox::openwebui {

/// A file of the caller's that was found. Plain value.
struct RemoteFile {
  std::string id;
  std::string name;
  std::string content_type;
  std::uint64_t size = 0;  ///< bytes, as announced; 0 where it is not known
};

/// A file that a caller may name. Plain value.
struct KnownFile {
  std::string id;
  std::string name;
  std::uint64_t size = 0;  ///< bytes; 0 where it is not known
  std::int64_t when = 0;   ///< seconds of the epoch, 0 where it is not known
  bool made = false;       ///< by a program, not attached by a person
};

/// Files that a caller may name. Plain value.
struct FileList {
  bool of_chat = false;          ///< of the caller's chat, else of the caller
  std::vector<KnownFile> files;  ///< newest first
};

/// A file that was stored for the caller. Plain value.
struct StoredFile {
  std::string name;
  std::string link;     ///< ready for Markdown: a relative path of Open WebUI, or an absolute expiring URL of
                        ///< this server
  std::string id = {};  ///< in Open WebUI, else empty
  std::uint64_t size = 0;  ///< bytes
};

/// The caller's files: Open WebUI's, or this server's own store. Nothing but a UUID (or, where the store can
/// look it up, a name) is ever taken from a reference. Any thread, concurrently.
class Files {
 public:
  virtual ~Files() = default;
  /// Reason::not_found with the same sentence for unknown, deleted and somebody else's.
  virtual Result<RemoteFile> find(const Caller& caller, const std::string& reference, Time deadline,
                                  std::stop_token cancel) = 0;
  /// Streams the file; Reason::too_large once more than `limit` bytes came, whatever was announced.
  virtual Result<std::uint64_t> download(const Caller& caller, const RemoteFile& file, std::uint64_t limit,
                                         ByteSink& bytes, Time deadline, std::stop_token cancel) = 0;
  /// What find() would find by its name, as far as it can be listed.
  virtual Result<FileList> list(const Caller& caller, Time deadline, std::stop_token cancel) = 0;
  /// Stores exactly `size` bytes as the caller's own file.
  virtual Result<StoredFile> upload(const Caller& caller, const std::string& name, std::uint64_t size,
                                    ByteSource& bytes, Time deadline, std::stop_token cancel) = 0;
};

/// Reason::not_found, alike for a file that is unknown, deleted and somebody else's. Pure; any thread.
Failure unknown_file(const std::string& reference);

}  // namespace codebox::openwebui
