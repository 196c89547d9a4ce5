#pragma once
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "plugin/host.hpp"

/// A plugin folder for one test; gone with it.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "codebox-plugins-XXXXXX").native();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Puts the test plugin `name` in as `as`.
  std::filesystem::path add(const std::string& name, std::string as = {}) const {
    const auto to = path_ / (as.empty() ? name + ".so" : as);
    std::filesystem::copy_file(std::filesystem::path(TEST_PLUGINS) / (name + ".so"), to);
    std::filesystem::permissions(to, std::filesystem::perms(0644));
    return to;
  }

  std::filesystem::path write(const std::string& name, const std::string& bytes) const {
    const auto to = path_ / name;
    std::ofstream(to, std::ios::binary) << bytes;
    std::filesystem::permissions(to, std::filesystem::perms(0644));
    return to;
  }

  std::shared_ptr<const codebox::plugin::Registry> load() const {
    auto registry = codebox::plugin::load_folder(PLUGIN_HOST, path_);
    if (!registry) throw std::runtime_error(registry.failure().message);
    return *registry;
  }

  /// The one refusal of a folder from which nothing else may load.
  codebox::plugin::Refusal refusal() const {
    const auto registry = load();
    if (registry->refused.size() != 1) throw std::runtime_error("not exactly one file was refused");
    return registry->refused[0];
  }

 private:
  std::filesystem::path path_;
};
