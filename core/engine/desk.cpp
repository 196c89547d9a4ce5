#include "engine/desk.hpp"

#include <chrono>
#include <condition_variable>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "base/log.hpp"
#include "base/text.hpp"
#include "engine/check.hpp"
#include "engine/image.hpp"
#include "engine/oom.hpp"
#include "engine/pull.hpp"
#include "engine/registry_login.hpp"
#include "engine/wire.hpp"

namespace codebox::engine {
namespace {

using nlohmann::json;

constexpr std::chrono::minutes sweep_interval{1};
constexpr std::chrono::hours images_interval{1};
constexpr std::chrono::seconds retry_interval{5};

Failure bad_request() {
  return {Reason::internal, "The launcher was asked for something that it does not understand."};
}

}  // namespace

/// What a request gives back: a value, and for a start the attached stream.
struct Desk::Outcome {
  json value = json::object();
  Fd stream;
};

Desk::Desk(Fd control, LauncherConfig config)
    : control_(std::move(control)),
      config_(std::move(config)),
      finder_(config_.endpoint, config_.backend, config_.tls, config_.podman_dir),
      preparer_(config_.agent_file, config_.ca_bundle, config_.instance),
      layers_(config_.instance, preparer_),
      containers_(config_.instance, preparer_, layers_) {}

void Desk::serve() {
  std::jthread tidier([this](const std::stop_token& stop) { tidy(stop); });
  std::jthread watcher([this](const std::stop_token& stop) { watch_memory(finder_, containers_, stop); });
  while (true) {
    auto message = wire::receive(control_.get());
    if (!message) log::error(message.failure().message);
    if (!message || !*message) break;
    take((*message)->text, std::make_shared<const Fd>(std::move((*message)->fd)));
  }
  {
    const std::lock_guard lock(mutex_);
    for (auto& [id, source] : running_) source.request_stop();
  }
  pulls_.finish();
  workers_.finish();
  tidier.request_stop();
  watcher.request_stop();
  tidier.join();
  watcher.join();
  remove_all();
}

void Desk::take(const std::string& text, std::shared_ptr<const Fd> fd) {
  const auto request = json::parse(text, nullptr, false);
  const auto number = [&](const char* name) -> std::optional<std::uint64_t> {
    if (!request.is_object() || !request.contains(name) || !request[name].is_number_unsigned()) return {};
    return request[name].get<std::uint64_t>();
  };
  const std::lock_guard lock(mutex_);
  if (const auto cancelled = number("cancel")) {
    if (const auto found = running_.find(*cancelled); found != running_.end()) found->second.request_stop();
    return;
  }
  const auto id = number("id");
  if (!id || running_.contains(*id)) return;
  const auto stop = running_[*id].get_token();
  const json action = request.value("do", json());
  const bool slow = action == "pull" || action == "make_layer";
  (slow ? pulls_ : workers_).post([this, id = *id, request, fd = std::move(fd), stop] {
    perform(id, request, *fd, stop);
  });
}

void Desk::perform(std::uint64_t id, const json& request, const Fd& fd, const std::stop_token& stop) {
  const auto outcome = [&]() -> Result<Outcome> {
    try {
      return answer(id, request, fd, stop);
    } catch (const json::exception&) {
      return bad_request();
    } catch (const std::exception& error) {
      return Failure{Reason::internal,
                     std::string("The launcher failed: ") + text::one_line(error.what()) + "."};
    }
  }();
  {
    const std::lock_guard lock(mutex_);
    running_.erase(id);
  }
  if (outcome) return reply({{"id", id}, {"ok", outcome->value}}, outcome->stream.get());
  if (outcome.failure().reason == Reason::offline) finder_.forget();
  reply({{"id", id}, {"failure", outcome.failure()}});
}

Result<Desk::Outcome> Desk::answer(std::uint64_t id, const json& request, const Fd& fd,
                                   const std::stop_token& stop) {
  const auto action = request.at("do").get<std::string>();
  if (stop.stop_requested()) return Failure{Reason::cancelled, "The request was cancelled."};
  const auto found = finder_.find();
  if (!found) {
    if (action == "remove") containers_.postpone(request.at("container").get<std::string>());
    return found.failure();
  }
  const Daemon& daemon = **found;
  const auto done = [](const Result<void>& result) {
    return result ? Result<Outcome>(Outcome()) : Result<Outcome>(result.failure());
  };
  if (action == "info") return Outcome{daemon.dialect.info, Fd()};
  if (action == "image" || action == "pull") {
    const auto reference = request.at("image").get<std::string>();
    if (const auto fine = check_image(reference); !fine) return fine.failure();
    if (action == "pull") return done(pull_image(daemon, id, reference, stop));
    const auto image = inspect_image(daemon, reference);
    return image ? Result<Outcome>(Outcome{image->info, Fd()}) : Result<Outcome>(image.failure());
  }
  if (action == "start") {
    const auto spec = request.at("spec").get<CreateSpec>();
    if (const auto fine = check(spec, config_.full_network); !fine) return fine.failure();
    auto container = containers_.start(daemon, spec, stop);
    if (!container) return container.failure();
    json value = *container;
    return Outcome{std::move(value), std::move(container->stream)};
  }
  if (action.find("layer") != std::string::npos) return about_layers(daemon, request, fd);
  const auto container = request.at("container").get<std::string>();
  if (action == "remove") return done(containers_.remove(daemon, container));
  if (action == "set_memory")
    return done(containers_.set_memory(daemon, container, request.at("bytes").get<std::uint64_t>()));
  if (action == "state") {
    const auto state = containers_.state(daemon, container);
    return state ? Result<Outcome>(Outcome{*state, Fd()}) : Result<Outcome>(state.failure());
  }
  return bad_request();
}

Result<Desk::Outcome> Desk::about_layers(const Daemon& daemon, const json& request, const Fd& fd) {
  const auto action = request.at("do").get<std::string>();
  Result<void> done = bad_request();
  if (action == "layers") {
    const auto all = layers_.list(daemon);
    return all ? Result<Outcome>(Outcome{*all, Fd()}) : Result<Outcome>(all.failure());
  }
  if (action == "make_layer")
    done = layers_.make(daemon, request.at("image").get<std::string>(), request.at("layer").get<Layer>(), fd);
  if (action == "remove_layer") done = layers_.remove(daemon, request.at("layer").get<std::string>());
  return done ? Result<Outcome>(Outcome()) : Result<Outcome>(done.failure());
}

Result<void> Desk::pull_image(const Daemon& daemon, std::uint64_t id, const std::string& reference,
                              const std::stop_token& stop) {
  if (config_.pull == "never")
    return Failure{Reason::image, "The image " + text::quoted(reference) +
                                      " is not pulled because "
                                      "SANDBOX_PULL=never; load it by hand or allow pulling."};
  const auto tell = [&](const std::string& words) { reply({{"id", id}, {"progress", words}}); };
  const auto login = registry_login(config_.registry_auth, registry_of(reference));
  if (!login) return login.failure();
  return pull(daemon, reference, *login, tell, stop);
}

void Desk::reply(const json& message, int fd) {
  // A server that is gone needs no answer; the main loop sees the end of its socket.
  if (const auto sent = wire::send(control_.get(), dump(message), fd);
      !sent && sent.failure().reason == Reason::too_large && message.contains("id"))
    (void)wire::send(control_.get(), dump({{"id", message["id"]}, {"failure", sent.failure()}}));
}

void Desk::tidy(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  auto swept = std::chrono::steady_clock::time_point::min();
  auto next_images = swept;
  while (!stop.stop_requested()) {
    const auto now = std::chrono::steady_clock::now();
    const bool due = swept == std::chrono::steady_clock::time_point::min() || now - swept >= sweep_interval;
    if (due || containers_.owing())
      if (const auto daemon = finder_.find()) {
        if (due) containers_.sweep(**daemon);
        if (!containers_.retry(**daemon)) finder_.forget();
        if (now >= next_images) {
          preparer_.remove_old(**daemon);
          next_images = now + images_interval;
        }
      }
    if (due) swept = now;
    wake.wait_for(lock, stop, retry_interval, [] { return false; });
  }
}

void Desk::remove_all() {
  const auto ids = containers_.ids();
  if (ids.empty() && !config_.full_network) return;
  const auto daemon = finder_.find();
  if (!daemon) return log::error(daemon.failure().message);
  Workers removers(8);
  for (const auto& id : ids)
    removers.post([this, &daemon, id] {
      if (const auto removed = containers_.remove(**daemon, id); !removed)
        log::error(removed.failure().message);
    });
  removers.finish();
  containers_.remove_network(**daemon);
}

}  // namespace codebox::engine
