#include "engine/endpoint.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>

using namespace codebox;
using namespace codebox::engine;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a socket that may not be opened is named with our uid, its group and the remedy") {
  std::string path = (std::filesystem::temp_directory_path() / "codebox-engine-XXXXXX").string();
  const Fd file(::mkstemp(path.data()));
  REQUIRE(file);
  const bool other = ::geteuid() == 0 && ::fchown(file.get(), 0, 54321) == 0;
  const auto failure = endpoint::connect_failure(path, EACCES);
  CHECK(failure.reason == Reason::offline);
  CHECK_THAT(failure.message, ContainsSubstring(path));
  CHECK_THAT(failure.message, ContainsSubstring("uid " + std::to_string(::geteuid())));
  if (other) {
    CHECK_THAT(failure.message, ContainsSubstring("gid 54321"));
    CHECK_THAT(failure.message, ContainsSubstring("--group-add 54321"));
  }
  std::filesystem::remove(path);
}

TEST_CASE("a socket that is not there says what to set") {
  const auto missing = endpoint::connect("/nonexistent/engine.sock");
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.failure().reason == Reason::offline);
  CHECK_THAT(missing.failure().message,
             ContainsSubstring("/nonexistent/engine.sock") && ContainsSubstring("CONTAINER_HOST"));
}

TEST_CASE("CONTAINER_HOST is the only place that is tried where it is set") {
  CHECK(endpoint::candidates("unix:///a/b.sock", "auto").value() == std::vector<std::string>{"/a/b.sock"});
  CHECK(endpoint::candidates("/a/b.sock", "podman").value() == std::vector<std::string>{"/a/b.sock"});
  CHECK(endpoint::candidates("tcp://192.0.2.1:2376", "auto").value() ==
        std::vector<std::string>{"tcp://192.0.2.1:2376"});
  for (const char* const wrong :
       {"tcp://192.0.2.1", "tcp://:2376", "tcp://a:b", "tcp://user@a:1", "http://a:1"}) {
    INFO(wrong);
    CHECK(endpoint::candidates(wrong, "auto").failure().reason == Reason::invalid);
  }
  CHECK(endpoint::candidates("unix:///" + std::string(200, 'a'), "auto").failure().reason == Reason::invalid);
}

TEST_CASE("the usual places are tried, Docker's before Podman's") {
  const auto all = endpoint::candidates("", "auto").value();
  REQUIRE(all.size() >= 2);
  CHECK(all[0] == "/var/run/docker.sock");
  CHECK(all[1] == "/run/podman/podman.sock");
  CHECK(endpoint::candidates("", "podman").value()[0] == "/run/podman/podman.sock");
  CHECK(endpoint::candidates("", "lxc").failure().reason == Reason::invalid);
}

TEST_CASE("an address over TCP has a host and a port, and one that is not reached is a sentence") {
  const auto six = endpoint::host_of("tcp://[2001:db8::1]:2376");
  REQUIRE(six);
  CHECK(six->name == "2001:db8::1");
  CHECK(six->port == "2376");
  CHECK_FALSE(endpoint::host_of("/run/engine.sock"));
  // Port 1 of loopback: nothing listens there.
  const auto closed = endpoint::connect("tcp://127.0.0.1:1");
  REQUIRE_FALSE(closed.ok());
  CHECK(closed.failure().reason == Reason::offline);
  CHECK_THAT(closed.failure().message, ContainsSubstring("tcp://127.0.0.1:1"));
}
