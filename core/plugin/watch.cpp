#include "plugin/watch.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/text.hpp"

namespace codebox::plugin {
namespace {

// A copy is several events; what comes this close together is looked at once.
constexpr int quiet_ms = 200;
constexpr std::chrono::milliseconds longest_burst{1000};
// A folder that is gone is looked for again after this.
constexpr int between_looks_ms = 1000;
constexpr std::uint32_t wanted = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB |
                                 IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

}  // namespace

Watch::Watch(std::filesystem::path folder, Changed changed)
    : folder_(std::move(folder)),
      changed_(std::move(changed)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

Watch::~Watch() {
  thread_.request_stop();
  ::eventfd_write(wake_.get(), 1);
}

void Watch::ask() {
  asked_ = true;
  ::eventfd_write(wake_.get(), 1);
}

void Watch::attach() {
  events_.reset(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  attached_ = events_ && ::inotify_add_watch(events_.get(), folder_.c_str(), wanted) >= 0;
  if (!attached_ && !told_) {
    log::warn("The plugin folder " + text::quoted(folder_.native()) +
              " cannot be watched: " + std::strerror(errno) + "; send SIGHUP to the server after a change.");
  }
  told_ = !attached_;
}

bool Watch::take_events() {
  alignas(inotify_event) std::array<char, 4096> buffer;
  bool any = false;
  while (true) {
    const ssize_t got = events_ ? ::read(events_.get(), buffer.data(), buffer.size()) : -1;
    if (got <= 0) return any;
    any = true;
    for (std::size_t at = 0; at + sizeof(inotify_event) <= static_cast<std::size_t>(got);) {
      inotify_event event;
      std::memcpy(&event, buffer.data() + at, sizeof event);
      if ((event.mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT)) != 0) attached_ = false;
      at += sizeof event + event.len;
    }
  }
}

bool Watch::wait(int milliseconds) {
  std::array<pollfd, 2> both = {pollfd{wake_.get(), POLLIN, 0}, pollfd{events_.get(), POLLIN, 0}};
  const int ready = ::poll(both.data(), both.size(), milliseconds);
  if (ready <= 0) return false;
  eventfd_t count = 0;
  ::eventfd_read(wake_.get(), &count);
  return take_events() || asked_;
}

void Watch::settle(const std::stop_token& stop) {
  const Time end = std::chrono::steady_clock::now() + longest_burst;
  while (!stop.stop_requested() && !asked_ && left(end).count() > 0 && wait(quiet_ms)) continue;
}

void Watch::run(const std::stop_token& stop) {
  attach();
  changed_(false);
  while (!stop.stop_requested()) {
    bool news = wait(attached_ ? -1 : between_looks_ms);
    if (stop.stop_requested()) return;
    if (news) settle(stop);
    if (!attached_) {
      attach();
      news = news || attached_;
    }
    if (news && !stop.stop_requested()) changed_(asked_.exchange(false));
  }
}

}  // namespace codebox::plugin
