#include "engine/dialect.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "engine/image.hpp"
#include "engine/podman_conf.hpp"

using namespace codebox;
using namespace codebox::engine;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("an architecture has one name, whoever tells it") {
  CHECK(common_name("x86_64") == "amd64");
  CHECK(common_name("aarch64") == "arm64");
  CHECK(common_name("armv7l") == "arm");
  CHECK(common_name("riscv64") == "riscv64");
}

TEST_CASE("an image for another architecture is refused with both names") {
  Daemon daemon{Api("/nonexistent"), {}};
  Image image;
  image.info.architecture = "arm64";
  CHECK(check_architecture(daemon, image, "a/b").ok());
  daemon.dialect.architecture = "amd64";
  const auto refused = check_architecture(daemon, image, "a/b");
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.failure().reason == Reason::image);
  CHECK_THAT(refused.failure().message,
             ContainsSubstring("\"a/b\"") && ContainsSubstring("arm64") && ContainsSubstring("amd64"));
  image.info.architecture = "x86_64";
  CHECK(check_architecture(daemon, image, "a/b").ok());
}

TEST_CASE("the Podman that we start lets no proxy in and takes the runtime that works here") {
  CHECK_THAT(podman_conf(true, true), ContainsSubstring("http_proxy = false") &&
                                          ContainsSubstring("base_hosts_file") && !ContainsSubstring("runc"));
  CHECK_THAT(podman_conf(false, true), ContainsSubstring("runtime = \"runc\""));
  CHECK_THAT(podman_conf(false, false), !ContainsSubstring("runtime"));
}
