#include "plugin/tool_call.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "plugin/limits.hpp"
#include "plugin/process.hpp"
#include "plugin/tool_answer.hpp"

namespace codebox::plugin {
namespace {

/// Talks with the child over one socket. On the stack of one call.
class Conversation {
 public:
  Conversation(const ToolCall& call, Fd socket)
      : call_(call),
        socket_(std::move(socket)),
        answer_(call.tool, call.tell),
        unsent_(call.arguments + '\n'),
        deadline_(std::chrono::steady_clock::now() + call.time) {}

  /// Until the tool is done, or the failure that ends the call.
  Result<void> run() {
    const Fd wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    const std::stop_callback stopped(call_.cancel, [&wake] { ::eventfd_write(wake.get(), 1); });
    while (true) {
      if (call_.cancel.stop_requested() && !leaving_) leave();
      const auto rest = left(deadline_).count();
      if (rest == 0) return late();
      std::array<pollfd, 2> wait = {{{socket_.get(), POLLIN, 0}, {leaving_ ? -1 : wake.get(), POLLIN, 0}}};
      if (!unsent_.empty()) wait[0].events |= POLLOUT;
      if (::poll(wait.data(), wait.size(), static_cast<int>(std::min<long>(rest, 60'000))) < 0 &&
          errno != EINTR)
        return Failure{Reason::internal, "The plugin host cannot be waited for."};
      if ((wait[0].revents & POLLOUT) != 0) send();
      if ((wait[0].revents & (POLLIN | POLLHUP | POLLERR)) == 0) continue;
      std::array<char, 65536> buffer;
      const ssize_t got = ::recv(socket_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (got <= 0) {
        ended_ = true;
        return Failure{Reason::gone, ""};
      }
      const auto done = answer_.take({buffer.data(), static_cast<std::size_t>(got)});
      if (!done) return done.failure();
      if (*done) return {};
    }
  }

  bool ended_by_itself() const { return ended_; }
  bool leaving() const { return leaving_; }
  ToolOutcome outcome() { return answer_.outcome(); }

 private:
  // The tool may look whether anybody still waits, and has a moment to end by itself.
  void leave() {
    leaving_ = true;
    unsent_.clear();
    ::shutdown(socket_.get(), SHUT_WR);
    deadline_ = std::min(deadline_, std::chrono::steady_clock::now() + leave_within);
  }

  void send() {
    const ssize_t sent = ::send(socket_.get(), unsent_.data(), unsent_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent > 0) unsent_.erase(0, static_cast<std::size_t>(sent));
    if (sent < 0 && errno != EAGAIN && errno != EINTR) unsent_.clear();
  }

  Failure late() const {
    if (leaving_) return {Reason::cancelled, "The call was cancelled."};
    return {Reason::timeout, "The tool " + call_.tool.name + " did not end within " +
                                 std::to_string(call_.time.count() / 1000) +
                                 " s (SANDBOX_EXEC_TIMEOUT), and was stopped."};
  }

  const ToolCall& call_;
  const Fd socket_;
  ToolAnswer answer_;
  std::string unsent_;
  Time deadline_;
  bool leaving_ = false;
  bool ended_ = false;
};

Failure crashed(const std::string& tool, const Ended& ended) {
  std::string how = "its process ended with exit status " + std::to_string(WEXITSTATUS(ended.status));
  if (WIFSIGNALED(ended.status)) {
    how = "signal " + std::to_string(WTERMSIG(ended.status)) + ", " + ::strsignal(WTERMSIG(ended.status));
  }
  return {Reason::gone, "The tool " + tool + " crashed (" + how +
                            "); the fault is in its plugin. Another call begins afresh."};
}

}  // namespace

Result<ToolOutcome> call_tool(const std::filesystem::path& program, const ToolCall& call) {
  if (call.arguments.size() > largest_arguments) {
    return Failure{Reason::too_large, "The arguments of " + call.tool.name + " are larger than " +
                                          text::size(largest_arguments) + "; send less."};
  }
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return Failure{Reason::internal,
                   std::string("The plugin host cannot be started: ") + std::strerror(errno) + "."};
  Fd ours(ends[0]), theirs(ends[1]);
  const auto seconds = std::to_string(call.time.count() / 1000 + 1);
  const auto pid = start_host(program, {std::to_string(library_descriptor), call.tool.name, seconds},
                              {{call.library.get(), library_descriptor}, {theirs.get(), answer_descriptor}});
  theirs.reset();
  if (!pid) return pid.failure();
  Conversation conversation(call, std::move(ours));
  const auto said = conversation.run();
  const bool crash = conversation.ended_by_itself();
  const Ended ended = end_host(*pid, crash ? std::chrono::steady_clock::now() + leave_within : Time{});
  if (call.cancel.stop_requested()) return Failure{Reason::cancelled, "The call was cancelled."};
  if (crash) return crashed(call.tool.name, ended);
  if (!said) return said.failure();
  return conversation.outcome();
}

}  // namespace codebox::plugin
