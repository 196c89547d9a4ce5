#pragma once
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/fd.hpp"
#include "base/result.hpp"

namespace codebox::engine {

/// What one sandbox may use. Bytes, each of memory, disk and install at most 1 TiB, unless a comment says
/// otherwise. Plain value.
struct Limits {
  std::uint64_t memory = 500ULL << 20;  ///< of the program (SANDBOX_MAX_MEMORY); no swap on top
  std::uint64_t disk = 256ULL << 20;    ///< of all writable places but /packages together (SANDBOX_MAX_DISK)
  std::uint64_t install = 1ULL << 30;   ///< of /packages (SANDBOX_MAX_INSTALL)
  double cpus = 1;                      ///< cores, 0.05 to 1024 (SANDBOX_MAX_CPUS)
  std::int64_t pids = 512;              ///< processes and threads, 16 to 1000000 (SANDBOX_MAX_PIDS)
};

/// What a caller may decide about a sandbox. Everything else of the host configuration is built by the
/// launcher. Plain value.
struct CreateSpec {
  std::string image;     ///< reference as configured, for example "codebox/sandbox-python:latest"
  std::string language;  ///< plugin id; becomes a label
  std::string runtime;   ///< OCI runtime of the engine (SANDBOX_RUNTIME), or empty for its default
  Limits limits;
  /// Empty: no interface but loopback. "full": on the instance's own bridge, where the operator allowed that.
  std::string network = {};
  std::string layer{};  ///< key of a package layer of ours on that image, or empty for an empty /packages
};

/// Packages that were installed once, as an image on top of a prepared one. Plain value.
struct Layer {
  std::string key;           ///< 64 hexadecimal digits, which the server chose
  std::int64_t created = 0;  ///< seconds of the epoch
  std::uint64_t size = 0;    ///< bytes of its files
};

/// An image as the engine knows it. Plain value.
struct ImageInfo {
  std::string id;                ///< content id ("sha256:..."), the key of caches
  std::vector<std::string> env;  ///< "NAME=value" as baked into the image
  std::string architecture;      ///< as the engine names it, for example "amd64"
  std::string packages{};        ///< its label "codebox.packages": what its maker says is in it; one line
};

/// A started sandbox. `stream` is the attached stdin and stdout of its agent: bytes written to it arrive at
/// the agent as they are; what is read starts with `early` and, where `multiplexed`, carries the engine's
/// 8-byte frame headers (Docker Engine API, "Attach to a container", stream format). Movable, one owner.
struct Container {
  std::string id;
  Fd stream;
  std::string early;
  bool multiplexed = true;
};

/// What the engine says of itself and of its machine. Plain value.
struct EngineInfo {
  std::string name;  ///< "docker" or "podman"
  std::string version;
  std::string endpoint;      ///< for example "unix:///run/docker.sock"
  std::string cgroups;       ///< "v1" or "v2"
  std::uint64_t memory = 0;  ///< bytes of its machine; 0: not told
  int cpus = 0;              ///< cores of its machine; 0: not told
  bool rootless = false;
};

/// How a container of ours is. Plain value.
struct ContainerState {
  bool running = false;
  bool out_of_memory = false;  ///< the kernel's out-of-memory killer ended something in it
  int exit_code = 0;
};

/// Starts and removes sandboxes. The seam between the server and whatever runs containers; the real one is a
/// client of the launcher process. Any thread, concurrently; calls block, most for some hundred milliseconds.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual Result<EngineInfo> info() = 0;
  /// The image as it lies on the engine; Reason::not_found when it is not there.
  virtual Result<ImageInfo> image(const std::string& reference) = 0;
  /// Pulls an image; `progress` gets short lines ("3 of 7 layers, 45 MiB"). Reason::image with one of the
  /// sentences for not found, denied, too many requests, unreachable.
  virtual Result<void> pull(const std::string& reference, const std::function<void(std::string)>& progress,
                            std::stop_token cancel) = 0;
  /// Starts a sandbox from `spec`, without any network but what spec.network asks for. The agent in it runs
  /// when this returns.
  virtual Result<Container> start(const CreateSpec& spec, std::stop_token cancel) = 0;
  /// Sets the sandbox's memory limit in bytes (and memory+swap to the same).
  virtual Result<void> set_memory(const std::string& id, std::uint64_t bytes) = 0;
  /// Reason::gone where it is removed already.
  virtual Result<ContainerState> state(const std::string& id) = 0;
  /// The package layers of this instance; an engine that cannot commit has none.
  virtual Result<std::vector<Layer>> layers() { return std::vector<Layer>(); }
  /// Makes a layer of the files in `archive` (a tar whose names are relative to /packages) for `image`.
  virtual Result<void> make_layer(const std::string& image, const Layer& layer, Fd archive) {
    (void)image, (void)layer, (void)archive;
    return Failure{Reason::engine, "This container engine cannot keep package layers."};
  }
  /// One that is not there is a success.
  virtual Result<void> remove_layer(const std::string& key) {
    (void)key;
    return {};
  }
  /// Ends and removes a sandbox of ours with its volumes. One that is already gone is a success.
  virtual Result<void> remove(const std::string& id) = 0;
};

/// The container's memory limit: the program's, its disk (tmpfs pages count as memory), a reserve for the
/// agent (64 MiB) and, while a call installs, the install allowance. Bytes. Pure; any thread.
std::uint64_t memory_limit(const Limits& limits, bool installing);

/// Whether a running sandbox's memory limit can be set. Under gVisor it cannot, so that its sandboxes have
/// the install allowance from their start.
bool adjustable(const std::string& runtime);

}  // namespace codebox::engine
