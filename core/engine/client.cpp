#include "engine/client.hpp"

#include <mutex>
#include <nlohmann/json.hpp>

#include "base/random.hpp"
#include "engine/keeper.hpp"
#include "engine/link.hpp"
#include "engine/protocol.hpp"

namespace codebox::engine {
namespace {

using nlohmann::json;

LauncherConfig config_of(const LauncherOptions& options) {
  LauncherConfig config;
  config.endpoint = options.endpoint;
  config.backend = options.backend;
  // A launcher removes older containers of its instance; one that must not gets an instance that has none.
  config.instance = options.sweep ? options.instance : options.instance + '.' + random_hex(6);
  config.agent_file = options.agent_file;
  config.ca_bundle = options.ca_bundle;
  config.pull = options.pull;
  config.full_network = options.full_network;
  config.registry_auth = options.registry_auth;
  config.podman_dir = options.podman_dir;
  config.tls = options.tls;
  return config;
}

/// The Engine of the server: asks the launcher and replaces one that ended. Owned by the application; any
/// thread.
class Client : public Engine {
 public:
  Client(std::string program, const LauncherConfig& config, int keeper)
      : program_(std::move(program)), config_(dump(config)), keeper_(keeper) {}

  Result<void> connect() {
    const auto link = current();
    return link ? Result<void>() : link.failure();
  }

  Result<EngineInfo> info() override { return value<EngineInfo>(ask({{"do", "info"}})); }

  Result<ImageInfo> image(const std::string& reference) override {
    return value<ImageInfo>(ask({{"do", "image"}, {"image", reference}}));
  }

  Result<void> pull(const std::string& reference, const std::function<void(std::string)>& progress,
                    std::stop_token cancel) override {
    return nothing(ask({{"do", "pull"}, {"image", reference}}, progress, cancel));
  }

  Result<Container> start(const CreateSpec& spec, std::stop_token cancel) override {
    auto reply = ask({{"do", "start"}, {"spec", spec}}, {}, cancel);
    auto container = value<Container>(reply);
    if (!container) return container;
    container->stream = std::move(reply->fd);
    if (!container->stream)
      return Failure{Reason::internal, "The launcher sent a sandbox without its stream."};
    return container;
  }

  Result<void> set_memory(const std::string& id, std::uint64_t bytes) override {
    return nothing(ask({{"do", "set_memory"}, {"container", id}, {"bytes", bytes}}));
  }

  Result<ContainerState> state(const std::string& id) override {
    return value<ContainerState>(ask({{"do", "state"}, {"container", id}}));
  }

  Result<std::vector<Layer>> layers() override { return value<std::vector<Layer>>(ask({{"do", "layers"}})); }

  Result<void> make_layer(const std::string& image, const Layer& layer, Fd archive) override {
    return nothing(ask({{"do", "make_layer"}, {"image", image}, {"layer", layer}}, {}, {}, archive.get()));
  }

  Result<void> remove_layer(const std::string& key) override {
    return nothing(ask({{"do", "remove_layer"}, {"layer", key}}));
  }

  Result<void> remove(const std::string& id) override {
    return nothing(ask({{"do", "remove"}, {"container", id}}));
  }

 private:
  Result<std::shared_ptr<Link>> current() {
    const std::lock_guard lock(mutex_);
    if (link_ && link_->alive()) return link_;
    auto spawned = keeper_ < 0 ? spawn_launcher(program_, config_) : spawn_by_keeper(keeper_, config_);
    if (!spawned) return spawned.failure();
    link_ = std::make_shared<Link>(std::move(*spawned));
    return link_;
  }

  Result<Link::Reply> ask(json request, const std::function<void(std::string)>& progress = {},
                          const std::stop_token& stop = {}, int fd = -1) {
    const auto link = current();
    if (!link) return link.failure();
    return (*link)->ask(std::move(request), progress, stop, fd);
  }

  template <class T>
  static Result<T> value(const Result<Link::Reply>& reply) {
    if (!reply) return reply.failure();
    try {
      T out;
      json::parse(reply->text).get_to(out);
      return out;
    } catch (const std::exception&) {
      return Failure{Reason::internal,
                     "The launcher's answer cannot be read; server and launcher must be of one "
                     "build."};
    }
  }

  static Result<void> nothing(const Result<Link::Reply>& reply) {
    return reply ? Result<void>() : reply.failure();
  }

  const std::string program_;
  const std::string config_;
  const int keeper_;
  std::mutex mutex_;
  std::shared_ptr<Link> link_;
};

}  // namespace

Result<std::unique_ptr<Engine>> launch(const LauncherOptions& options) {
  auto client = std::make_unique<Client>(options.program, config_of(options), options.keeper);
  if (auto connected = client->connect(); !connected) return connected.failure();
  return std::unique_ptr<Engine>(std::move(client));
}

}  // namespace codebox::engine
