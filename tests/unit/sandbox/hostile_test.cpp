#include <poll.h>

#include <functional>

#include "sandbox/frames.hpp"
#include "support.hpp"

using namespace codebox;
using namespace codebox::test;
namespace frames = codebox::sandbox::frames;
using frames::Type;
using sandbox::Ending;

namespace {

std::string greet(std::uint32_t version = frames::version) {
  std::string text;
  frames::Hello hello;
  hello.version = version;
  frames::append(text, Type::hello, 0, hello.encode());
  return text;
}

/// The test plays the agent: it greets, then answers each request's first frame with what a script says. A
/// thread.
class Actor {
 public:
  using Script = std::function<std::string(const frames::Frame&)>;
  explicit Actor(Script script, std::string greeting = greet()) : script_(std::move(script)) {
    engine.on_start = [this, greeting](const engine::CreateSpec&) {
      auto [ours, theirs] = stream_pair();
      end_ = std::move(theirs);
      thread_ = std::jthread([this, greeting](const std::stop_token& stop) { act(greeting, stop); });
      return Result<engine::Container>(engine::Container{"acted", std::move(ours), "", false});
    };
    sandboxes = sandbox::cold_sandboxes(engine);
  }
  ~Actor() {
    box.reset();
    sandboxes.reset();
    thread_.request_stop();
  }
  Result<void> start(std::chrono::milliseconds limit = 20s) {
    auto got = sandboxes->acquire({"image", "test", "", {}}, soon(limit), {});
    if (!got.ok()) return got.failure();
    box = std::move(got.value());
    return {};
  }
  sandbox::StepEnd step(std::chrono::milliseconds limit) {
    sandbox::Step step;
    step.argv = {"true"};
    step.limit = limit;
    return box->step(step, printed, {});
  }

  std::atomic<bool> endless = false;  ///< says its answers again and again
  FakeEngine engine;
  std::unique_ptr<sandbox::Sandboxes> sandboxes;
  std::unique_ptr<sandbox::Sandbox> box;
  struct Counting : sandbox::OutputSink {
    std::uint64_t bytes = 0;
    void write(sandbox::Output, std::string_view text) override { bytes += text.size(); }
  } printed;

