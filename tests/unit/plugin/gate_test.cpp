#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "folder.hpp"

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using codebox::plugin::load_folder;

namespace {

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("a folder that is not there is a failure that names it") {
  const auto registry = load_folder(PLUGIN_HOST, "/nowhere/at/all");
  REQUIRE_FALSE(registry.ok());
  CHECK_THAT(registry.failure().message,
             ContainsSubstring("/nowhere/at/all") && ContainsSubstring("PLUGIN_DIR"));
}

TEST_CASE("a program that cannot be started is a failure") {
  const Folder folder;
  folder.add("good");
  const auto registry = load_folder("/nowhere/codebox", folder.path());
  REQUIRE_FALSE(registry.ok());
  CHECK_THAT(registry.failure().message, ContainsSubstring("/nowhere/codebox"));
}

TEST_CASE("an empty folder, hidden files and other names give no language and no refusal") {
  const Folder folder;
  folder.write(".half.so", "x");
  folder.write("README.md", "x");
  CHECK(folder.load()->languages.empty());
  CHECK(folder.load()->refused.empty());
}

TEST_CASE("a file that others may write is refused") {
  const Folder folder;
  const auto mode = GENERATE_COPY(0664, 0646);
  ::chmod(folder.add("good").c_str(), static_cast<mode_t>(mode));
  const auto refusal = folder.refusal();
  CHECK(refusal.finding == "writable");
  CHECK_THAT(refusal.reason, ContainsSubstring("good.so") && ContainsSubstring("chmod go-w"));
}

TEST_CASE("a file of somebody else is refused with both uids") {
  if (::geteuid() != 0) SKIP("skipped: only root can give a file away");
  const Folder folder;
  REQUIRE(::chown(folder.add("good").c_str(), 12345, 0) == 0);
  const auto refusal = folder.refusal();
  CHECK(refusal.finding == "owner");
  CHECK_THAT(refusal.reason, ContainsSubstring("uid 12345"));
}

TEST_CASE("a symbolic link is refused, wherever it leads") {
  const Folder folder;
  fs::create_symlink(fs::path(TEST_PLUGINS) / "good.so", folder.path() / "link.so");
  CHECK(folder.refusal().finding == "symlink");
}

TEST_CASE("what is not a regular file is refused and holds nobody up") {
  const Folder folder;
  SECTION("a folder") {
    fs::create_directory(folder.path() / "x.so");
  }
  SECTION("a FIFO") {
    REQUIRE(::mkfifo((folder.path() / "x.so").c_str(), 0600) == 0);
  }
  CHECK(folder.refusal().finding == "not_regular");
}

TEST_CASE("a folder that others may write is refused with everything in it") {
  const Folder folder;
  const auto inner = folder.path() / "inner";
  fs::create_directory(inner);
  fs::copy_file(folder.add("good"), inner / "good.so");
  fs::remove(folder.path() / "good.so");
  SECTION("the folder itself") {
    ::chmod(inner.c_str(), 0777);
  }
  SECTION("one above it") {
    ::chmod(folder.path().c_str(), 0777);
  }
  const auto registry = *load_folder(PLUGIN_HOST, inner);
  CHECK(registry->languages.empty());
  REQUIRE(registry->refused.size() == 1);
  CHECK(registry->refused[0].finding == "writable");
  CHECK_THAT(registry->refused[0].reason, ContainsSubstring("folder"));
}

TEST_CASE("a sticky folder passes, its files are judged by their owner") {
  const Folder folder;
  folder.add("good");
  ::chmod(folder.path().c_str(), 01777);
  CHECK(folder.load()->languages.size() == 1);
}

TEST_CASE("a file over the size limit is refused without being read") {
  const Folder folder;
  fs::resize_file(folder.add("good"), (64u << 20) + 1);
  const auto refusal = folder.refusal();
  CHECK(refusal.finding == "too_large");
  CHECK_THAT(refusal.reason, ContainsSubstring("64 MiB"));
}

TEST_CASE("what is not a whole library of this machine is refused before it is loaded") {
  const Folder folder;
  auto bytes = bytes_of(fs::path(TEST_PLUGINS) / "good.so");
  SECTION("text") {
    folder.write("x.so", "#!/bin/sh\n");
    CHECK(folder.refusal().finding == "elf");
  }
  SECTION("nothing") {
    folder.write("x.so", "");
    CHECK(folder.refusal().finding == "elf");
  }
  SECTION("cut off in the header") {
    folder.write("x.so", bytes.substr(0, 40));
    CHECK_THAT(folder.refusal().reason, ContainsSubstring("cut off after 40 B"));
  }
  SECTION("cut off in the middle") {
    folder.write("x.so", bytes.substr(0, bytes.size() / 2));
    CHECK_THAT(folder.refusal().reason, ContainsSubstring("cut off"));
  }
  SECTION("another machine") {
    bytes[18] = 8;  // e_machine: MIPS
    bytes[19] = 0;
    folder.write("x.so", bytes);
    CHECK(folder.refusal().finding == "machine");
  }
  SECTION("another word size") {
    bytes[4] = 1;
    folder.write("x.so", bytes);
    CHECK(folder.refusal().finding == "machine");
  }
  SECTION("a program") {
    bytes[16] = 2;  // e_type: ET_EXEC
    folder.write("x.so", bytes);
    CHECK(folder.refusal().finding == "elf");
  }
}
