#include "run/call.hpp"

#include <algorithm>

#include "base/log.hpp"
#include "base/text.hpp"
#include "run/environment.hpp"
#include "run/hints.hpp"
#include "run/preparation.hpp"

namespace codebox::run {
namespace {

std::chrono::milliseconds limit_of(const Options& options, const Arguments& arguments) {
  return std::min(options.exec_timeout, arguments.timeout.value_or(options.exec_timeout));
}

// Collecting gets a tenth of the call's time, between a quarter of a second and five.
std::chrono::milliseconds reserve(std::chrono::milliseconds limit) {
  return std::min(limit / 2, std::clamp<std::chrono::milliseconds>(limit / 10, std::chrono::milliseconds(250),
                                                                   std::chrono::milliseconds(5000)));
}

// As a shell would say it.
int exit_status(const sandbox::StepEnd& end) {
  switch (end.ending) {
    case sandbox::Ending::exited:
      return end.code;
    case sandbox::Ending::signalled:
      return 128 + end.code;
    case sandbox::Ending::timed_out:
      return 124;
    default:
      return 1;
  }
}

}  // namespace

Call::Call(const Options& options, const plugin::LanguageSpec& language, const Arguments& arguments,
           openwebui::Files& files, const Caller& caller, engine::ImageInfo image, std::stop_token cancel,
           Progress& progress)
    : options_(options),
      language_(language),
      arguments_(arguments),
      image_(std::move(image)),
      cancel_(std::move(cancel)),
      limit_(limit_of(options, arguments)),
      deadline_(std::chrono::steady_clock::now() + limit_),
      program_deadline_(deadline_ - reserve(limit_)),
      transfer_(files, caller, options, deadline_, cancel_, progress),
      output_(options.max_output),
      progress_(progress),
      network_(network_of(options, language.id)),
      gate_(egress::make_gate(options.rules), options.allowance) {}

Result<std::vector<PlacedInput>> Call::find_inputs() {
  if (!arguments_.inputs.empty()) progress_.looking_for_files();
  return transfer_.find(arguments_.inputs, language_.source_file);
}

Result<void> Call::prepare(sandbox::Sandbox& sandbox, const std::vector<PlacedInput>& inputs, bool layered) {
  may_have_waited_ = may_have_waited(language_, arguments_, inputs, options_);
  if (auto put = put_support(sandbox, language_, deadline_, cancel_); !put) return put;
  if (network_ == Network::allowlist) sandbox.set_gate(&gate_);
  if (!arguments_.libraries.empty() && !layered) {
    if (auto installed = install(sandbox); !installed) return installed;
  }
  const std::string source = std::string(sandbox::work_folder) + '/' + language_.source_file;
  if (auto put = put_text(sandbox, source, arguments_.code, deadline_, cancel_); !put) return put;
  progress_.fetching(inputs);
  for (const PlacedInput& input : inputs) {
    if (auto put = transfer_.put(sandbox, input); !put) return put;
  }
  return {};
}

Result<void> Call::install_only(sandbox::Sandbox& sandbox) {
  if (auto put = put_support(sandbox, language_, deadline_, cancel_); !put) return put;
  return install(sandbox);
}

Outcome Call::run(sandbox::Sandbox& sandbox) {
  Ran ran;
  ran.notes = arguments_.notes;
  Outcome outcome;
  if (language_.compile) {
    progress_.compiling();
    ran.end = program_step(sandbox, *language_.compile, false);
    ran.compiling = true;
  }
  const bool compiled =
      !language_.compile || (ran.end.ending == sandbox::Ending::exited && ran.end.code == 0);
  if (compiled) {
    ran.compiling = false;
    progress_.running();
    ran.end = program_step(sandbox, language_.run, true);
  }
  if (ran.end.ending == sandbox::Ending::not_started) {
    outcome.is_error = true;
  } else if (ran.end.ending != sandbox::Ending::lost && ran.end.ending != sandbox::Ending::cancelled) {
    if (compiled) transfer_.collect(sandbox, arguments_, language_, ran, outcome.pictures);
    if (exit_status(ran.end) != 0) look_for_missing(sandbox, ran);
    offer_whole_output(sandbox, ran, outcome.pictures);
  }
  tell_refusals(ran);
  progress_.ended(ran, output_, options_.limits);
  outcome.exit_status = exit_status(ran.end);
  outcome.reason = reason_of(ran.end, ran.compiling);
  outcome.text = report(ran, output_, language_, options_, limit_);
  outcome.files = std::move(ran.files);
  return outcome;
}

void Call::look_for_missing(sandbox::Sandbox& sandbox, Ran& ran) {
  if (!misses_file(output_.err.text(nullptr)) && !misses_file(output_.out.text(nullptr))) return;
  ran.present = transfer_.present(sandbox, language_);
}

void Call::tell_refusals(Ran& ran) const {
  const egress::Tally tally = gate_.tally();
  if (tally.refused == 0) return;
  const std::string many = tally.refused == 1 ? "1 network connection was"
                                              : std::to_string(tally.refused) + " network connections were";
  ran.notes.push_back(many + " refused. The last reason: " + std::string(text::prefix(tally.last, 400)));
}

std::chrono::milliseconds Call::time_for(const plugin::Command& command) const {
  return time_of(command, std::max(left(program_deadline_), std::chrono::milliseconds(1)));
}

sandbox::StepEnd Call::program_step(sandbox::Sandbox& sandbox, const plugin::Command& command,
                                    bool with_input) {
  sandbox::Step step;
  step.argv = command_line(command, language_, {});
  step.env = environment(Phase::program, language_, image_, options_);
  step.limit = time_for(command);
  step.spool = options_.max_file;
  if (with_input) step.input = arguments_.input;
  step.waiting = with_input && may_have_waited_;
  auto end = sandbox.step(step, output_, cancel_);
  if (end.preloaded) log::debug("sandbox " + sandbox.id() + " ran it in a process that had waited");
  return end;
}

void Call::offer_whole_output(sandbox::Sandbox& sandbox, Ran& ran, std::vector<Picture>& pictures) {
  const auto offer = [&](const HeadAndTail& stream, const std::string& spool, std::uint64_t size,
                         const char* name) {
    if (!stream.cut() || spool.empty()) return;
    transfer_.give(sandbox, {spool, size}, name, ran, pictures);
    if (size < stream.total()) {
      ran.notes.push_back(std::string(name) + " has the first " + text::size(size) + " of " +
                          text::size(stream.total()) + " (SANDBOX_MAX_FILE_SIZE, SANDBOX_MAX_DISK).");
    }
  };
  offer(output_.out, ran.end.out_spool, ran.end.out_spooled, "stdout.txt");
  offer(output_.err, ran.end.err_spool, ran.end.err_spooled, "stderr.txt");
}

}  // namespace codebox::run
