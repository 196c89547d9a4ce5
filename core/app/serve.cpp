#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <mutex>
#include <set>
#include <thread>

#include "app/commands.hpp"
#include "app/graph.hpp"
#include "app/network.hpp"
#include "app/plugins.hpp"
#include "app/pool_file.hpp"
#include "app/routes.hpp"
#include "app/server_user.hpp"
#include "app/state_lock.hpp"
#include "app/toolbox.hpp"
#include "base/text.hpp"
#include "openwebui/chat_events.hpp"
#include "openwebui/user_check.hpp"
#include "plugin/watch.hpp"

namespace codebox::app {
namespace {

// How long a server that was told to end may still hold STATE_DIR while the next one starts.
constexpr std::chrono::seconds restart_patience{10};

// Where callers' files are: Open WebUI, or this server's own store.
struct FileHolder {
  std::unique_ptr<openwebui::Files> open_webui;
  std::unique_ptr<store::LinkStore> store;
  std::unique_ptr<openwebui::UserCheck> check;
  std::unique_ptr<openwebui::ChatEvents> events;
  openwebui::Files& files() { return open_webui ? *open_webui : static_cast<openwebui::Files&>(*store); }
};

std::string own_url(const Settings& settings) {
  if (!settings.public_url.empty()) return settings.public_url;
  const bool any = settings.http.host == "0.0.0.0" || settings.http.host == "::";
  return (settings.http.tls_cert.empty() ? "http://" : "https://") +
         (any ? "localhost" : settings.http.host) + ':' + std::to_string(settings.http.port);
}

store::Options store_options(const Settings& settings) {
  store::Options options;
  options.state_dir = settings.state_dir;
  options.public_url = own_url(settings);
  options.time_to_live = settings.files_ttl;
  options.max_file = settings.run.max_file;
  return options;
}

Result<FileHolder> open_files(const Settings& settings, const Clock& clock) {
  FileHolder holder;
  if (settings.owui_base_url.empty()) {
    auto store = store::LinkStore::make(store_options(settings), clock);
    if (!store) return store.failure();
    holder.store = std::move(*store);
    return holder;
  }
  const openwebui::Options options{settings.owui_base_url,  settings.owui_verify_tls,
                                   settings.owui_ca_bundle, settings.owui_public_url,
                                   settings.run.max_file,   settings.run.embed_hosts};
  auto files = openwebui::make_files(options);
  if (!files) return files.failure();
  holder.open_webui = std::move(*files);
  if (settings.owui_status) {
    auto events = openwebui::make_chat_events(options);
    if (!events) return events.failure();
    holder.events = std::move(*events);
  }
  if (settings.owui_check_user) {
    auto check = openwebui::UserCheck::make(options, clock);
    if (!check) return check.failure();
    holder.check = std::move(*check);
  }
  return holder;
}

Result<void> ready(engine::Engine& engine) {
  auto info = engine.info();
  return info ? Result<void>() : Result<void>(info.failure());
}

sigset_t awaited_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  return set;
}

// Waits for SIGINT or SIGTERM, which every thread has blocked. SIGHUP asks for the plugins to be loaded anew,
// unless it says that the terminal is gone.
void wait_for_end(const std::function<void()>& reload) {
  const bool terminal = ::isatty(STDIN_FILENO) == 1;
  const sigset_t set = awaited_signals();
  int signal = 0;
  while (sigwait(&set, &signal) == 0 && signal == SIGHUP && (!terminal || ::isatty(STDIN_FILENO) == 1)) {
    log::info("loading the plugins anew on SIGHUP");
    reload();
  }
  log::info(std::string("stopping on SIG") + ::sigabbrev_np(signal));
}

void block_signals() {
  const sigset_t set = awaited_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

// A core could hold secrets. A limit of 0 still lets one go to a program that the system names; 1 stops that
// too.
void forbid_core_files() {
  const rlimit none{1, 1};
  ::setrlimit(RLIMIT_CORE, &none);
}

std::set<std::string> ids_of(const plugin::Registry& registry) {
  std::set<std::string> ids;
  for (const auto& language : registry.languages) ids.insert(language->id);
  return ids;
}

// The plugin folder changed, or somebody asks: has `toolbox` offer what is there now.
void reload(const Settings& settings, Graph& graph, Toolbox& toolbox, bool everything) {
  const auto before = toolbox.registry();
  auto registry = reload_plugins(settings, *before, everything);
  if (!registry) return log::warn("the plugins stay as they were: " + registry.failure().message);
  if (!*registry) return;
  toolbox.replace(*registry);
  graph.pool->offer(ids_of(**registry));
  for (const auto& language : (*registry)->languages) {
    const auto& old = before->languages;
    if (std::find(old.begin(), old.end(), language) != old.end()) continue;
    graph.images->prepare(run::image_of(settings.run, *language));
    graph.runner->expect(*language);
  }
  toolbox.describe_images();
}

// What the operator reads at the start: where we listen, what sandboxes run on, and what is doubtful.
void announce(const Settings& settings, Graph& graph, std::uint16_t port) {
  log::info("codebox " CODEBOX_VERSION " listens on " + settings.http.host + ':' + std::to_string(port));
  if (auto info = graph.engine->info(); info) {
    log::info("sandboxes run on " + info->name + ' ' + info->version + " at " + info->endpoint);
  } else {
    log::warn("no sandbox can run yet: " + info.failure().message);
  }
  std::vector<std::string> languages;
  for (const auto& language : graph.registry->languages) languages.push_back(language->id);
  for (const std::string& doubt : settings.doubts) log::warn(doubt);
  for (const std::string& doubt : language_doubts(settings, *graph.registry)) log::warn(doubt);
  for (const std::string& warning : network_warnings(settings, languages)) log::warn(warning);
}

// Has sandboxes wait for the languages that `toolbox` offers now.
void expect_calls(Graph& graph, Toolbox& toolbox) {
  toolbox.describe_images();
  const auto registry = toolbox.registry();
  graph.pool->offer(ids_of(*registry));
  for (const auto& language : registry->languages) graph.runner->expect(*language);
}

// Once a minute until `stop`: files whose time is over go, and sandboxes wait for what is offered.
void keep_house(const std::stop_token& stop, store::LinkStore* store, Graph& graph, Toolbox& toolbox) {
  expect_calls(graph, toolbox);
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any wake;
  while (!wake.wait_for(lock, stop, std::chrono::minutes(1), [&] { return stop.stop_requested(); })) {
    if (store) store->sweep();
    expect_calls(graph, toolbox);
  }
}

}  // namespace

int serve(const Settings& settings) {
  block_signals();
  forbid_core_files();
  auto keeper = become_server_user(settings);
  if (!keeper) return complain(keeper.failure());
  const SystemClock clock;
  auto bearer = auth::make_bearer(settings.auth, clock);
  if (!bearer) return complain(bearer.failure());
  auto name = instance_name(settings.state_dir);
  if (!name) return complain(name.failure());
  const auto lock = lock_state(settings.state_dir, restart_patience);
  if (!lock) return complain(lock.failure());
  auto files = open_files(settings, clock);
  if (!files) return complain(files.failure());
  auto graph =
      build_graph(settings, {*name, true, keeper->get()}, files->files(), &clock, files->events.get());
  if (!graph) return complain(graph.failure());

  const auto quota = quota::make_quota(settings.quota, clock);
  Toolbox toolbox((*graph)->registry, settings.run, *(*graph)->runner, *quota, files->files());
  const auto endpoint = mcp::make_endpoint(toolbox, CODEBOX_VERSION);
  const openapi::Endpoint openapi(toolbox, {CODEBOX_VERSION, settings.public_url});
  Routes::Parts parts{**bearer, *endpoint, openapi, files->store.get(), {}, {}, settings.allowed_origins};
  if (files->check) {
    parts.check_user = [&](const Caller& caller) { return files->check->check(caller); };
    parts.key_owner = [&](const std::string& key) { return files->check->owner(key); };
  }
  parts.ready = [&] { return ready(*(*graph)->engine); };
  Routes routes(std::move(parts));

  http::Options http = settings.http;
  http.threads = settings.quota.concurrent + 32;
  auto server = http::serve(http, routes);
  if (!server) return complain(server.failure());
  *settings.own_port = (*server)->port();
  announce(settings, **graph, (*server)->port());
  begin_proof(**graph, settings);
  const PoolFile pool_file(settings.state_dir, [&] {
    const auto& admission = *(*graph)->admission;
    return PoolReport{(*graph)->pool->state(), settings.pool_memory, admission.promised(),
                      admission.available()};
  });
  for (const auto& language : (*graph)->registry->languages) {
    (*graph)->images->prepare(run::image_of(settings.run, *language));
  }
  std::jthread housekeeping(
      [&](const std::stop_token& stop) { keep_house(stop, files->store.get(), **graph, toolbox); });
  plugin::Watch watch(settings.plugin_dir, [&](bool asked) { reload(settings, **graph, toolbox, asked); });
  wait_for_end([&] { watch.ask(); });
  (*server)->stop(std::chrono::seconds(5));
  return 0;
}

}  // namespace codebox::app
