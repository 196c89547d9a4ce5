#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/clock.hpp"
#include "openwebui/files.hpp"
#include "store/signer.hpp"

namespace codebox::store {

/// From the operator's settings. Plain value.
struct Options {
  std::filesystem::path state_dir;  ///< STATE_DIR; must be writable
  std::string public_url;           ///< put before "/files/..." in links: where clients reach this server
  std::chrono::seconds time_to_live{3600};  ///< FILES_TTL
  std::uint64_t capacity = 10ULL << 30U;    ///< of all kept files together
  std::uint64_t max_file = 52428800;        ///< SANDBOX_MAX_FILE_SIZE, for uploads
};

/// A file that a link leads to.
struct Opened {
  std::filesystem::path path;
  std::string name;
  std::string content_type;
};

/// Output files for clients without Open WebUI: kept for a while under STATE_DIR/files, given out as signed,
/// expiring links. Survives a restart. Owned by app; any thread, concurrently. One server per STATE_DIR.
class LinkStore : public openwebui::Files {
 public:
  static Result<std::unique_ptr<LinkStore>> make(const Options& options, const Clock& clock);

  /// By id or link, or by name (then the newest), and only among the caller's own.
  Result<openwebui::RemoteFile> find(const Caller& caller, const std::string& reference, Time deadline,
                                     std::stop_token cancel) override;
  Result<std::uint64_t> download(const Caller& caller, const openwebui::RemoteFile& file, std::uint64_t limit,
                                 ByteSink& bytes, Time deadline, std::stop_token cancel) override;
  Result<openwebui::FileList> list(const Caller& caller, Time deadline, std::stop_token cancel) override;
  Result<openwebui::StoredFile> upload(const Caller& caller, const std::string& name, std::uint64_t size,
                                       ByteSource& bytes, Time deadline, std::stop_token cancel) override;

  /// For the route GET /files/...: `path` with or without percent-encoding, `query` as it stands in the
  /// request. Whoever holds an unaltered link that has not expired may read the file; not_found in every
  /// other case.
  Result<Opened> open(const std::string& path, const std::string& query) const;

  /// Removes what has expired; to be called now and then. Says how many.
  std::size_t sweep();

 private:
  struct Entry {
    std::string owner;
    std::string name;
    std::string content_type;
    std::uint64_t size = 0;
    std::int64_t expires = 0;  // seconds since 1970
    std::uint64_t number = 0;  // of uploads since the start: which of one second is newer
  };

  LinkStore(const Options& options, const Clock& clock, Signer signer);
  Result<void> load();
  Result<void> reserve(const std::string& name, std::uint64_t size);
  Result<void> save(const std::string& id, const Entry& entry, ByteSource& bytes, Time deadline,
                    const std::stop_token& cancel) const;
  std::filesystem::path content_path(const std::string& id) const;
  std::string link_of(const std::string& id, const Entry& entry) const;
  std::int64_t now() const;
  static std::string signed_text(const std::string& id, const Entry& entry);

  const Options options_;
  const std::filesystem::path folder_;
  const Clock& clock_;
  const Signer signer_;
  mutable std::mutex mutex_;
  std::map<std::string, Entry> entries_;
  std::uint64_t uploads_ = 0;
  std::uint64_t used_ = 0;  // bytes of entries_ and of uploads under way
};

}  // namespace codebox::store
