#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "openwebui/files.hpp"

namespace codebox::app {

/// The files of `codebox run`: inputs come from this machine's disk, outputs are written to a folder and
/// never over a file that is there. The person at the terminal is the caller. One thread.
class FolderFiles : public openwebui::Files {
 public:
  explicit FolderFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

  Result<openwebui::RemoteFile> find(const Caller& caller, const std::string& reference, Time deadline,
                                     std::stop_token cancel) override;
  Result<std::uint64_t> download(const Caller& caller, const openwebui::RemoteFile& file, std::uint64_t limit,
                                 ByteSink& bytes, Time deadline, std::stop_token cancel) override;
  Result<openwebui::FileList> list(const Caller&, Time, std::stop_token) override {
    return openwebui::FileList{};
  }
  Result<openwebui::StoredFile> upload(const Caller& caller, const std::string& name, std::uint64_t size,
                                       ByteSource& bytes, Time deadline, std::stop_token cancel) override;

 private:
  const std::filesystem::path folder_;
};

}  // namespace codebox::app