 private:
  /// False when nobody listens any more.
  bool say(std::string_view text, const std::stop_token& stop) {
    while (!text.empty() && !stop.stop_requested()) {
      pollfd wait{end_.get(), POLLOUT, 0};
      ::poll(&wait, 1, 50);
      const auto put = ::send(end_.get(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (put < 0 && errno != EAGAIN) return false;
      if (put > 0) text.remove_prefix(static_cast<std::size_t>(put));
    }
    return !stop.stop_requested();
  }
  void act(const std::string& greeting, const std::stop_token& stop) {
    say(greeting, stop);
    frames::Decoder decoder;
    std::string buffer(65536, '\0');
    while (!stop.stop_requested()) {
      pollfd wait{end_.get(), POLLIN, 0};
      if (::poll(&wait, 1, 50) <= 0) continue;
      const auto got = ::recv(end_.get(), buffer.data(), buffer.size(), 0);
      if (got <= 0) return;
      decoder.feed(std::string_view(buffer).substr(0, static_cast<std::size_t>(got)));
      frames::Frame frame;
      while (decoder.next(frame) == frames::Decoder::Next::frame) {
        const auto text = script_(frame);
        while (say(text, stop) && endless && !text.empty()) {
        }
      }
    }
  }

  Script script_;
  Fd end_;
  std::jthread thread_;
};

std::string framed(Type type, std::uint32_t channel, std::string_view payload = {}) {
  std::string text;
  frames::append(text, type, channel, payload);
  return text;
}

std::string nothing(const frames::Frame&) {
  return {};
}

}  // namespace

TEST_CASE("an agent of another version is refused with both versions") {
  Actor actor(nothing, greet(9));
  const auto started = actor.start();
  REQUIRE_FALSE(started.ok());
  CHECK(started.failure().reason == Reason::image);
  CHECK(started.failure().message.find("version 9") != std::string::npos);
}

TEST_CASE("something else than an agent is refused") {
  Actor actor(nothing, "Hello, World! I am no agent at all.\n");
  CHECK(actor.start().failure().reason == Reason::engine);
}

TEST_CASE("an agent that says nothing is given up at the deadline, and removed") {
  Actor actor(nothing, "");
  const auto started = actor.start(300ms);
  REQUIRE_FALSE(started.ok());
  CHECK(started.failure().reason == Reason::timeout);
  actor.sandboxes.reset();
  CHECK(actor.engine.removed() == std::vector<std::string>{"acted"});
}

TEST_CASE("a silent agent ends a step by the host's own deadline") {
  Actor actor(nothing);
  REQUIRE(actor.start().ok());
  const auto end = actor.step(100ms);
  CHECK(end.ending == Ending::timed_out);
  CHECK(end.detail == "the agent in the sandbox did not report the program's end in time");
  CHECK(end.wall >= 1s);
  CHECK(actor.box->kill_all(soon()).failure().reason == Reason::gone);
}

TEST_CASE("endless output ends by the host's own deadline") {
  Actor actor([](const frames::Frame& frame) {
    std::string text;
    if (frame.type != Type::step) return text;
    for (int i = 0; i < 64; ++i) frames::append(text, Type::output, frame.channel, std::string(16384, 'x'));
    return text;
  });
  actor.endless = true;
  REQUIRE(actor.start().ok());
  const auto end = actor.step(200ms);
  CHECK(end.ending == Ending::timed_out);
  CHECK(end.out_bytes == actor.printed.bytes);
  CHECK(end.out_bytes > 1'000'000);
}

TEST_CASE("frames out of turn, of another channel or of no sense lose the sandbox") {
  const std::vector<std::function<std::string(std::uint32_t)>> lies = {
      [](std::uint32_t channel) { return framed(Type::output, channel + 1, "not mine"); },
      [](std::uint32_t channel) { return framed(Type::fetch_data, channel, "no fetch"); },
      [](std::uint32_t channel) { return framed(Type::step_ended, channel, "short"); },
      [](std::uint32_t channel) { return framed(Type::hello, channel, "again"); },
      [](std::uint32_t channel) { return framed(Type::ping, channel); },
      [](std::uint32_t) { return std::string("\xff\xff\xff\x7f\x01\0\0\0\0\0\0\0", 12); },
      [](std::uint32_t) { return framed(Type::tunnel_open, frames::tunnel_bit, "garbage"); },
      [](std::uint32_t channel) {
        frames::StepEnded end;
        end.how = 77;
        return framed(Type::step_ended, channel, end.encode());
      },
  };
  for (const auto& lie : lies) {
    Actor actor(
        [&](const frames::Frame& frame) { return frame.type == Type::step ? lie(frame.channel) : ""; });
    REQUIRE(actor.start().ok());
    const auto end = actor.step(20s);
    CHECK(end.ending == Ending::lost);
    CHECK(end.detail == "the agent in the sandbox broke the protocol");
    CHECK(end.wall < 15s);
  }
}

TEST_CASE("forged entries are refused, and forged sizes are only numbers") {
  std::string path;
  Actor actor([&](const frames::Frame& frame) {
    if (frame.type != Type::list) return std::string();
    frames::Entry entry;
    entry.path = path;
    entry.size = 1ULL << 63;
    return framed(Type::entry, frame.channel, entry.encode()) +
           framed(Type::result, frame.channel, frames::Outcome().encode());
  });
  REQUIRE(actor.start().ok());
  path = "/sandbox/huge";
  const auto listing = actor.box->list({"/sandbox/*"}, 5, soon(), {});
  REQUIRE(listing.ok());
  CHECK(listing->files.at(0).size == 1ULL << 63);
  path = "/etc/passwd";
  CHECK(actor.box->list({"/sandbox/*"}, 5, soon(), {}).failure().reason == Reason::gone);
}

TEST_CASE("more entries than were asked for lose the sandbox") {
  Actor actor([](const frames::Frame& frame) {
    std::string text;
    if (frame.type != Type::list) return text;
    frames::Entry entry;
    for (int i = 0; i < 10; ++i) {
      entry.path = "/sandbox/" + std::to_string(i);
      text += framed(Type::entry, frame.channel, entry.encode());
    }
    return text;
  });
  REQUIRE(actor.start().ok());
  CHECK(actor.box->list({"/sandbox/*"}, 5, soon(), {}).failure().reason == Reason::gone);
}

TEST_CASE("a file that grows past its limit while it comes is stopped") {
  Actor actor([](const frames::Frame& frame) {
    std::string text;
    if (frame.type == Type::fetch_open) {
      for (int i = 0; i < 100; ++i) text += framed(Type::fetch_data, frame.channel, std::string(1000, 'x'));
    }
    if (frame.type == Type::fetch_close)
      text = framed(Type::result, frame.channel, frames::Outcome().encode());
    return text;
  });
  REQUIRE(actor.start().ok());
  TextSink sink;
  const auto got = actor.box->fetch("/sandbox/x", 5000, sink, soon(), {});
  REQUIRE_FALSE(got.ok());
  CHECK(got.failure().reason == Reason::too_large);
  CHECK(sink.text.size() == 5000);
}
