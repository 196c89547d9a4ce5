#include "engine/api.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>
#include <vector>

using namespace codebox;
using namespace codebox::engine;
using Catch::Matchers::ContainsSubstring;

namespace {

/// An engine that takes one connection, reads the head of a request and says what it was told to say.
class FakeEngine {
 public:
  explicit FakeEngine(std::string answer, bool close_after = true) {
    std::string pattern = (std::filesystem::temp_directory_path() / "codebox-api-XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    folder_ = pattern;
    listener_ = Fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path().copy(address.sun_path, sizeof address.sun_path - 1);
    REQUIRE(::bind(listener_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    REQUIRE(::listen(listener_.get(), 1) == 0);
    thread_ = std::thread([this, answer = std::move(answer), close_after] { serve(answer, close_after); });
  }
  FakeEngine(const FakeEngine&) = delete;
  FakeEngine& operator=(const FakeEngine&) = delete;
  ~FakeEngine() {
    thread_.join();
    std::filesystem::remove_all(folder_);
  }

  std::string path() const { return folder_ + "/s"; }

 private:
  void serve(const std::string& answer, bool close_after) {
    const Fd peer(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    std::array<char, 4096> piece{};
    std::string head;
    while (head.find("\r\n\r\n") == std::string::npos) {
      const auto got = ::read(peer.get(), piece.data(), piece.size());
      if (got <= 0) return;
      head.append(piece.data(), static_cast<std::size_t>(got));
    }
    (void)::send(peer.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
    // An attached stream echoes until the other side ends.
    while (!close_after) {
      const auto got = ::read(peer.get(), piece.data(), piece.size());
      if (got <= 0) return;
      (void)::send(peer.get(), piece.data(), static_cast<std::size_t>(got), MSG_NOSIGNAL);
    }
  }

  std::string folder_;
  Fd listener_;
  std::thread thread_;
};

void echoes(const Fd& stream) {
  REQUIRE(::write(stream.get(), "ping", 4) == 4);
  std::array<char, 4> back{};
  REQUIRE(::recv(stream.get(), back.data(), back.size(), MSG_WAITALL) == 4);
  CHECK(std::memcmp(back.data(), "ping", 4) == 0);
}

}  // namespace

TEST_CASE("an attached stream keeps the bytes that came with the answer's head") {
  const FakeEngine fake("HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\nEARLY", false);
  const auto taken = Api(fake.path()).hijack("/attach");
  REQUIRE(taken.ok());
  CHECK(taken->early == "EARLY");
  echoes(taken->stream);
}

TEST_CASE("an attached stream may also be announced with status 200") {
  const FakeEngine fake("HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n\r\n", false);
  const auto taken = Api(fake.path()).hijack("/attach");
  REQUIRE(taken.ok());
  CHECK(taken->early.empty());
  echoes(taken->stream);
}

TEST_CASE("a refused attach carries the engine's words") {
  const FakeEngine fake(
      "HTTP/1.1 409 Conflict\r\nContent-Length: 31\r\n\r\n"
      "{\"message\":\"it is not running\"}");
  const auto taken = Api(fake.path()).hijack("/attach");
  REQUIRE_FALSE(taken.ok());
  CHECK(taken.failure().reason == Reason::engine);
  CHECK_THAT(taken.failure().message, ContainsSubstring("it is not running"));
}

TEST_CASE("an answer is read whole, and an engine that hangs up is offline") {
  {
    const FakeEngine fake(
        "HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n"
        "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
    const auto answer = Api(fake.path()).call("GET", "/x");
    REQUIRE(answer.ok());
    CHECK(answer->status == 404);
    CHECK(answer->body == "abcde");
  }
  const FakeEngine silent("");
  const auto answer = Api(silent.path()).call("GET", "/x");
  REQUIRE_FALSE(answer.ok());
  CHECK(answer.failure().reason == Reason::offline);
  CHECK_THAT(answer.failure().message, ContainsSubstring(silent.path()));
}

TEST_CASE("lines are given one by one, also a last one without its end") {
  const FakeEngine fake(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
      "4\r\na\nb\n\r\n1\r\nc\r\n0\r\n\r\n");
  std::vector<std::string> lines;
  const auto answer =
      Api(fake.path()).stream("POST", "/x", [&](std::string_view line) { lines.emplace_back(line); }, {});
  REQUIRE(answer.ok());
  CHECK(lines == std::vector<std::string>{"a", "b", "c"});
}

TEST_CASE("a stream that nobody wants any more ends at once") {
  const FakeEngine fake("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\na\n\r\n", false);
  std::stop_source source;
  const auto begun = std::chrono::steady_clock::now();
  const auto give_up = [&](std::string_view) { source.request_stop(); };
  (void)Api(fake.path()).stream("POST", "/x", give_up, source.get_token());
  CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(10));
}

TEST_CASE("a refusal over a setting's value names the setting") {
  const auto said = [](const char* words) {
    return engine::refusal("create a sandbox", {400, "{\"message\":\"" + std::string(words) + "\"}"}).message;
  };
  CHECK(said("Unknown runtime specified runsc") ==
        "The container engine refused to create a sandbox: Unknown runtime specified runsc; SANDBOX_RUNTIME "
        "must "
        "name a runtime that the engine knows (docs/engines.md).");
  CHECK(said("Range of CPUs is from 0.01 to 2.00, as there are only 2 CPUs available")
            .ends_with("available; lower SANDBOX_MAX_CPUS."));
  CHECK(said("No space is left") == "The container engine refused to create a sandbox: No space is left.");
}

TEST_CASE("an engine's error text is one bounded line") {
  CHECK(error_text({500, "{\"message\":\"a\\nb\"}"}) == "a b");
  CHECK(error_text({502, ""}) == "status 502");
  CHECK(error_text({500, std::string(5000, 'x')}).size() == 600);
}
