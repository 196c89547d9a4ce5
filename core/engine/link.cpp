#include "engine/link.hpp"

#include <sys/socket.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <nlohmann/json.hpp>

#include "base/log.hpp"
#include "engine/protocol.hpp"
#include "engine/wire.hpp"

namespace codebox::engine {
namespace {

using nlohmann::json;

constexpr std::chrono::seconds farewell{30};
constexpr std::size_t max_progress = 64;

/// Waits for the process and says how it ended.
std::string reap(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return "";
  if (WIFSIGNALED(status)) return " by signal " + std::to_string(WTERMSIG(status));
  return " with exit status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

Link::Link(Spawned launcher) : pid_(launcher.pid), control_(std::move(launcher.control)) {
  receiver_ = std::thread([this] { receive(); });
}

Link::~Link() {
  {
    std::unique_lock lock(mutex_);
    closing_ = true;
    ::shutdown(control_.get(), SHUT_WR);
    if (!changed_.wait_for(lock, farewell, [this] { return reaped_; })) ::kill(pid_, SIGKILL);
  }
  receiver_.join();
}

bool Link::alive() const {
  const std::lock_guard lock(mutex_);
  return !ended_;
}

Result<std::uint64_t> Link::enter(const std::shared_ptr<Waiting>& waiting) {
  const std::lock_guard lock(mutex_);
  if (ended_) return Failure{Reason::offline, end_message_};
  const auto id = next_++;
  if (waiting) waiting_[id] = waiting;
  return id;
}

Result<Link::Reply> Link::ask(json request, const std::function<void(std::string)>& progress,
                              const std::stop_token& stop, int fd) {
  const auto waiting = std::make_shared<Waiting>();
  waiting->listens = progress != nullptr;
  const auto entered = enter(waiting);
  if (!entered) return entered.failure();
  const std::uint64_t id = *entered;
  request["id"] = id;
  const auto sent = wire::send(control_.get(), dump(request), fd);
  std::unique_lock lock(mutex_);
  // When the launcher has just ended, the receiving thread knows better why.
  if (!sent && sent.failure().reason == Reason::too_large) waiting->reply = sent.failure();
  while (true) {
    changed_.wait(lock, stop, [&] { return waiting->reply || !waiting->progress.empty(); });
    if (!waiting->progress.empty()) {
      const auto words = std::move(waiting->progress.front());
      waiting->progress.pop_front();
      lock.unlock();
      progress(words);
      lock.lock();
      continue;
    }
    if (!waiting->reply && !stop.stop_requested()) continue;
    waiting_.erase(id);
    if (waiting->reply) return std::move(*waiting->reply);
    lock.unlock();
    (void)wire::send(control_.get(), dump({{"cancel", id}}));
    return Failure{Reason::cancelled, "The request to the container engine was cancelled."};
  }
}

void Link::receive() {
  while (true) {
    auto message = wire::receive(control_.get());
    if (!message) log::error(message.failure().message);
    if (!message || !*message) break;
    take(std::move((*message)->text), std::move((*message)->fd));
  }
  end();
}

void Link::take(std::string text, Fd fd) try {
  const auto message = json::parse(text);
  const auto id = message.at("id").get<std::uint64_t>();
  std::unique_lock lock(mutex_);
  const auto found = waiting_.find(id);
  if (found == waiting_.end()) {
    lock.unlock();
    if (message.contains("ok")) undo(message["ok"]);
    return;
  }
  Waiting& waiting = *found->second;
  if (message.contains("progress")) {
    if (waiting.listens && waiting.progress.size() < max_progress)
      waiting.progress.push_back(message["progress"].get<std::string>());
  } else if (message.contains("failure")) {
    waiting.reply = message["failure"].get<Failure>();
    waiting_.erase(found);
  } else {
    waiting.reply = Reply{message.at("ok").dump(), std::move(fd)};
    waiting_.erase(found);
  }
  changed_.notify_all();
} catch (const json::exception&) {
  log::error("The launcher sent a message that cannot be read.");
}

/// A sandbox whose caller gave up while it started: nobody else will remove it.
void Link::undo(const json& value) {
  if (!value.contains("container")) return;
  const auto id = enter(nullptr);
  if (!id) return;
  const json request = {{"id", *id}, {"do", "remove"}, {"container", value["container"]}};
  (void)wire::send(control_.get(), dump(request));
}

void Link::end() {
  std::unique_lock lock(mutex_);
  const bool expected = closing_;
  ended_ = true;
  end_message_ = "The launcher has ended; the next request starts a new one.";
  lock.unlock();
  // Its socket is closed, so it is of no more use even if it should still run.
  if (!expected) ::kill(pid_, SIGKILL);
  const auto how = reap(pid_);
  lock.lock();
  end_message_ = "The launcher ended" + how + " while a request waited; the next request starts a new one.";
  if (!expected) log::error("The launcher ended" + how + "; the next request starts a new one.");
  for (auto& [id, waiting] : waiting_) waiting->reply = Failure{Reason::offline, end_message_};
  waiting_.clear();
  reaped_ = true;
  changed_.notify_all();
}

}  // namespace codebox::engine
