#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "bench.hpp"

using namespace bench;
using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

namespace {

/// A running sandbox that is removed at the end of its test.
class Running {
 public:
  explicit Running(const CreateSpec& wanted = spec()) : engine(bench::engine(options(fresh_instance()))) {
    auto started = engine->start(wanted, {});
    INFO((started ? "" : started.failure().message));
    REQUIRE(started.ok());
    container = std::move(*started);
  }
  ~Running() {
    container.stream.reset();
    (void)engine->remove(container.id);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  std::string file(const std::string& path) { return talk(container, "cat " + path, "."); }

  std::unique_ptr<Engine> engine;
  Container container;
};

}  // namespace

TEST_CASE("a sandbox has no network interface but lo") {
  Running running;
  std::vector<std::string> names;
  for (const auto& line : codebox::text::split(running.file("/proc/net/dev"), '\n'))
    if (const auto colon = line.find(':'); colon != std::string::npos)
      names.emplace_back(codebox::text::trim(std::string_view(line).substr(0, colon)));
  CHECK(names == std::vector<std::string>{"lo"});
}

TEST_CASE("the agent holds SETUID and SETGID alone and gains nothing") {
  Running running;
  const auto status = running.file("/proc/self/status");
  CHECK_THAT(status, ContainsSubstring("CapPrm:\t00000000000000c0"));
  CHECK_THAT(status, ContainsSubstring("CapEff:\t00000000000000c0"));
  CHECK_THAT(status, ContainsSubstring("CapBnd:\t00000000000000c0"));
  CHECK_THAT(status, ContainsSubstring("NoNewPrivs:\t1"));
  CHECK_THAT(status, ContainsSubstring("Seccomp:\t2"));
  // Podman tells what ALL comes to.
  if (running.engine->info()->name == "podman") return;
  const auto host = inspect(running.container.id)["HostConfig"];
  CHECK(host["CapDrop"] == json::array({"ALL"}));
  CHECK(host["CapAdd"].size() == 2);
}

TEST_CASE("only the writable places can be written") {
  Running running;
  CHECK(talk(running.container, "touch /file") == "failed\n");
  CHECK(talk(running.container, "touch /.codebox/file") == "failed\n");
  for (const char* const folder : {"/sandbox", "/tmp", "/packages", "/dev/shm"}) {
    INFO(folder);
    CHECK(talk(running.container, std::string("touch ") + folder + "/file") == "done\n");
  }
  const auto mounts = running.file("/proc/mounts");
  for (const auto& line : codebox::text::split(mounts, '\n'))
    if (line.find(" /sandbox ") != std::string::npos) {
      CHECK_THAT(line,
                 ContainsSubstring("nosuid") && ContainsSubstring("nodev") && !ContainsSubstring("noexec"));
      CHECK_THAT(line, ContainsSubstring("size=10240k"));
    }
  CHECK_THAT(mounts, ContainsSubstring(" /sandbox tmpfs "));
}

TEST_CASE("the memory limit is what the spec asks for and can be set") {
  Running running;
  const bool unified = running.engine->info()->cgroups == "v2";
  const std::string file =
      unified ? "/sys/fs/cgroup/memory.max" : "/sys/fs/cgroup/memory/memory.limit_in_bytes";
  const auto limit = [&] { return std::stoull(running.file(file)); };
  CHECK(limit() == memory_limit(spec().limits, false));
  const auto more = memory_limit(spec().limits, true);
  const auto set = running.engine->set_memory(running.container.id, more);
  INFO((set ? "" : set.failure().message));
  REQUIRE(set.ok());
  CHECK(limit() == more);
  CHECK(running.engine->set_memory(running.container.id, 1).failure().reason == codebox::Reason::invalid);
}

TEST_CASE("a program over the memory limit is killed, and the sandbox lives on") {
  Running running;
  CHECK(talk(running.container, "eat 400") == "killed\n");
  CHECK(talk(running.container, "still here") == "still here\n");
  const auto state = [&] { return running.engine->state(running.container.id).value(); };
  CHECK(state().running);
  if (running.engine->info()->name == "docker") CHECK(eventually([&] { return state().out_of_memory; }));
}

TEST_CASE("what an image declares changes nothing, and its volumes are small and leave nothing behind") {
  const auto volumes = [] {
    const auto answer = Api(endpoint()).call("GET", "/v1.41/volumes");
    return json::parse(answer->body)["Volumes"].size();
  };
  const auto before = volumes();
  auto wanted = spec();
  wanted.image = changed_image(
      "&changes=VOLUME%20/data&changes=USER%201000"
      "&changes=WORKDIR%20/nowhere&changes=CMD%20%5B%22/none%22%5D");
  {
    Running running(wanted);
    CHECK(talk(running.container, "touch /data/file") == "done\n");
    const auto mounts = running.file("/proc/mounts");
    CHECK_THAT(mounts, ContainsSubstring(" /data tmpfs "));
    CHECK_THAT(running.file("/proc/self/status"), ContainsSubstring("Uid:\t0\t0\t0\t0"));
  }
  CHECK(eventually([&] { return volumes() <= before; }));
}
