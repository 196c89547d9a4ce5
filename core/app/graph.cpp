#include "app/graph.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "app/network.hpp"
#include "app/plugins.hpp"
#include "base/fd.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "egress/rules.hpp"
#include "engine/client.hpp"
#include "proof/prove.hpp"

namespace codebox::app {
namespace {

constexpr std::size_t largest_bundle = 8 << 20;
constexpr std::chrono::seconds longest_proof{60};

std::filesystem::path agent_file() {
  const auto folder = own_program().parent_path();
  const auto beside = folder / "codebox-agent";
  std::error_code ignored;
  return std::filesystem::exists(beside, ignored) ? beside
                                                  : folder.parent_path() / "lib/codebox/codebox-agent";
}

// What this host says it can give without swapping, as the kernel estimates it.
std::uint64_t available_memory() {
  std::ifstream in("/proc/meminfo");
  std::string name;
  std::uint64_t kib = 0;
  for (std::string rest; in >> name >> kib; std::getline(in, rest)) {
    if (name == "MemAvailable:") return kib * 1024;
  }
  return 0;
}

// The limits are tried in sandboxes that start as the engine starts them, past any that wait already.
void prove(Graph& graph, const Settings& settings) {
  graph.tried = sandbox::cold_sandboxes(*graph.admission);
  const auto try_them = [&graph](const std::string& image, const std::string& runtime,
                                 std::stop_token cancel) {
    const Time deadline = std::chrono::steady_clock::now() + longest_proof;
    return proof::prove(*graph.tried, image, runtime, deadline, std::move(cancel));
  };
  graph.proven = std::make_unique<proof::ProvenSandboxes>(*graph.sandboxes, settings.proof, try_them);
}

}  // namespace

std::filesystem::path own_program() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored);
}

Result<std::string> read_file(const std::string& setting, const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream content;
  if (!in || !(content << in.rdbuf())) {
    return Failure{Reason::invalid, setting + " names " + text::quoted(path) + ", which cannot be read."};
  }
  if (content.str().size() > largest_bundle) {
    return Failure{Reason::invalid,
                   setting + " names " + text::quoted(path) + ", which is larger than 8 MiB."};
  }
  return content.str();
}

Result<std::string> instance_name(const std::filesystem::path& state_dir) {
  const auto cannot_write = [&](const std::string& why) {
    return Failure{Reason::invalid, "STATE_DIR " + text::quoted(state_dir.string()) + " cannot be written (" +
                                        why + "): name a folder that the server may write to."};
  };
  std::error_code failed;
  std::filesystem::create_directories(state_dir, failed);
  if (failed) return cannot_write(failed.message());
  const auto path = state_dir / "instance";
  const Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  std::array<char, 64> held{};
  const ssize_t got = fd ? ::read(fd.get(), held.data(), held.size()) : -1;
  if (got < 0) return cannot_write(std::strerror(errno));
  const std::string known(text::trim({held.data(), static_cast<std::size_t>(got)}));
  if (!known.empty()) return known;
  const std::string name = random_hex(8);
  if (::write(fd.get(), name.data(), name.size()) != static_cast<ssize_t>(name.size())) {
    return cannot_write(std::strerror(errno));
  }
  return name;
}

Result<std::unique_ptr<engine::Engine>> start_engine(const Settings& settings, const Instance& instance) {
  engine::LauncherOptions launcher;
  launcher.program = own_program();
  launcher.endpoint = settings.container_host;
  launcher.backend = settings.container_backend;
  launcher.instance = instance.name;
  launcher.sweep = instance.sweep;
  launcher.keeper = instance.keeper;
  launcher.agent_file = agent_file();
  launcher.full_network = uses(settings, run::Network::full);
  launcher.tls = {settings.container_tls_ca, settings.container_tls_cert, settings.container_tls_key};
  launcher.registry_auth = settings.registry_auth;
  launcher.podman_dir = std::filesystem::absolute(settings.state_dir / "podman");
  launcher.pull = settings.run.pull == run::Pull::never ? "never" : "missing";
  if (!settings.ca_bundle.empty()) {
    auto bundle = read_file("SANDBOX_CA_BUNDLE", settings.ca_bundle);
    if (!bundle) return bundle.failure();
    launcher.ca_bundle = std::move(*bundle);
  }
  return engine::launch(launcher);
}

Result<std::unique_ptr<Graph>> build_graph(const Settings& settings, const Instance& instance,
                                           openwebui::Files& files, const Clock* clock,
                                           openwebui::ChatEvents* events) {
  // Else each connection of each call would say it, and nothing the start.
  if (const auto ruling = egress::Ruling::read(settings.run.rules); !ruling) return ruling.failure();
  auto graph = std::make_unique<Graph>();
  auto registry = instance.plugins ? Result<std::shared_ptr<const plugin::Registry>>(instance.plugins)
                                   : load_plugins(settings);
  if (!registry) return registry.failure();
  graph->registry = *registry;

  auto engine = start_engine(settings, instance);
  if (!engine) return engine.failure();
  graph->engine = std::move(*engine);
  graph->admission = std::make_unique<sandbox::Admission>(*graph->engine, settings.max_total_memory);
  graph->images = std::make_unique<run::Images>(*graph->engine, settings.run.pull);
  graph->sandboxes = sandbox::cold_sandboxes(*graph->admission);
  if (clock != nullptr) {
    sandbox::PoolOptions pool;
    pool.floor = settings.pool_size;
    pool.floors = settings.pool_sizes;
    pool.always = {settings.languages.empty() ? "python" : settings.languages.front()};
    // One that waits is promised about five times what it holds; where that is short it gives way to callers.
    pool.available = [&admission = *graph->admission] {
      return std::min(available_memory(), admission.available() / 5);
    };
    pool.memory = settings.pool_memory;
    auto warm = std::make_unique<sandbox::WarmPool>(std::move(graph->sandboxes), std::move(pool), *clock);
    graph->pool = warm.get();
    graph->sandboxes = std::move(warm);
    graph->admission->set_give_way(
        [&pool = *graph->pool](std::uint64_t bytes) { return pool.give_way(bytes); });
  }
  if (instance.sweep) prove(*graph, settings);
  sandbox::Sandboxes& front = graph->proven ? *graph->proven : *graph->sandboxes;
  if (clock != nullptr && settings.run.layers.on) {
    graph->layers =
        std::make_unique<run::PackageLayers>(settings.run, *graph->engine, front, *clock, settings.state_dir);
  }
  graph->runner =
      std::make_unique<run::Runner>(settings.run, *graph->images, front, files, graph->layers.get(), events);
  return graph;
}

void begin_proof(Graph& graph, const Settings& settings) {
  for (const auto& language : graph.registry->languages) {
    const std::string& image = run::image_of(settings.run, *language);
    if (graph.engine->image(image)) return graph.proven->begin(image, settings.run.runtime);
  }
}

}  // namespace codebox::app
