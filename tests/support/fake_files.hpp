#pragma once
#include <map>
#include <mutex>
#include <string>

#include "openwebui/files.hpp"

namespace codebox::testing {

/// A caller's files in memory. Any thread, as the seam asks for.
class FakeFiles : public openwebui::Files {
 public:
  std::map<std::string, std::string> remote;  ///< reference -> content; the name is the reference
  std::map<std::string, std::string> stored;  ///< name -> content
  std::string refuse_upload_of;

  Result<openwebui::RemoteFile> find(const Caller&, const std::string& reference, Time,
                                     std::stop_token) override {
    const auto at = remote.find(reference);
    if (at == remote.end())
      return Failure{Reason::not_found, "No file " + reference + " among this person's files."};
    return openwebui::RemoteFile{reference, reference, "text/plain", at->second.size()};
  }
  Result<std::uint64_t> download(const Caller&, const openwebui::RemoteFile& file, std::uint64_t,
                                 ByteSink& bytes, Time, std::stop_token) override {
    const std::string& content = remote.at(file.id);
    if (auto written = bytes.write(content); !written) return written.failure();
    return std::uint64_t{content.size()};
  }
  Result<openwebui::FileList> list(const Caller&, Time, std::stop_token) override {
    openwebui::FileList known;
    for (const auto& [name, content] : remote) known.files.push_back({name, name, content.size(), 0, false});
    return known;
  }
  Result<openwebui::StoredFile> upload(const Caller&, const std::string& name, std::uint64_t,
                                       ByteSource& bytes, Time, std::stop_token) override {
    if (name == refuse_upload_of) return Failure{Reason::invalid, "is empty, which Open WebUI does not take"};
    std::string content;
    char part[1000];
    while (true) {
      auto got = bytes.read(part);
      if (!got) return got.failure();
      if (*got == 0) break;
      content.append(part, *got);
    }
    const std::lock_guard lock(mutex_);
    stored[name] = content;
    return openwebui::StoredFile{name, "/files/" + name};
  }

 private:
  std::mutex mutex_;
};

}  // namespace codebox::testing
