#include <tuple>

#include "support.hpp"

using namespace codebox;
using namespace codebox::test;
using sandbox::Ending;

TEST_CASE("text comes back as it was printed, both streams apart, with the exit status") {
  Jail jail;
  const auto end = jail.shell("printf '世界 あ é 🎉'; printf oops >&2; exit 7");
  CHECK(end.ending == Ending::exited);
  CHECK(end.code == 7);
  CHECK(jail.printed.out == "世界 あ é 🎉");
  CHECK(jail.printed.err == "oops");
  CHECK(end.out_bytes == jail.printed.out.size());
  CHECK(end.err_bytes == 4);
}

TEST_CASE("bytes that are no text come back unchanged") {
  Jail jail;
  const auto end = jail.shell(R"(printf '\x61\xfe\x62\x00')");
  CHECK(end.code == 0);
  CHECK(jail.printed.out == std::string("a\xfe"
                                        "b\0",
                                        4));
}

TEST_CASE("a program that kills itself ends by that signal") {
  Jail jail;
  const auto end = jail.shell("kill -SEGV $$");
  CHECK(end.ending == Ending::signalled);
  CHECK(end.code == SIGSEGV);
}

TEST_CASE("a program that does not exist is not started") {
  Jail jail;
  const auto end = jail.run({"no-such-program"});
  CHECK(end.ending == Ending::not_started);
  CHECK(end.code == ENOENT);
  CHECK(jail.shell("exit 3").code == 3);
}

TEST_CASE("stdin is at its end when none is given, and is read when it is") {
  Jail jail;
  CHECK(jail.run({"cat"}).code == 0);
  CHECK(jail.printed.out.empty());
  const std::string text(3'000'000, 'x');
  CHECK(jail.run({"cat"}, text).code == 0);
  CHECK(jail.printed.out == text);
  CHECK(jail.run({"true"}, text).ending == Ending::exited);
}

TEST_CASE("what was printed before the limit survives it") {
  Jail jail;
  const auto end = jail.shell("for i in 1 2 3 4 5; do echo line $i; done; sleep 300", 1500ms);
  CHECK(end.ending == Ending::timed_out);
  CHECK(end.detail.empty());
  CHECK(jail.printed.out == "line 1\nline 2\nline 3\nline 4\nline 5\n");
  CHECK(end.wall < 20s);
}

TEST_CASE("a child in the background that holds stdout does not hold the step, and is dead after it") {
  Jail jail;
  const auto end = jail.shell("sleep 300 & setsid sleep 301 & echo done");
  CHECK(end.ending == Ending::exited);
  CHECK(jail.printed.out == "done\n");
  CHECK(end.wall < 20s);
  jail.shell(
      "for p in /proc/[0-9]*; do tr '\\0' ' ' < $p/cmdline 2>/dev/null; echo; done | grep -c '^sleep 30'");
  CHECK(jail.printed.out == "0\n");
}

TEST_CASE("a step has a user of its own without any privilege, and cannot touch the agent") {
  Jail jail;
  jail.shell(
      "id -u; grep -E '^(CapEff|CapPrm|CapInh|NoNewPrivs|Groups):' /proc/self/status | tr -s '\\t ' ' '; "
      "umask; ulimit -c; kill -9 1 2>/dev/null; echo $?; ls /proc/1/fd 2>/dev/null | wc -l; ls "
      "/proc/self/fd");
  const auto& text = jail.printed.out;
  INFO(text);
  CHECK(std::stoul(text) >= 1000);
  CHECK(text.find("CapInh: 0000000000000000\nCapPrm: 0000000000000000\nCapEff: 0000000000000000") !=
        std::string::npos);
  CHECK(text.find("NoNewPrivs: 1") != std::string::npos);
  CHECK(text.find("Groups: \n") != std::string::npos);
  CHECK(text.find("0022\n0\n1\n0\n0\n1\n2\n") != std::string::npos);
}

TEST_CASE("arguments with quotes, newlines and dollar signs never meet a shell") {
  Jail jail;
  CHECK(jail.run({"printf", "%s", "$(id) 'a' \"b\" \\ \r\n <<EOF `x`"}).code == 0);
  CHECK(jail.printed.out == "$(id) 'a' \"b\" \\ \r\n <<EOF `x`");
}

TEST_CASE("a hundred megabytes of output pass, and the first of them lie in the spool") {
  Jail jail;
  struct Counting : sandbox::OutputSink {
    std::uint64_t bytes = 0;
    void write(sandbox::Output, std::string_view text) override { bytes += text.size(); }
  } counting;
  sandbox::Step step;
  step.argv = {"head", "-c", "100000000", "/dev/zero"};
  step.env = {"PATH=/usr/bin:/bin"};
  step.spool = 1'000'000;
  const auto end = jail.box->step(step, counting, {});
  CHECK(end.ending == Ending::exited);
  CHECK(counting.bytes == 100'000'000);
  CHECK(end.out_bytes == 100'000'000);
  REQUIRE_FALSE(end.out_spool.empty());
  TextSink sink;
  const auto size = jail.box->fetch(end.out_spool, 2'000'000, sink, soon(), {});
  REQUIRE(size.ok());
  CHECK(*size == 1'000'000);
}

