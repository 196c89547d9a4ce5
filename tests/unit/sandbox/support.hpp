#pragma once
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sandbox/sandbox.hpp"
#include "support/fake_engine.hpp"

namespace codebox::test {

using namespace std::chrono_literals;

inline Time soon(std::chrono::milliseconds wait = 20s) {
  return std::chrono::steady_clock::now() + wait;
}

inline std::pair<Fd, Fd> stream_pair() {
  int ends[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
  return {Fd(ends[0]), Fd(ends[1])};
}

/// Keeps what a step prints.
class Printed : public sandbox::OutputSink {
 public:
  std::string out, err;
  void write(sandbox::Output stream, std::string_view bytes) override {
    (stream == sandbox::Output::out ? out : err).append(bytes);
  }
};

class TextSource : public ByteSource {
 public:
  explicit TextSource(std::string text) : text_(std::move(text)) {}
  Result<std::size_t> read(std::span<char> into) override {
    const auto part = std::string_view(text_).substr(at_, into.size());
    std::copy(part.begin(), part.end(), into.begin());
    at_ += part.size();
    return part.size();
  }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

class TextSink : public ByteSink {
 public:
  std::string text;
  Result<void> write(std::string_view bytes) override {
    text.append(bytes);
    return {};
  }
};

/// The real agent in namespaces of its own, and a sandbox over it.
class Jail {
 public:
  Jail() {
    if (::geteuid() != 0) SKIP("skipped: needs root");
    engine.on_start = [this](const engine::CreateSpec&) { return start(); };
    sandboxes = sandbox::cold_sandboxes(engine);
    auto got = sandboxes->acquire({"image", "test", "", {}}, soon(), {});
    if (!got.ok()) {
      int status = 0;
      ::waitpid(pid_, &status, 0);
      pid_ = -1;
      if (WIFEXITED(status) && WEXITSTATUS(status) == 70) SKIP("skipped: namespaces are not allowed here");
      FAIL(got.failure().message);
    }
    box = std::move(got.value());
  }
  ~Jail() {
    box.reset();
    sandboxes.reset();
    if (pid_ > 0) ::waitpid(pid_, nullptr, 0);
  }

  /// Kills the agent as the kernel might.
  void crash() const { ::kill(pid_, SIGTERM); }

  sandbox::StepEnd run(std::vector<std::string> argv, std::string input = "",
                       std::chrono::milliseconds limit = 30s) {
    printed = {};
    sandbox::Step step;
    step.argv = std::move(argv);
    step.env = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/tmp/home", "LANG=C.UTF-8"};
    step.input = std::move(input);
    step.limit = limit;
    return box->step(step, printed, {});
  }
  sandbox::StepEnd shell(std::string script, std::chrono::milliseconds limit = 30s) {
    return run({"bash", "-c", std::move(script)}, "", limit);
  }
  Result<void> put(const std::string& path, const std::string& text, unsigned mode = 0644) {
    TextSource source(text);
    return box->put(path, text.size(), mode, source, soon(), {});
  }

  FakeEngine engine;
  std::unique_ptr<sandbox::Sandboxes> sandboxes;
  std::unique_ptr<sandbox::Sandbox> box;
  Printed printed;

 private:
  Result<engine::Container> start() {
    auto [ours, theirs] = stream_pair();
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, theirs.get(), 0);
    ::posix_spawn_file_actions_adddup2(&actions, theirs.get(), 1);
    std::string jail = CODEBOX_JAIL;
    std::string agent = CODEBOX_AGENT;
    char* argv[] = {jail.data(), agent.data(), nullptr};
    char* env[] = {nullptr};
    const int failed = ::posix_spawn(&pid_, jail.c_str(), &actions, nullptr, argv, env);
    ::posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) return Failure{Reason::engine, "the jail did not start"};
    return engine::Container{"jailed", std::move(ours), "", false};
  }

  pid_t pid_ = -1;
};

}  // namespace codebox::test
