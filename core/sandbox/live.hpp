#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sandbox/link.hpp"
#include "sandbox/sandbox.hpp"
#include "sandbox/tunnels.hpp"

namespace codebox::sandbox {

class Caretaker;

/// A sandbox over the attached stream of a container. The thread that calls an operation runs its event loop;
/// the caretaker's thread keeps the agent's lease while no operation runs. Owned by the call.
class LiveSandbox : public Sandbox {
 public:
  LiveSandbox(engine::Engine& engine, engine::Container&& container, const engine::Limits& limits,
              std::shared_ptr<Caretaker> caretaker);
  ~LiveSandbox() override;

  /// Waits for the agent's first word; a failure when it is none that we understand.
  Result<void> greet(Time deadline, std::stop_token cancel);
  /// Moves what is there and pings, unless an operation runs. Called by the caretaker.
  void keep_alive();

  Result<void> put(const std::string& path, std::uint64_t size, unsigned mode, ByteSource& bytes,
                   Time deadline, std::stop_token cancel) override;
  StepEnd step(const Step& step, OutputSink& output, std::stop_token cancel) override;
  Result<void> kill_all(Time deadline) override;
  void set_gate(egress::Gate* gate) override;
  Result<Listing> list(const std::vector<std::string>& patterns, std::size_t most, Time deadline,
                       std::stop_token cancel) override;
  Result<std::uint64_t> fetch(const std::string& path, std::uint64_t limit, ByteSink& bytes, Time deadline,
                              std::stop_token cancel) override;
  Result<void> allow_install(bool allowed) override;
  const std::string& id() const override { return id_; }
  Result<std::uint64_t> preload(const Step& step, Time deadline, std::stop_token cancel) override;
  bool answers(Time deadline) override;
  bool has_ended() override;

 private:
  using Handler = std::function<bool(const frames::Frame&)>;
  enum class Wait { done, deadline, cancelled, broken };
  struct Request;  ///< one operation on a channel of its own, see request.hpp

  /// Turns the loop until `done` says so.
  Wait wait(const std::function<bool()>& done, Time deadline, const std::stop_token& cancel);
  void turn(std::chrono::milliseconds longest);
  void dispatch(const frames::Frame& frame);
  /// Why an operation did not end; from then on the sandbox is of no use.
  Failure unfinished(Wait how, const std::string& what);
  bool killed_for_memory();
  StepEnd started(const Step& step, OutputSink& output, const std::stop_token& cancel);

  engine::Engine& engine_;
  std::string id_;
  engine::Limits limits_;
  std::shared_ptr<Caretaker> caretaker_;
  std::mutex busy_;  ///< held by an operation, or by the caretaker's short turn
  Link link_;
  Tunnels tunnels_;
  std::uint32_t channel_ = 0;  ///< of the running operation, 0 when none
  std::uint32_t last_channel_ = 0;
  std::uint32_t abandoned_ = 0;  ///< of a preload that was not waited for; its result may still come
  Handler handler_;
};

}  // namespace codebox::sandbox
