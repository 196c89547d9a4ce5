#include "engine/keeper.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <string>

using namespace codebox;
using namespace codebox::engine;

namespace {

constexpr uid_t nobody = 65534;

// Splits a child of this process, and gives what its unprivileged half says and the status that the whole
// ends with.
std::pair<std::string, int> split(const std::function<std::string(int keeper)>& then) {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    // A launcher that ends at once is enough: who it runs as and what it is given is what counts.
    const auto line = split_from_root(nobody, nobody, "/bin/true");
    const std::string said = line ? then(line->get()) : line.failure().message;
    const bool whole = ::write(ends[1], said.data(), said.size()) == static_cast<ssize_t>(said.size());
    ::_exit(whole ? 7 : 1);
  }
  ::close(ends[1]);
  std::string said;
  std::array<char, 256> piece{};
  for (ssize_t got = 0; (got = ::read(ends[0], piece.data(), piece.size())) > 0;) {
    said.append(piece.data(), static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return {said, WIFEXITED(status) ? WEXITSTATUS(status) : -1};
}

}  // namespace

TEST_CASE("a server that left root has no way back, and the whole ends as it does") {
  if (::geteuid() != 0) SKIP("skipped: only root can become another user");
  const auto [said, status] = split([](int) {
    uid_t real = 0;
    uid_t effective = 0;
    uid_t saved = 0;
    ::getresuid(&real, &effective, &saved);
    const bool back = ::setuid(0) == 0 || ::seteuid(0) == 0;
    return std::to_string(real) + ' ' + std::to_string(effective) + ' ' + std::to_string(saved) +
           (back ? " back" : " left");
  });
  CHECK(said == "65534 65534 65534 left");
  CHECK(status == 7);
}

TEST_CASE("launchers start through the keeper, and one of another configuration is refused") {
  if (::geteuid() != 0) SKIP("skipped: only root can become another user");
  const auto [said, status] = split([](int keeper) {
    const auto first = spawn_by_keeper(keeper, "{\"instance\":\"a\"}");
    const auto again = spawn_by_keeper(keeper, "{\"instance\":\"a\"}");
    const auto other = spawn_by_keeper(keeper, "{\"instance\":\"b\"}");
    std::string out = first && first->pid > 1 && first->control ? "started, " : "not started, ";
    out += again && again->pid != first->pid ? "started again, " : "not started again, ";
    return out + (other ? "started another" : other.failure().message);
  });
  CHECK(said == "started, started again, The server asked for a launcher of another configuration: refused.");
  CHECK(status == 7);
}
