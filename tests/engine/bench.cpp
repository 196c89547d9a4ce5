#include "bench.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "engine/filters.hpp"
#include "engine/tar.hpp"

namespace bench {
namespace {

using nlohmann::json;

std::string socket_path() {
  const char* const set = std::getenv("CONTAINER_HOST");
  std::string path = set ? set : "/var/run/docker.sock";
  if (path.starts_with("unix://")) path.erase(0, 7);
  return path;
}

/// The ids of all images that were imported, to be removed at the end.
std::vector<std::string>& imported() {
  static std::vector<std::string> ids;
  return ids;
}

void remove_image(const Api& api, const std::string& id) {
  const auto query = filters({{"label", "codebox.base=" + id}});
  const auto prepared = api.call("GET", "/v1.41/images/json?filters=" + query);
  if (prepared && prepared->ok())
    for (const auto& image : json::parse(prepared->body))
      (void)api.call("DELETE", "/v1.41/images/" + image.at("Id").get<std::string>() + "?force=1");
  (void)api.call("DELETE", "/v1.41/images/" + id + "?force=1");
}

class Cleaner : public Catch::EventListenerBase {
 public:
  using EventListenerBase::EventListenerBase;
  void testRunEnded(const Catch::TestRunStats&) override {
    for (const auto& id : imported()) remove_image(Api(socket_path()), id);
  }
};
CATCH_REGISTER_LISTENER(Cleaner)

std::string import_image(const std::string& tag, const std::string& changes = "") {
  std::ifstream file(ECHO, std::ios::binary);
  const std::string program((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto archive = tar({{"echo", program, 0755}});
  const Api api(endpoint());
  const std::string target = "/v1.41/images/create?fromSrc=-" + changes;
  const auto made = api.call("POST", target, archive, "application/x-tar");
  REQUIRE(made.ok());
  REQUIRE(made->ok());
  auto id = json::parse(made->body).at("status").get<std::string>();
  if (!id.starts_with("sha256:")) id.insert(0, "sha256:");
  imported().push_back(id);
  const auto tagged = api.call("POST", "/v1.41/images/" + id + "/tag?repo=codebox/test-echo&tag=" + tag);
  REQUIRE(tagged.ok());
  REQUIRE(tagged->ok());
  return "codebox/test-echo:" + tag;
}

/// One piece of the stream without the engine's frame header.
std::string read_frame(int fd) {
  const auto exactly = [fd](std::size_t size) {
    std::string out;
    while (out.size() < size) {
      pollfd waiting{fd, POLLIN, 0};
      REQUIRE(::poll(&waiting, 1, 30'000) == 1);
      std::array<char, 4096> piece{};
      const auto got = ::read(fd, piece.data(), std::min(piece.size(), size - out.size()));
      REQUIRE(got > 0);
      out.append(piece.data(), static_cast<std::size_t>(got));
    }
    return out;
  };
  const auto head = exactly(8);
  std::size_t size = 0;
  for (std::size_t i = 4; i < 8; ++i) size = size << 8 | static_cast<unsigned char>(head[i]);
  return exactly(size);
}

}  // namespace

std::string endpoint() {
  const auto path = socket_path();
  const auto answer = Api(path).call("GET", "/_ping");
  if (!answer) SKIP("skipped: " + answer.failure().message);
  return path;
}

std::string image() {
  static const std::string reference = import_image("1");
  return reference;
}

std::string changed_image(const std::string& changes) { return import_image("changed", changes); }

std::string fresh_instance() {
  // By the name of its run scripts/test finds what was left.
  const char* const run = std::getenv("CODEBOX_TEST_RUN");
  std::random_device device;
  return (run != nullptr ? run : "test") + ('-' + std::to_string(device())) + '-' +
         std::to_string(::getpid());
}

LauncherOptions options(const std::string& instance) {
  LauncherOptions options;
  options.program = LAUNCHER;
  options.endpoint = "unix://" + endpoint();
  options.instance = instance;
  options.agent_file = ECHO;
  return options;
}

std::unique_ptr<Engine> engine(const LauncherOptions& options) {
  auto launched = launch(options);
  REQUIRE(launched.ok());
  return std::move(*launched);
}

CreateSpec spec() {
  CreateSpec spec;
  spec.image = image();
  spec.language = "echo";
  spec.limits = {64ULL << 20, 16ULL << 20, 16ULL << 20, 1, 32};
  return spec;
}

std::string talk(Container& container, const std::string& line, const std::string& end) {
  const std::string sent = line + "\n";
  REQUIRE(::write(container.stream.get(), sent.data(), sent.size()) == static_cast<ssize_t>(sent.size()));
  std::string got;
  const std::string tail = end + "\n";
  while (!got.ends_with(tail)) got += read_frame(container.stream.get());
  return got;
}

json inspect(const std::string& id) {
  const auto answer = Api(endpoint()).call("GET", "/v1.41/containers/" + id + "/json");
  REQUIRE(answer.ok());
  REQUIRE(answer->status == 200);
  return json::parse(answer->body);
}

bool exists(const std::string& id) {
  const auto answer = Api(endpoint()).call("GET", "/v1.41/containers/" + id + "/json");
  REQUIRE(answer.ok());
  return answer->status == 200;
}

bool eventually(const std::function<bool()>& condition, std::chrono::seconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return true;
}

int launcher_pid() {
  int newest = -1;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream children(task.path() / "children");
    for (int pid = 0; children >> pid;) newest = std::max(newest, pid);
  }
  REQUIRE(newest > 0);
  return newest;
}

}  // namespace bench
