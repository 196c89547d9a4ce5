#pragma once
#include <memory>
#include <string>

#include "base/result.hpp"
#include "engine/engine.hpp"
#include "engine/tls.hpp"

namespace codebox::engine {

/// What a launcher is made of, from the operator's settings. Plain value.
struct LauncherOptions {
  std::string program;           ///< the codebox executable, run as `PROGRAM launcher ...`
  std::string endpoint;          ///< CONTAINER_HOST, or empty for the usual places
  std::string backend = "auto";  ///< "auto", "docker" or "podman"
  std::string instance;          ///< whose containers these are; becomes the label codebox.instance
  /// Whether `instance` belongs to this process alone, so that older containers of it are leftovers to be
  /// removed at the start and every minute. A one-shot run beside a server says false and gets a label of its
  /// own.
  bool sweep = true;
  std::string agent_file;     ///< the static agent's program
  std::string ca_bundle;      ///< PEM text for prepared images, or empty
  bool full_network = false;  ///< some language has SANDBOX_NETWORK=full; otherwise no sandbox gets a network
  int keeper = -1;            ///< the line of split_from_root, through which launchers start; -1: from here
  std::string pull = "missing";  ///< SANDBOX_PULL; "never" makes pull() refuse
  std::string registry_auth;     ///< SANDBOX_REGISTRY_AUTH: a file of logins, or empty for the usual places
  std::string podman_dir;        ///< where Podman's own service keeps its files; empty: none is started
  TlsFiles tls;                  ///< for an endpoint tcp://
};

/// Starts the launcher and gives the engine that it serves. The engine itself need not answer yet. A launcher
/// that ends is replaced at the next request, which also removes what it left behind; destroying the engine
/// ends it, and with it every container that is left.
Result<std::unique_ptr<Engine>> launch(const LauncherOptions& options);

}  // namespace codebox::engine
