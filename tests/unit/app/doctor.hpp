#pragma once
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "app/doctor.hpp"
#include "support/fake_engine.hpp"

namespace codebox::app::test {

/// A temporary folder that goes with its owner.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "codebox-doctor-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Lets an engine say this of itself.
inline void describe(codebox::test::FakeEngine& engine, engine::EngineInfo info) {
  engine.on_info = [info = std::move(info)] { return Result<engine::EngineInfo>(info); };
}

/// The line of this topic, which must be there.
inline doctor::Line line(const doctor::Report& report, const std::string& topic) {
  for (const doctor::Line& one : report.lines()) {
    if (one.topic == topic) return one;
  }
  INFO(report.text());
  FAIL("no line about " + topic);
  return {};
}

}  // namespace codebox::app::test
