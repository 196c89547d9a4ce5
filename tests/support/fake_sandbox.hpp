#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sandbox/sandbox.hpp"

namespace codebox::testing {

/// A sandbox in memory: files are strings, a step is what the test says. Kept by the test, lent through
/// FakeSandboxes.
struct FakeWorld {
  std::map<std::string, std::string> files;
  std::vector<sandbox::Step> steps;
  std::vector<std::string>
      events;  ///< "put /x", "step python3", "gate open", "gate shut", "kill", "memory up"
  std::function<sandbox::StepEnd(const sandbox::Step&, sandbox::OutputSink&)> on_step;
  std::vector<sandbox::Refused> refused;
  int acquired = 0;
  egress::Gate* gate = nullptr;  ///< open now
};

inline sandbox::StepEnd ended(sandbox::Ending ending, int code) {
  sandbox::StepEnd end;
  end.ending = ending;
  end.code = code;
  return end;
}

class FakeSandbox : public sandbox::Sandbox {
 public:
  explicit FakeSandbox(FakeWorld& world) : world_(world) {}

  Result<void> put(const std::string& path, std::uint64_t size, unsigned, ByteSource& bytes, Time,
                   std::stop_token) override {
    world_.events.push_back("put " + path);
    std::string content;
    char part[1024];
    while (content.size() < size) {
      auto got = bytes.read(part);
      if (!got) return got.failure();
      if (*got == 0) return Failure{Reason::invalid, "the file is shorter than announced"};
      content.append(part, *got);
    }
    if (!world_.files.emplace(path, content).second)
      return Failure{Reason::invalid, path + " is there already"};
    return {};
  }
  sandbox::StepEnd step(const sandbox::Step& step, sandbox::OutputSink& output, std::stop_token) override {
    world_.events.push_back("step " + step.argv.front());
    world_.steps.push_back(step);
    return world_.on_step ? world_.on_step(step, output) : ended(sandbox::Ending::exited, 0);
  }
  Result<void> kill_all(Time) override {
    world_.events.emplace_back("kill");
    return {};
  }
  void set_gate(egress::Gate* gate) override {
    world_.gate = gate;
    world_.events.emplace_back(gate ? "gate open" : "gate shut");
  }
  Result<sandbox::Listing> list(const std::vector<std::string>& patterns, std::size_t most, Time,
                                std::stop_token) override {
    sandbox::Listing listing;
    for (const auto& [path, content] : world_.files) {
      for (const std::string& pattern : patterns) {
        const bool below =
            pattern.ends_with("/**") && path.starts_with(pattern.substr(0, pattern.size() - 2));
        const bool anywhere =
            pattern.ends_with("/***") && path.starts_with(pattern.substr(0, pattern.size() - 3));
        if (below || anywhere || path == pattern) {
          listing.files.push_back({path, content.size()});
          break;
        }
      }
    }
    listing.truncated = listing.files.size() > most;
    if (listing.truncated) listing.files.resize(most);
    listing.refused = world_.refused;
    return listing;
  }
  Result<std::uint64_t> fetch(const std::string& path, std::uint64_t limit, ByteSink& bytes, Time,
                              std::stop_token) override {
    const std::string& content = world_.files.at(path);
    if (content.size() > limit) return Failure{Reason::too_large, "grew while it was read"};
    if (auto written = bytes.write(content); !written) return written.failure();
    return std::uint64_t{content.size()};
  }
  Result<void> allow_install(bool allowed) override {
    world_.events.emplace_back(allowed ? "memory up" : "memory down");
    return {};
  }
  const std::string& id() const override { return id_; }

 private:
  FakeWorld& world_;
  const std::string id_ = "fake";
};

class FakeSandboxes : public sandbox::Sandboxes {
 public:
  explicit FakeSandboxes(FakeWorld& world) : world_(world) {}
  engine::CreateSpec last;  ///< what was asked for last
  Result<std::unique_ptr<sandbox::Sandbox>> acquire(const engine::CreateSpec& spec, Time,
                                                    std::stop_token) override {
    ++world_.acquired;
    last = spec;
    return std::unique_ptr<sandbox::Sandbox>(std::make_unique<FakeSandbox>(world_));
  }

 private:
  FakeWorld& world_;
};

}  // namespace codebox::testing
