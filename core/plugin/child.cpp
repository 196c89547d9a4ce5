#include "plugin/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "plugin/limits.hpp"
#include "plugin/process.hpp"

namespace codebox::plugin {
namespace {

enum class Heard { all, too_much, late };

Heard listen(int pipe, Time deadline, std::string& into) {
  std::array<char, 65536> buffer;
  while (true) {
    pollfd wait{pipe, POLLIN, 0};
    const auto rest = left(deadline).count();
    if (rest == 0) return Heard::late;
    const int ready = ::poll(&wait, 1, static_cast<int>(rest));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return Heard::late;
    const ssize_t got = ::read(pipe, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Heard::all;
    into.append(buffer.data(), static_cast<std::size_t>(got));
    if (into.size() > largest_answer) return Heard::too_much;
  }
}

Finding spun(const std::string& how) {
  return {"spun", "The plugin did not give its descriptor " + how +
                      "; its constructors and its entry must return at once."};
}

}  // namespace

Result<Checked<std::string>> describe_library(const std::filesystem::path& program, const Fd& library) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return Failure{Reason::internal,
                   std::string("The plugin host cannot be started, no pipe: ") + std::strerror(errno) + "."};
  }
  const Fd pipe(ends[0]);
  Fd answer(ends[1]);
  const auto pid = start_host(program, {std::to_string(library_descriptor)},
                              {{library.get(), library_descriptor}, {answer.get(), answer_descriptor}});
  answer.reset();
  if (!pid) return pid.failure();
  const Time deadline = std::chrono::steady_clock::now() + answer_within;
  std::string json;
  const Heard heard = listen(pipe.get(), deadline, json);
  const auto [status, killed] = end_host(*pid, heard == Heard::all ? deadline : Time{});
  const bool late = heard == Heard::late || (heard == Heard::all && killed);
  if (heard == Heard::too_much) {
    return Checked<std::string>(
        Finding{"rule", "The plugin's descriptor is larger than " + text::size(largest_answer) + "."});
  }
  if (late) return Checked<std::string>(spun("within " + std::to_string(answer_within.count()) + " s"));
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
    return Checked<std::string>(spun("within " + std::to_string(cpu_seconds) + " s of processor time"));
  }
  if (WIFSIGNALED(status)) {
    return Checked<std::string>(Finding{"crashed", "The plugin crashed while it was loaded: signal " +
                                                       std::to_string(WTERMSIG(status)) + ", " +
                                                       ::strsignal(WTERMSIG(status)) + "."});
  }
  if (WEXITSTATUS(status) != 0 || json.empty()) {
    return Checked<std::string>(Finding{"crashed", "The plugin ended its process with exit status " +
                                                       std::to_string(WEXITSTATUS(status)) +
                                                       " while it was loaded."});
  }
  return Checked<std::string>(std::move(json));
}

}  // namespace codebox::plugin
