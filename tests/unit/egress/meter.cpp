#include "egress/meter.hpp"

#include <sys/eventfd.h>

#include <catch2/catch_test_macros.hpp>

using namespace codebox;
using namespace codebox::egress;

namespace {

/// Opens what is called "open" and refuses the rest.
class SomeGate : public Gate {
 public:
  explicit SomeGate(int& asked) : asked_(asked) {}
  Result<Fd> connect(const std::string& host, std::uint16_t, std::stop_token) override {
    ++asked_;
    if (host == "left") return Failure{Reason::cancelled, "the call was cancelled"};
    if (host != "open") return Failure{Reason::invalid, host + " is\nnot listed"};
    return Fd(::eventfd(0, EFD_CLOEXEC));
  }

 private:
  int& asked_;
};

struct Bench {
  int asked = 0;
  Meter meter;
  explicit Bench(const Allowance& allowance) : meter(std::make_unique<SomeGate>(asked), allowance) {}
  Result<Fd> open(const std::string& host) { return meter.connect(host, 443, {}); }
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("refused connections are counted with the last reason in one line") {
  Bench bench({});
  CHECK(bench.open("open"));
  CHECK(bench.meter.tally().refused == 0);
  CHECK_FALSE(bench.open("first"));
  CHECK_FALSE(bench.open("second"));
  CHECK_FALSE(bench.open("left"));
  CHECK(bench.meter.tally().refused == 2);
  CHECK(bench.meter.tally().last == "second is not listed");
}

TEST_CASE("a call tries no more connections than it may") {
  Bench bench({1 << 20, 3});
  CHECK(bench.open("open"));
  CHECK_FALSE(bench.open("closed"));
  CHECK(bench.open("open"));
  const auto fourth = bench.open("open");
  REQUIRE_FALSE(fourth);
  CHECK(has(fourth.failure().message, "its 3 connections (SANDBOX_MAX_CONNECTIONS)"));
  CHECK(bench.asked == 3);
  CHECK(bench.meter.tally().refused == 2);
}

TEST_CASE("traffic past the limit ends the connection, counts once, and opens no other") {
  Bench bench({1000, 10});
  CHECK(bench.meter.spend(600));
  CHECK(bench.meter.spend(400));
  CHECK_FALSE(bench.meter.spend(1));
  CHECK_FALSE(bench.meter.spend(1));
  CHECK(bench.meter.tally().refused == 1);
  CHECK(has(bench.meter.tally().last, "SANDBOX_MAX_TRAFFIC"));
  const auto next = bench.open("open");
  REQUIRE_FALSE(next);
  CHECK(has(next.failure().message, "SANDBOX_MAX_TRAFFIC"));
  CHECK(bench.asked == 0);
}
