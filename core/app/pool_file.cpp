#include "app/pool_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/log.hpp"

namespace codebox::app {
namespace {

using nlohmann::json;

constexpr std::chrono::seconds between_looks{1};
constexpr int most_tries = 20;

std::filesystem::path file_of(const std::filesystem::path& state_dir) {
  return state_dir / "pool";
}

std::string text_of(const PoolReport& report) {
  json kinds = json::array();
  for (const auto& kind : report.kinds) {
    kinds.push_back({{"language", kind.language},
                     {"image", kind.image},
                     {"layer", kind.layer},
                     {"waiting", kind.waiting},
                     {"preloaded", kind.preloaded},
                     {"target", kind.target},
                     {"bytes", kind.bytes},
                     {"trouble", kind.trouble}});
  }
  const json all = {{"kinds", kinds},
                    {"limit", report.limit},
                    {"promised", report.promised},
                    {"available", report.available}};
  return all.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
}

std::optional<PoolReport> report_of(const std::string& text) {
  try {
    const json all = json::parse(text);
    PoolReport report;
    for (const json& kind : all.at("kinds")) {
      report.kinds.push_back({kind.at("language"), kind.at("image"), kind.at("layer"), kind.at("waiting"),
                              kind.at("preloaded"), kind.at("target"), kind.at("bytes"), kind.at("trouble")});
    }
    report.limit = all.at("limit");
    report.promised = all.at("promised");
    report.available = all.at("available");
    return report;
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

std::string content(int fd) {
  std::string text;
  std::array<char, 16384> part{};
  for (ssize_t got = 0;; text.append(part.data(), static_cast<std::size_t>(got))) {
    got = ::pread(fd, part.data(), part.size(), static_cast<off_t>(text.size()));
    if (got <= 0 || text.size() > (1U << 20)) return text;
  }
}

}  // namespace

PoolFile::PoolFile(const std::filesystem::path& state_dir, std::function<PoolReport()> look)
    : file_(::open(file_of(state_dir).c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)),
      look_(std::move(look)) {
  // Who reads it holds it for a moment.
  bool locked = false;
  for (int i = 0; file_ && !locked && i < most_tries; ++i) {
    locked = ::flock(file_.get(), LOCK_EX | LOCK_NB) == 0;
    if (!locked) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  if (!locked) {
    log::warn(
        "What waits for calls is not told to codebox doctor: the file pool in STATE_DIR cannot be used (" +
        std::string(std::strerror(errno)) + ").");
    return;
  }
  thread_ = std::jthread([this](const std::stop_token& stop) {
    std::string written;
    std::unique_lock lock(mutex_);
    do {
      std::string text = text_of(look_());
      if (text == written) continue;
      write(text);
      written = std::move(text);
    } while (!wake_.wait_for(lock, stop, between_looks, [&] { return stop.stop_requested(); }));
  });
}

PoolFile::~PoolFile() = default;

void PoolFile::write(const std::string& text) const {
  // A reader who comes between the two finds something that is no JSON, and looks again.
  if (::ftruncate(file_.get(), 0) != 0) return;
  if (::pwrite(file_.get(), text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
    log::debug("the file pool in STATE_DIR was not written");
}

std::optional<PoolReport> PoolFile::read(const std::filesystem::path& state_dir) {
  const Fd file(::open(file_of(state_dir).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file || ::flock(file.get(), LOCK_SH | LOCK_NB) == 0) return std::nullopt;
  for (int i = 0; i < most_tries; ++i) {
    if (auto report = report_of(content(file.get()))) return report;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return std::nullopt;
}

}  // namespace codebox::app
