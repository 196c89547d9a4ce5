#pragma once
#include <memory>

#include "run/output.hpp"
#include "run/progress.hpp"
#include "run/runner.hpp"
#include "run/transfer.hpp"

namespace codebox::run {

/// One call while it runs. Lives on the stack of Runner::run; one thread.
class Call {
 public:
  Call(const Options& options, const plugin::LanguageSpec& language, const Arguments& arguments,
       openwebui::Files& files, const Caller& caller, engine::ImageInfo image, std::stop_token cancel,
       Progress& progress);

  Time deadline() const { return deadline_; }
  Result<std::vector<PlacedInput>> find_inputs();
  /// All that has to be there before the program may start. A failure means that nothing of it ran.
  /// `layered`: the sandbox has the call's packages already.
  Result<void> prepare(sandbox::Sandbox& sandbox, const std::vector<PlacedInput>& inputs,
                       bool layered = false);
  /// The packages alone; afterwards nothing runs in the sandbox and its network is shut.
  Result<void> install_only(sandbox::Sandbox& sandbox);
  Outcome run(sandbox::Sandbox& sandbox);

 private:
  Result<void> install(sandbox::Sandbox& sandbox);
  Result<void> install_step(sandbox::Sandbox& sandbox, const plugin::Command& command,
                            const std::vector<std::string>& env);
  sandbox::StepEnd program_step(sandbox::Sandbox& sandbox, const plugin::Command& command, bool with_input);
  void offer_whole_output(sandbox::Sandbox& sandbox, Ran& ran, std::vector<Picture>& pictures);
  void look_for_missing(sandbox::Sandbox& sandbox, Ran& ran);
  void tell_refusals(Ran& ran) const;
  std::chrono::milliseconds time_for(const plugin::Command& command) const;

  const Options& options_;
  const plugin::LanguageSpec& language_;
  const Arguments& arguments_;
  const engine::ImageInfo image_;
  const std::stop_token cancel_;
  const std::chrono::milliseconds limit_;
  const Time deadline_;           // of the whole call
  const Time program_deadline_;   // what is left after it is for collecting
  bool may_have_waited_ = false;  // the program's process
  Transfer transfer_;
  KeptOutput output_;
  Progress& progress_;
  const Network network_;
  egress::Meter gate_;  // what the sandbox reaches while its network is open
};

}  // namespace codebox::run
