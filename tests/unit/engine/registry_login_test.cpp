#include "engine/registry_login.hpp"

#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/fd.hpp"
#include "engine/image.hpp"

using namespace codebox;
using namespace codebox::engine;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A file of logins that is there for one test.
class Logins {
 public:
  explicit Logins(const std::string& content) {
    const Fd made(::mkstemp(path.data()));
    REQUIRE(made);
    std::ofstream(path) << content;
  }
  ~Logins() { std::filesystem::remove(path); }
  Logins(const Logins&) = delete;
  Logins& operator=(const Logins&) = delete;

  std::string path = (std::filesystem::temp_directory_path() / "codebox-logins-XXXXXX").string();
};

}  // namespace

TEST_CASE("a login is found by its registry, also under the name of old") {
  // ada:secret
  const Logins logins(R"({"auths": {"registry.example:5000": {"auth": "YWRhOnNlY3JldA=="},
                                    "https://index.docker.io/v1/": {"username": "bob", "password": "word"}}})");
  // {"password":"secret","serveraddress":"registry.example:5000","username":"ada"}
  CHECK(registry_login(logins.path, "registry.example:5000").value() ==
        "eyJwYXNzd29yZCI6InNlY3JldCIsInNlcnZlcmFkZHJlc3MiOiJyZWdpc3RyeS5leGFtcGxlOjUwMDAiLCJ1c2VybmFtZSI6ImFk"
        "YSJ9");
  CHECK_FALSE(registry_login(logins.path, docker_hub).value().empty());
  CHECK(registry_login(logins.path, "other.example").value().empty());
}

TEST_CASE("a file of logins that cannot be read is named, and what is in it is not") {
  const auto missing = registry_login("/nonexistent/logins.json", "registry.example");
  REQUIRE_FALSE(missing.ok());
  CHECK_THAT(missing.failure().message, ContainsSubstring("/nonexistent/logins.json"));
  const Logins broken("secret");
  const auto failed = registry_login(broken.path, "registry.example");
  REQUIRE_FALSE(failed.ok());
  CHECK_THAT(failed.failure().message, !ContainsSubstring("secret"));
}

TEST_CASE("entries of another form are no login and no end") {
  const Logins odd(R"({"auths": {"a.example": {}, "b.example": 7, "c.example": {"auth": "****"}}})");
  for (const char* const registry : {"a.example", "b.example", "c.example"})
    CHECK(registry_login(odd.path, registry).value().empty());
}

TEST_CASE("a reference names its registry or means Docker Hub") {
  CHECK(registry_of("registry.example/a/b:1") == "registry.example");
  CHECK(registry_of("localhost/a") == "localhost");
  CHECK(registry_of("127.0.0.1:5000/a@sha256:0") == "127.0.0.1:5000");
  CHECK(registry_of("codebox/sandbox-python:latest") == "docker.io");
  CHECK(registry_of("python:3.13") == "docker.io");
}
