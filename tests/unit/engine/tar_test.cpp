#include "engine/tar.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string>

using codebox::engine::tar;

namespace {

std::uint64_t octal(const std::string& archive, std::size_t at, std::size_t size) {
  return std::stoull(archive.substr(at, size), nullptr, 8);
}

/// The sum that a header must carry: all its bytes with the sum's own field as spaces.
std::uint64_t sum_of(std::string header) {
  header.replace(148, 8, 8, ' ');
  std::uint64_t sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  return sum;
}

}  // namespace

TEST_CASE("a file stands in the archive with its mode, size, sum and bytes") {
  const std::string content(700, 'x');
  const auto archive = tar({{"a/b", content, 0755}});
  REQUIRE(archive.size() == 512 + 1024 + 1024);
  CHECK(archive.substr(0, 4) == std::string("a/b\0", 4));
  CHECK(octal(archive, 100, 7) == 0755);
  CHECK(octal(archive, 108, 7) == 0);
  CHECK(octal(archive, 124, 11) == 700);
  CHECK(archive[156] == '0');
  CHECK(archive.substr(257, 8) == std::string("ustar\00000", 8));
  CHECK(octal(archive, 148, 6) == sum_of(archive.substr(0, 512)));
  CHECK(archive.substr(512, 700) == content);
  CHECK(archive.substr(512 + 700) == std::string(324 + 1024, '\0'));
}

TEST_CASE("a folder has no content and a full block is not padded") {
  const auto archive = tar({{"d", "", 0711, true}, {"f", std::string(512, 'y')}});
  REQUIRE(archive.size() == 512 + 512 + 512 + 1024);
  CHECK(archive[156] == '5');
  CHECK(octal(archive, 100, 7) == 0711);
  CHECK(archive.substr(1024, 512) == std::string(512, 'y'));
}

TEST_CASE("equal input gives equal bytes") {
  CHECK(tar({{"a", "1"}}) == tar({{"a", "1"}}));
  CHECK(tar({{"a", "1"}}) != tar({{"a", "2"}}));
}

TEST_CASE("a name that is too long for a header stands before it") {
  const std::string name = std::string(120, 'd') + "/a.py";
  const auto head = codebox::engine::tar_head(name, 3, 0644, 1700000000);
  REQUIRE(head.size() == 3 * 512);
  CHECK(head[156] == 'L');
  CHECK(octal(head, 124, 11) == name.size() + 1);
  CHECK(head.substr(512, name.size() + 1) == name + '\0');
  const std::string own = head.substr(1024);
  CHECK(own.substr(0, 100) == name.substr(0, 100));
  CHECK(own[156] == '0');
  CHECK(octal(own, 136, 11) == 1700000000);
  CHECK(octal(own, 148, 6) == sum_of(own));
  CHECK(codebox::engine::tar_fill(3).size() == 509);
  CHECK(codebox::engine::tar_fill(1024).empty());
}
