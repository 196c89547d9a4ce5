#include <sys/stat.h>
#include <sys/utsname.h>

#include <fstream>

#include "doctor.hpp"
#include "support/fake_engine.hpp"

using namespace codebox;
using namespace codebox::app;
using namespace codebox::app::test;
using doctor::Report;
using doctor::Verdict;

namespace {

std::shared_ptr<const plugin::LanguageSpec> python(std::vector<std::string> architectures = {}) {
  plugin::LanguageSpec spec;
  spec.id = "python";
  spec.image = "codebox/sandbox-python:latest";
  spec.architectures = std::move(architectures);
  return std::make_shared<const plugin::LanguageSpec>(std::move(spec));
}

std::string own_architecture() {
  utsname name{};
  ::uname(&name);
  const std::string machine = name.machine;
  return machine == "x86_64" ? "amd64" : machine == "aarch64" ? "arm64" : machine;
}

Report images_of(codebox::test::FakeEngine& engine, const Settings& settings = {},
                 std::vector<std::string> architectures = {}) {
  Report report;
  doctor::look_at_images(report, engine, settings, {python(std::move(architectures))});
  return report;
}

}  // namespace

TEST_CASE("an engine that answers is named with its version, socket and cgroups") {
  codebox::test::FakeEngine engine;
  describe(engine, engine::EngineInfo{"docker", "20.10", "unix:///nonexistent/docker.sock", "v2", 8ULL << 30,
                                      4, false});
  Report report;
  CHECK(doctor::look_at_engine(report, engine));
  CHECK(report.exit_status() == 0);
  CHECK(has(line(report, "engine").text, "docker 20.10 answers, with 4 cores and 8 GiB"));
  CHECK(has(line(report, "socket").text, "/nonexistent/docker.sock"));
  CHECK(has(line(report, "cgroups").text, "v2"));
}

TEST_CASE("an engine that does not answer is a problem in its own words") {
  codebox::test::FakeEngine engine;
  engine.on_info = [] { return Failure{Reason::offline, "There is no container engine."}; };
  Report report;
  CHECK_FALSE(doctor::look_at_engine(report, engine));
  CHECK(line(report, "engine").text == "There is no container engine.");
  CHECK(report.exit_status() == 1);
}

TEST_CASE("a socket that everybody may use is warned of") {
  const Folder folder;
  const auto path = folder.path() / "engine.sock";
  std::ofstream(path) << "x";
  codebox::test::FakeEngine engine;
  describe(engine, engine::EngineInfo{"docker", "1", "unix://" + path.string(), "v2", 0, 1, false});
  for (const bool open : {false, true}) {
    ::chmod(path.c_str(), open ? 0666 : 0660);
    Report report;
    CHECK(doctor::look_at_engine(report, engine));
    CHECK(line(report, "socket").verdict == (open ? Verdict::warning : Verdict::ok));
  }
}

TEST_CASE("a rootless engine on cgroups v1 is a problem, unknown cgroups are a warning") {
  codebox::test::FakeEngine engine;
  describe(engine, engine::EngineInfo{"podman", "4", "x", "v1", 0, 1, true});
  Report rootless;
  CHECK(doctor::look_at_engine(rootless, engine));
  CHECK(line(rootless, "cgroups").verdict == Verdict::problem);
  describe(engine, engine::EngineInfo{"podman", "4", "x", "", 0, 1, false});
  Report unknown;
  CHECK(doctor::look_at_engine(unknown, engine));
  CHECK(line(unknown, "cgroups").verdict == Verdict::warning);
}

TEST_CASE("limits are held against the engine's machine") {
  codebox::test::FakeEngine engine;
  Settings settings;
  const auto verdict_with = [&](std::uint64_t memory, int cpus) {
    describe(engine, engine::EngineInfo{"docker", "1", "x", "v2", memory, cpus, false});
    Report report;
    doctor::look_at_limits(report, engine, settings);
    return line(report, "limits").verdict;
  };
  CHECK(verdict_with(1ULL << 40, 4) == Verdict::ok);
  CHECK(verdict_with(8ULL << 30, 4) == Verdict::warning);
  CHECK(verdict_with(1ULL << 30, 4) == Verdict::problem);
  settings.run.limits.cpus = 8;
  CHECK(verdict_with(1ULL << 40, 4) == Verdict::problem);
}

TEST_CASE("an image of this machine's architecture is fine, of another one a problem") {
  codebox::test::FakeEngine engine;
  engine.on_image = [](const std::string&) {
    return engine::ImageInfo{"sha256:0123456789abcdef", {}, own_architecture()};
  };
  CHECK(line(images_of(engine), "image").verdict == Verdict::ok);
  CHECK(line(images_of(engine, {}, {"vax"}), "image").verdict == Verdict::problem);
  engine.on_image = [](const std::string&) { return engine::ImageInfo{"sha256:0", {}, "vax"}; };
  CHECK(has(line(images_of(engine), "image").text, "is for vax"));
}

TEST_CASE("a missing image is a warning where it may be pulled, else a problem") {
  codebox::test::FakeEngine engine;
  engine.on_image = [](const std::string&) { return Failure{Reason::not_found, "Not there."}; };
  CHECK(line(images_of(engine), "image").verdict == Verdict::warning);
  Settings settings;
  settings.run.pull = run::Pull::never;
  CHECK(has(line(images_of(engine, settings), "image").text, "scripts/build-image python"));
  CHECK(images_of(engine, settings).exit_status() == 1);
}
