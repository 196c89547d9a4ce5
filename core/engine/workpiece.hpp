#pragma once
#include <map>
#include <memory>
#include <string>

#include "engine/daemon.hpp"

namespace codebox::engine {

/// A container that is only filled and committed, never started; removed on every way out. One thread.
class Workpiece {
 public:
  Workpiece(const Daemon& daemon, std::string id) : daemon_(daemon), id_(std::move(id)) {}
  Workpiece(const Workpiece&) = delete;
  Workpiece& operator=(const Workpiece&) = delete;
  ~Workpiece();
  const std::string& id() const { return id_; }

 private:
  const Daemon& daemon_;
  std::string id_;
};

/// From an image, with labels that the image which is committed of it keeps.
Result<std::unique_ptr<Workpiece>> make_workpiece(const Daemon& daemon, const std::string& image,
                                                  const std::map<std::string, std::string>& labels);

}  // namespace codebox::engine
