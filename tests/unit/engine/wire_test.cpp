#include "engine/wire.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <catch2/catch_test_macros.hpp>

using namespace codebox;
using namespace codebox::engine;

TEST_CASE("messages keep their borders and an end is seen as one") {
  auto pair = wire::make_pair();
  REQUIRE(pair.ok());
  REQUIRE(wire::send(pair->first.get(), "one").ok());
  REQUIRE(wire::send(pair->first.get(), "two").ok());
  pair->first.reset();
  CHECK(wire::receive(pair->second.get()).value()->text == "one");
  CHECK(wire::receive(pair->second.get()).value()->text == "two");
  auto last = wire::receive(pair->second.get());
  REQUIRE(last.ok());
  CHECK_FALSE(last->has_value());
}

TEST_CASE("a descriptor travels with its message and is closed in children") {
  auto pair = wire::make_pair();
  std::array<int, 2> ends{};
  REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
  const Fd reading(ends[0]);
  Fd writing(ends[1]);
  REQUIRE(wire::send(pair->first.get(), "{}", writing.get()).ok());
  writing.reset();
  auto message = wire::receive(pair->second.get());
  REQUIRE(message.ok());
  const Fd& got = (*message)->fd;
  REQUIRE(got);
  CHECK((::fcntl(got.get(), F_GETFD) & FD_CLOEXEC) != 0);
  REQUIRE(::write(got.get(), "x", 1) == 1);
  char byte = 0;
  CHECK(::read(reading.get(), &byte, 1) == 1);
  CHECK(byte == 'x');
}

TEST_CASE("a message over the limit is refused before it is sent") {
  auto pair = wire::make_pair();
  const auto sent = wire::send(pair->first.get(), std::string(wire::max_message + 1, 'x'));
  REQUIRE_FALSE(sent.ok());
  CHECK(sent.failure().reason == Reason::too_large);
  REQUIRE(wire::send(pair->first.get(), std::string(wire::max_message, 'x')).ok());
  CHECK(wire::receive(pair->second.get()).value()->text.size() == wire::max_message);
}
