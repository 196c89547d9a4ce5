#include "app/folder_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <sstream>

using namespace codebox;

namespace {

class Text : public ByteSource {
 public:
  explicit Text(std::string text) : text_(std::move(text)) {}
  Result<std::size_t> read(std::span<char> into) override {
    const std::size_t part = std::min(into.size(), text_.size());
    std::copy_n(text_.begin(), part, into.begin());
    text_.erase(0, part);
    return part;
  }

 private:
  std::string text_;
};

std::filesystem::path fresh_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "codebox-test-XXXXXX").string();
  REQUIRE(::mkdtemp(name.data()) != nullptr);
  return name;
}

std::string content(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

}  // namespace

TEST_CASE("an output never replaces a file that is there") {
  const auto folder = fresh_folder();
  app::FolderFiles files(folder);
  for (const char* text : {"first", "second"}) {
    Text bytes(text);
    REQUIRE(files.upload({}, "plot.png", 0, bytes, {}, {}).ok());
  }
  CHECK(content(folder / "plot.png") == "first");
  CHECK(content(folder / "plot-2.png") == "second");
  std::filesystem::remove_all(folder);
}

TEST_CASE("an input that is not there is named") {
  app::FolderFiles files(".");
  const auto found = files.find({}, "/nonexistent/x.csv", {}, {});
  REQUIRE_FALSE(found.ok());
  CHECK(found.failure().message.find("/nonexistent/x.csv") != std::string::npos);
}
