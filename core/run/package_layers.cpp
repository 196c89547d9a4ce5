#include "run/package_layers.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/log.hpp"
#include "base/text.hpp"
#include "engine/tar.hpp"
#include "run/call.hpp"
#include "run/layer_files.hpp"

namespace codebox::run {
namespace {

constexpr std::size_t most_files = 40'000;
constexpr std::size_t most_waiting = 50;
constexpr std::size_t files_between_looks = 256;
constexpr std::chrono::minutes longest_packing{5};
constexpr std::chrono::minutes between_tidying{1};
// Under calls without end a layer comes late, but it comes.
constexpr std::chrono::seconds longest_politeness{5};

/// An install is of no user.
class NoFiles : public openwebui::Files {
 public:
  Result<openwebui::RemoteFile> find(const Caller&, const std::string&, Time, std::stop_token) override {
    return none();
  }
  Result<std::uint64_t> download(const Caller&, const openwebui::RemoteFile&, std::uint64_t, ByteSink&, Time,
                                 std::stop_token) override {
    return none();
  }
  Result<openwebui::FileList> list(const Caller&, Time, std::stop_token) override {
    return openwebui::FileList{};
  }
  Result<openwebui::StoredFile> upload(const Caller&, const std::string&, std::uint64_t, ByteSource&, Time,
                                       std::stop_token) override {
    return none();
  }

 private:
  static Failure none() { return {Reason::not_found, "A package layer has no files of a user."}; }
};

class FileSink : public ByteSink {
 public:
  explicit FileSink(int fd) : fd_(fd) {}
  Result<void> write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const auto put = ::write(fd_, bytes.data(), bytes.size());
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0)
        return Failure{Reason::internal, std::string("STATE_DIR cannot be written: ") + std::strerror(errno)};
      bytes.remove_prefix(static_cast<std::size_t>(put));
    }
    return {};
  }

 private:
  int fd_;
};

class TextSink : public ByteSink {
 public:
  std::string text;
  Result<void> write(std::string_view bytes) override {
    text.append(bytes);
    return {};
  }
};

}  // namespace

PackageLayers::PackageLayers(const Options& options, engine::Engine& engine, sandbox::Sandboxes& sandboxes,
                             const Clock& clock, std::filesystem::path folder)
    : options_(options),
      engine_(engine),
      sandboxes_(sandboxes),
      clock_(clock),
      folder_(std::move(folder)),
      store_(options.layers, clock) {
  thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

PackageLayers::~PackageLayers() {
  thread_.request_stop();
  thread_.join();
}

std::shared_ptr<void> PackageLayers::caller() {
  const std::lock_guard lock(mutex_);
  ++callers_;
  return {nullptr, [this](void*) {
            const std::lock_guard again(mutex_);
            --callers_;
            changed_.notify_all();
          }};
}

void PackageLayers::want(Wanted wanted, const std::string& user) {
  const std::lock_guard lock(mutex_);
  if (queue_.size() >= most_waiting || !store_.may_build(wanted.key, user)) return;
  queue_.push_back(std::move(wanted));
  changed_.notify_all();
}

void PackageLayers::wait_for_quiet(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, stop, longest_politeness, [this] { return callers_ == 0; });
}

bool PackageLayers::load() {
  const auto known = engine_.layers();
  if (!known) {
    log::debug("package layers are not known: " + known.failure().message);
    return false;
  }
  for (const engine::Layer& layer : *known) store_.add(layer);
  return true;
}

void PackageLayers::tidy() {
  for (const std::string& key : store_.cull()) {
    if (const auto removed = engine_.remove_layer(key); !removed) {
      log::debug("a package layer was not removed: " + removed.failure().message);
    }
  }
}

void PackageLayers::work(const std::stop_token& stop) {
  bool loaded = false;
  while (!stop.stop_requested()) {
    loaded = loaded || load();
    tidy();
    Wanted wanted;
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait_for(lock, stop, between_tidying, [this] { return !queue_.empty(); })) continue;
      wanted = std::move(queue_.front());
      queue_.pop_front();
    }
    wait_for_quiet(stop);
    if (stop.stop_requested()) return;
    const std::string what = text::join(wanted.libraries, ", ");
    auto layer = build(wanted, stop);
    if (layer) {
      store_.add(*layer);
      log::info("a layer of " + text::size(layer->size) + " holds " + what);
    } else if (!stop.stop_requested()) {
      log::warn("There will be no layer of " + what + ": " + layer.failure().message);
    }
    store_.build_ended(wanted.key, layer.ok());
  }
}

Result<engine::Layer> PackageLayers::build(const Wanted& wanted, const std::stop_token& stop) {
  Fd archive(::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (!archive) {
    return Failure{Reason::internal, "STATE_DIR " + text::quoted(folder_.string()) +
                                         " takes no archive: " + std::strerror(errno) + "."};
  }
  NoFiles files;
  const Caller nobody;
  Arguments arguments;
  arguments.libraries = wanted.libraries;
  Progress unseen;
  Call call(options_, wanted.language, arguments, files, nobody, wanted.image, stop, unseen);
  auto sandbox = sandboxes_.acquire(wanted.spec, call.deadline(), stop);
  if (!sandbox) return sandbox.failure();
  if (auto installed = call.install_only(**sandbox); !installed) return installed.failure();
  auto size = pack(**sandbox, archive.get(), stop);
  if (!size) return size.failure();
  sandbox->reset();
  wait_for_quiet(stop);
  const auto now = std::chrono::duration_cast<std::chrono::seconds>(clock_.wall().time_since_epoch());
  engine::Layer layer{wanted.key, now.count(), *size};
  if (auto made = engine_.make_layer(wanted.spec.image, layer, std::move(archive)); !made)
    return made.failure();
  return layer;
}

Result<std::uint64_t> PackageLayers::pack(sandbox::Sandbox& sandbox, int archive,
                                          const std::stop_token& stop) {
  const Time deadline = std::chrono::steady_clock::now() + longest_packing;
  const std::string everything = std::string(sandbox::packages_folder) + "/***";
  const auto listing = sandbox.list({everything}, most_files, deadline, stop);
  if (!listing) return listing.failure();
  const auto read = [&](const sandbox::Found& file) -> Result<std::string> {
    TextSink text;
    if (auto got = sandbox.fetch(file.path, file.size, text, deadline, stop); !got) return got.failure();
    return std::move(text.text);
  };
  const auto files = layer_files(*listing, options_.limits.install, read);
  if (!files) return files.failure();
  FileSink out(archive);
  std::uint64_t total = 0;
  std::size_t done = 0;
  for (const sandbox::Found& file : *files) {
    if (++done % files_between_looks == 0) wait_for_quiet(stop);
    const std::string name = file.path.substr(sandbox::packages_folder.size() + 1);
    const auto head = engine::tar_head(name, file.size, file.executable ? 0755 : 0644, file.modified);
    if (auto put = out.write(head); !put) return put.failure();
    const auto got = sandbox.fetch(file.path, file.size, out, deadline, stop);
    if (!got) return got.failure();
    if (*got != file.size)
      return Failure{Reason::invalid, text::quoted(file.path) + " changed while it was read"};
    if (auto put = out.write(engine::tar_fill(file.size)); !put) return put.failure();
    total += file.size;
  }
  if (auto put = out.write(engine::tar_end()); !put) return put.failure();
  return total;
}

}  // namespace codebox::run
