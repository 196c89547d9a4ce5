#include "engine/check.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <limits>

using namespace codebox;
using namespace codebox::engine;
using Catch::Matchers::ContainsSubstring;

namespace {

CreateSpec good() {
  CreateSpec spec;
  spec.image = "codebox/sandbox-python:latest";
  spec.language = "python";
  return spec;
}

template <class Change>
Result<void> with(const Change& change) {
  auto spec = good();
  change(spec);
  return check(spec);
}

}  // namespace

TEST_CASE("a spec with the usual values is accepted") {
  CHECK(check(good()).ok());
}

TEST_CASE("limits out of range are refused with their range") {
  CHECK_FALSE(with([](auto& s) { s.limits.memory = 1; }).ok());
  CHECK_FALSE(with([](auto& s) { s.limits.memory = 1ULL << 41; }).ok());
  CHECK_FALSE(with([](auto& s) { s.limits.disk = 0; }).ok());
  CHECK_FALSE(with([](auto& s) { s.limits.install = 0; }).ok());
  CHECK_FALSE(with([](auto& s) { s.limits.cpus = 0; }).ok());
  CHECK_FALSE(with([](auto& s) { s.limits.cpus = -1; }).ok());
  CHECK_FALSE(with([](auto& s) { s.limits.cpus = std::numeric_limits<double>::quiet_NaN(); }).ok());
  CHECK_FALSE(with([](auto& s) { s.limits.pids = -1; }).ok());
  const auto refused = with([](auto& s) { s.limits.pids = 3; });
  CHECK(refused.failure().reason == Reason::invalid);
  CHECK_THAT(refused.failure().message,
             ContainsSubstring("3 processes") && ContainsSubstring("8 to 1000000"));
}

TEST_CASE("an image reference carries nothing but a reference") {
  for (const char* const fine : {"python", "python:3.13", "registry.example:5000/a/b:c", "sha256:0123abcd",
                                 "a/b@sha256:0123456789abcdef"})
    CHECK(check_image(fine).ok());
  for (const char* const bad :
       {"", "-v", "a b", "a?force=1", "a/../b", "a#b", "a\nb", "a%2f", "/a", "a//b", "a&b"}) {
    INFO(bad);
    CHECK_FALSE(check_image(bad).ok());
  }
  CHECK_FALSE(check_image(std::string(300, 'a')).ok());
}

TEST_CASE("a language is a plugin's id") {
  CHECK_FALSE(with([](auto& s) { s.language = ""; }).ok());
  CHECK_FALSE(with([](auto& s) { s.language = "Python"; }).ok());
  CHECK_FALSE(with([](auto& s) { s.language = "9x"; }).ok());
  CHECK_FALSE(with([](auto& s) { s.language = "abcdefghijklmnopq"; }).ok());
  CHECK(with([](auto& s) { s.language = "c_99"; }).ok());
}

TEST_CASE("a runtime is a plain name") {
  CHECK(with([](auto& s) { s.runtime = "runsc"; }).ok());
  CHECK(with([](auto& s) { s.runtime = "io.containerd.runc.v2"; }).ok());
  CHECK_FALSE(with([](auto& s) { s.runtime = "/bin/sh"; }).ok());
  CHECK_FALSE(with([](auto& s) { s.runtime = "-x"; }).ok());
}

TEST_CASE("a container's id is hexadecimal and nothing else") {
  CHECK(check_container(std::string(64, 'a')).ok());
  for (const char* const bad :
       {"", "abc", "../containers/x", "aaaaaaaaaaaaa?x", "AAAAAAAAAAAAAA", "my-database-1"}) {
    INFO(bad);
    CHECK_FALSE(check_container(bad).ok());
  }
}

TEST_CASE("volumes that cannot be covered make an image unusable") {
  CHECK(check_volumes({"/data", "/var/lib/x"}).ok());
  CHECK_FALSE(check_volumes({"/.codebox"}).ok());
  CHECK_FALSE(check_volumes({"/"}).ok());
  CHECK_FALSE(check_volumes({"relative"}).ok());
  CHECK_FALSE(check_volumes({"/a:b"}).ok());
  CHECK_FALSE(check_volumes({"/a/../b"}).ok());
  const auto many = check_volumes(std::vector<std::string>(9, "/v"));
  CHECK(many.failure().reason == Reason::image);
  CHECK_THAT(many.failure().message, ContainsSubstring("9 volumes"));
}

TEST_CASE("a network is given only where the operator allows one, and only by its mode") {
  auto spec = good();
  spec.network = "full";
  CHECK(check(spec, true).ok());
  CHECK_FALSE(check(spec, false).ok());
  for (const char* other : {"host", "bridge", "none", "container:abc", "Full"}) {
    spec.network = other;
    CHECK_FALSE(check(spec, true).ok());
  }
}

TEST_CASE("a package layer is named by its key and by nothing else") {
  CreateSpec spec = good();
  spec.layer = std::string(64, 'a');
  CHECK(check(spec));
  for (const std::string& key :
       {std::string(63, 'a'), std::string(64, 'g'), std::string("codebox/prepared:1")}) {
    INFO(key);
    spec.layer = key;
    CHECK_FALSE(check(spec));
  }
}
