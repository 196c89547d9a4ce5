#include "run/images.hpp"

#include "base/log.hpp"
#include "base/text.hpp"

namespace codebox::run {
namespace {

// A failed pull is tried again when somebody asks after this long.
constexpr std::chrono::seconds retry_after{30};
// So late a call may still be given a sandbox of an image that has just been replaced.
constexpr std::chrono::seconds fresh_for{10};

}  // namespace

Images::~Images() {
  std::map<std::string, Pulling> pulls;
  {
    const std::lock_guard lock(mutex_);
    pulls.swap(pulls_);
    for (auto& [name, pulling] : pulls) pulling.thread.request_stop();
  }
}

Result<engine::ImageInfo> Images::recent(const std::string& reference) {
  const auto now = std::chrono::steady_clock::now();
  {
    const std::lock_guard lock(mutex_);
    const auto seen = seen_.find(reference);
    if (seen != seen_.end() && now < seen->second.at + fresh_for) return seen->second.image;
  }
  auto image = ready(reference);
  const std::lock_guard lock(mutex_);
  if (image) {
    seen_[reference] = {*image, now};
  } else {
    seen_.erase(reference);
  }
  return image;
}

Result<engine::ImageInfo> Images::ready(const std::string& reference) {
  auto image = engine_.image(reference);
  if (image) return image;
  if (image.failure().reason != Reason::not_found) return image.failure();
  const std::string missing = "The sandbox image " + text::quoted(reference) + " is not on this server";
  if (pull_ == Pull::never) {
    return Failure{Reason::image,
                   missing + " and SANDBOX_PULL is never: the operator has to build or load it."};
  }
  const std::lock_guard lock(mutex_);
  Pulling& pulling = pulls_[reference];
  if (!pulling.running && std::chrono::steady_clock::now() - pulling.finished >= retry_after) {
    start_pull(reference, pulling);
  }
  if (pulling.running) {
    const std::string progress = pulling.progress.empty() ? "" : " (" + pulling.progress + ")";
    return Failure{Reason::image,
                   missing + " yet: it is being pulled" + progress + ". Try again in a minute."};
  }
  return Failure{Reason::image, missing + ". " + pulling.failure};
}

void Images::prepare(const std::string& reference) {
  if (pull_ == Pull::never) return;
  if (pull_ == Pull::missing) {
    // An engine that does not answer cannot pull either; a call asks again.
    const auto image = engine_.image(reference);
    if (image || image.failure().reason != Reason::not_found) return;
  }
  const std::lock_guard lock(mutex_);
  Pulling& pulling = pulls_[reference];
  if (!pulling.running) start_pull(reference, pulling);
}

void Images::wait() {
  std::map<std::string, Pulling> pulls;
  {
    const std::lock_guard lock(mutex_);
    for (auto& [name, pulling] : pulls_) pulls[name].thread = std::move(pulling.thread);
  }
  // Their destructors would cancel them.
  for (auto& [name, pulling] : pulls) {
    if (pulling.thread.joinable()) pulling.thread.join();
  }
}

void Images::start_pull(const std::string& reference, Pulling& pulling) {
  pulling.running = true;
  pulling.progress.clear();
  pulling.thread =
      std::jthread([this, reference](std::stop_token cancel) { pull(reference, std::move(cancel)); });
}

void Images::pull(const std::string& reference, std::stop_token cancel) {
  log::info("pulling the image " + reference);
  const auto progress = [&](const std::string& line) {
    const std::lock_guard lock(mutex_);
    if (const auto at = pulls_.find(reference); at != pulls_.end()) at->second.progress = line;
  };
  const auto pulled = engine_.pull(reference, progress, cancel);
  if (pulled) {
    log::info("pulled the image " + reference);
  } else {
    log::warn("the image " + reference + " was not pulled: " + pulled.failure().message);
  }
  const std::lock_guard lock(mutex_);
  const auto at = pulls_.find(reference);
  if (at == pulls_.end()) return;
  at->second.running = false;
  at->second.finished = std::chrono::steady_clock::now();
  at->second.failure = pulled ? "" : pulled.failure().message;
  seen_.erase(reference);
}

}  // namespace codebox::run
