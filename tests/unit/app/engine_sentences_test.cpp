#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <thread>

#include "doctor.hpp"
#include "egress/rules.hpp"
#include "engine/check.hpp"
#include "engine/endpoint.hpp"
#include "engine/pull.hpp"
#include "run/images.hpp"
#include "run/install_advice.hpp"
#include "sentences.hpp"
#include "support/fake_engine.hpp"
#include "support/fake_engine_images.hpp"

using namespace codebox;
using namespace codebox::app;
using namespace codebox::app::test;

namespace {

const std::string image = "codebox/sandbox-python:latest";

std::string connecting(const std::string& path, int error) {
  return engine::endpoint::connect_failure(path, error).message;
}

std::string engine_says(const std::string& topic, engine::EngineInfo info) {
  codebox::test::FakeEngine engine;
  describe(engine, std::move(info));
  doctor::Report report;
  doctor::look_at_engine(report, engine);
  return line(report, topic).text;
}

std::string memory_says(std::uint64_t memory) {
  codebox::test::FakeEngine engine;
  describe(engine, engine::EngineInfo{"docker", "1", "x", "v2", memory, 4, false});
  doctor::Report report;
  doctor::look_at_limits(report, engine, Settings());
  return line(report, "limits").text;
}

std::string image_says(Result<engine::ImageInfo> there, run::Pull pull) {
  codebox::test::FakeEngine engine;
  engine.on_image = [&](const std::string&) { return there; };
  plugin::LanguageSpec spec;
  spec.id = "python";
  spec.image = image;
  Settings settings;
  settings.run.pull = pull;
  doctor::Report report;
  doctor::look_at_images(report, engine, settings, {std::make_shared<const plugin::LanguageSpec>(spec)});
  return line(report, "image").text;
}

std::string pulling(const std::string& words) {
  return engine::pull_failure(image, words).message;
}

// What a call is told of an image that is not there, while it is pulled or after that failed.
std::string call_is_told(run::Pull pull, bool wait) {
  testing::ImagesOnlyEngine engine;
  engine.present = false;
  engine.on_pull = [&](std::stop_token stop) {
    while (!wait && !stop.stop_requested()) std::this_thread::yield();
    return Result<void>(engine::pull_failure(image, "no such host"));
  };
  run::Images images(engine, pull);
  if (wait) {
    images.prepare(image);
    images.wait();
  }
  return sentence(images.ready(image));
}

std::string advice(const std::string& words) {
  plugin::LanguageSpec spec;
  spec.id = "python";
  return run::install_advice(words, spec);
}

egress::Ruling ruling(std::vector<std::string> hosts) {
  auto read = egress::Ruling::read({std::move(hosts), ""});
  REQUIRE(read);
  return *read;
}

}  // namespace

TEST_CASE("each trouble with the engine gets the sentence of the documentation") {
  const Folder folder;
  const std::string path = folder.path() / "engine.sock";
  std::ofstream(path) << "x";
  ::chmod(path.c_str(), 0660);
  const std::string of_root = connecting("/proc/self/status", EACCES);
  const bool other_group = ::getuid() == 0 && ::chown(path.c_str(), 0, 12345) == 0;
  if (!other_group) SKIP("skipped: only root can give a file to another group");
  const std::string grouped = connecting(path, EACCES);
  ::chmod(path.c_str(), 0666);
  compare("The engine and its socket",
          {
              {"no socket is there", connecting("/run/docker.sock", ENOENT)},
              {"nothing listens on the socket", connecting("/run/docker.sock", ECONNREFUSED)},
              {"the socket belongs to another group", grouped},
              {"the socket belongs to root's group", of_root},
              {"the socket's folder is closed", connecting("/nonexistent/docker.sock", EACCES)},
              {"the socket cannot be used otherwise", connecting("/run/docker.sock", ETIMEDOUT)},
              {"everybody may use the socket",
               engine_says("socket", {"docker", "1", "unix://" + path, "v2", 0, 1, false})},
              {"a rootless engine with cgroups v1",
               engine_says("cgroups", {"podman", "4", "x", "v1", 0, 1, true})},
              {"the engine says nothing of cgroups",
               engine_says("cgroups", {"podman", "4", "x", "", 0, 1, false})},
              {"one sandbox is too large for the machine", memory_says(1ULL << 30)},
              {"all sandboxes together are", memory_says(8ULL << 30)},
          });
}

TEST_CASE("each trouble with an image gets the sentence of the documentation") {
  const Failure missing{Reason::not_found, ""};
  compare("Images",
          {
              {"the registry does not have it", pulling("manifest unknown: not found")},
              {"the registry denies access", pulling("pull access denied for codebox/sandbox-python")},
              {"the registry allows no more requests",
               pulling("toomanyrequests: You have reached your pull rate limit")},
              {"the registry cannot be reached", pulling("dial tcp: lookup registry.example: no such host")},
              {"pulling failed otherwise", pulling("unexpected end of the archive")},
              {"a call, while it is being pulled", call_is_told(run::Pull::missing, false)},
              {"a call, after pulling failed", call_is_told(run::Pull::missing, true)},
              {"a call, and SANDBOX_PULL is never", call_is_told(run::Pull::never, false)},
              {"doctor, and SANDBOX_PULL is never", image_says(missing, run::Pull::never)},
              {"doctor, and it may be pulled", image_says(missing, run::Pull::missing)},
              {"it is for another architecture",
               image_says(engine::ImageInfo{"sha256:0", {}, "vax"}, run::Pull::never)},
              {"its name is none", sentence(engine::check_image("a//b"))},
              {"it declares a volume that cannot be covered", sentence(engine::check_volumes({"/a/../b"}))},
          });
}

TEST_CASE("each trouble with a package index gets the sentence of the documentation") {
  const auto inner = *egress::Address::parse("10.1.2.3", 443);
  compare("Package index",
          {
              {"the index cannot be reached", advice("Failed to establish a new connection: timed out")},
              {"no such package or version", advice("ERROR: No matching distribution found for humanise")},
              {"nothing but source, and no compiler", advice("error: command 'gcc' failed")},
              {"a gem that does not compile", advice("ERROR: Failed to build gem native extension.")},
              {"no room for the packages", advice("OSError: [Errno 28] No space left on device")},
              {"the index is not in SANDBOX_ALLOWED_HOSTS",
               sentence(ruling({"a.example"}).admits("index.example", 443))},
              {"the index has a private address and is not listed",
               sentence(ruling({}).admits("index.example", 443, inner))},
              {"the index listens on another port", sentence(ruling({}).admits("index.example", 8443))},
          });
}

TEST_CASE("advice on a failed install is the same whichever installer speaks") {
  CHECK(advice("Unable to resolve dependency: user requested 'rack (~> 99.0)'") ==
        advice("No matching distribution found for humanise"));
  CHECK(advice("Could not find a matching version of package a/b") ==
        advice("No matching distribution found for humanise"));
  CHECK(advice("curl error 56 while downloading: CONNECT tunnel failed, response 403") ==
        advice("Tunnel connection failed"));
}
