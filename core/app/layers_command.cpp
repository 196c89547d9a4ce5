#include <algorithm>
#include <cstdio>
#include <ctime>

#include "app/commands.hpp"
#include "app/graph.hpp"
#include "base/text.hpp"

namespace codebox::app {
namespace {

// The engine through a launcher that leaves a running server's sandboxes alone.
Result<std::unique_ptr<engine::Engine>> beside_the_server(const Settings& settings) {
  auto name = instance_name(settings.state_dir);
  if (!name) return name.failure();
  return start_engine(settings, {*name, false});
}

}  // namespace

int layers_list(const Settings& settings) {
  auto engine = beside_the_server(settings);
  if (!engine) return complain(engine.failure());
  auto layers = (*engine)->layers();
  if (!layers) return complain(layers.failure());
  std::sort(layers->begin(), layers->end(),
            [](const auto& a, const auto& b) { return a.created < b.created; });
  for (const engine::Layer& layer : *layers) {
    const std::time_t created = layer.created;
    std::tm parts{};
    char date[32] = "";
    if (::gmtime_r(&created, &parts)) std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts);
    std::printf("%s  %s  %s\n", layer.key.c_str(), date, text::size(layer.size).c_str());
  }
  return 0;
}

int layers_prune(const Settings& settings) {
  auto engine = beside_the_server(settings);
  if (!engine) return complain(engine.failure());
  auto layers = (*engine)->layers();
  if (!layers) return complain(layers.failure());
  int status = 0;
  std::size_t removed = 0;
  std::uint64_t bytes = 0;
  for (const engine::Layer& layer : *layers) {
    if (auto gone = (*engine)->remove_layer(layer.key); !gone) {
      status = complain(gone.failure());
    } else {
      ++removed;
      bytes += layer.size;
    }
  }
  std::printf("removed %zu package layers, %s\n", removed, text::size(bytes).c_str());
  return status;
}

}  // namespace codebox::app