TEST_CASE("what a program writes line by line comes in pieces, the first at once, whole and with its end") {
  Jail jail;
  struct Pieces : sandbox::OutputSink {
    std::string out;
    long number = 0;
    Time first;
    void write(sandbox::Output stream, std::string_view bytes) override {
      if (stream != sandbox::Output::out) return;
      if (number++ == 0) first = std::chrono::steady_clock::now();
      out += bytes;
    }
  } pieces;
  sandbox::Step step;
  step.argv = {"bash", "-c", "echo first; sleep 1; for ((i = 0; i < 20000; ++i)); do echo $i; done; exit 3"};
  step.env = {"PATH=/usr/bin:/bin"};
  const auto end = jail.box->step(step, pieces, {});
  const auto after = std::chrono::steady_clock::now() - pieces.first;
  CHECK(end.code == 3);
  std::string expected = "first\n";
  for (int i = 0; i < 20000; ++i) expected += std::to_string(i) + '\n';
  CHECK(pieces.out == expected);
  CHECK(after > 900ms);
  // Not two pieces in two milliseconds, but for those that are large.
  CHECK(pieces.number < end.wall.count() / 2 + 50);
}

TEST_CASE("a fork bomb ends at its limit and leaves nothing") {
  Jail jail;
  const auto end = jail.shell("ulimit -u 200; f() { f | f & }; f; sleep 300", 1500ms);
  CHECK(end.ending != Ending::lost);
  CHECK(jail.box->kill_all(soon()).ok());
  jail.shell("ls -d /proc/[0-9]* | wc -l");
  CHECK(std::stoi(jail.printed.out) <= 5);
}

TEST_CASE("a cancelled step returns at once") {
  Jail jail;
  std::stop_source stop;
  Printed printed;
  sandbox::Step step;
  step.argv = {"sleep", "300"};
  step.env = {"PATH=/usr/bin:/bin"};
  std::jthread later([&] {
    std::this_thread::sleep_for(300ms);
    stop.request_stop();
  });
  const auto end = jail.box->step(step, printed, stop.get_token());
  CHECK(end.ending == Ending::cancelled);
  CHECK(end.wall < 10s);
}

TEST_CASE("an agent that is killed is a lost step with a reason") {
  Jail jail;
  std::jthread later([&] {
    std::this_thread::sleep_for(300ms);
    jail.crash();
  });
  jail.engine.out_of_memory = true;
  const auto end = jail.shell("echo before; sleep 300");
  CHECK(end.ending == Ending::lost);
  CHECK(end.detail == "its stream closed unexpectedly");
  CHECK(end.out_of_memory);
  CHECK(jail.printed.out == "before\n");
  CHECK(jail.box->kill_all(soon()).failure().reason == Reason::gone);
}

TEST_CASE("a used sandbox is removed and its memory limit follows the install") {
  Jail jail;
  CHECK(jail.box->allow_install(true).ok());
  CHECK(jail.box->allow_install(false).ok());
  const auto memory = jail.engine.memory();
  REQUIRE(memory.size() == 2);
  CHECK(memory[0].second == engine::memory_limit({}, true));
  CHECK(memory[1].second == engine::memory_limit({}, false));
  jail.box.reset();
  jail.sandboxes.reset();
  CHECK(jail.engine.removed() == std::vector<std::string>{"jailed"});
}

TEST_CASE("a program that takes too much of what all sandboxes share is ended with a sentence") {
  Jail jail;
  const auto take = [&](const std::string& what, const std::string& count) {
    return jail.shell(
        "exec python3 -c 'import os, resource, socket, time; "
        "resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2); "
        "kept = [" +
            what + " for _ in range(" + count +
            ")]; time.sleep(1); os.write(1, b\"kept\"); "
            "time.sleep(300 if len(kept) > 100 else 0)'",
        20s);
  };
  const std::string terminal = "os.openpty()";
  const std::string socket = "socket.create_server((\"127.0.0.1\", 0))";
  for (const auto& what : {terminal, socket}) {
    const auto few = take(what, "20");
    if (few.code == 127) SKIP("skipped: python3 is not there");
    CHECK(few.code == 0);
    CHECK(jail.printed.out == "kept");
  }
  for (const auto& [what, count, words] : {std::tuple{terminal, "200", "more than 128 pseudo-terminals"},
                                           std::tuple{socket, "1200", "more than 1024 network sockets"}}) {
    const auto many = take(what, count);
    INFO(jail.printed.err);
    CHECK(many.ending == Ending::signalled);
    CHECK(many.wall < 15s);
    CHECK(jail.printed.err.find(words) != std::string::npos);
  }
}
