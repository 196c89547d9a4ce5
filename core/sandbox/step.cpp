#include <algorithm>
#include <cerrno>

#include "base/text.hpp"
#include "sandbox/live.hpp"
#include "sandbox/places.hpp"
#include "sandbox/request.hpp"

namespace codebox::sandbox {
namespace {

using frames::Type;
using std::chrono::milliseconds;

constexpr milliseconds grace{1000};

bool has_nul(const std::vector<std::string>& texts) {
  return std::any_of(texts.begin(), texts.end(),
                     [](const auto& one) { return one.find('\0') != std::string::npos; });
}

StepEnd not_started(int error, std::string detail) {
  StepEnd end;
  end.ending = Ending::not_started;
  end.code = error;
  end.detail = std::move(detail);
  return end;
}

// What the agent says about the end; false when it says what cannot be.
bool translate(const frames::StepEnded& said, StepEnd& end) {
  switch (said.how) {
    case frames::StepEnded::exited:
      end.ending = Ending::exited;
      break;
    case frames::StepEnded::signalled:
      end.ending = Ending::signalled;
      break;
    case frames::StepEnded::timed_out:
      end.ending = Ending::timed_out;
      break;
    case frames::StepEnded::not_started:
      end.ending = Ending::not_started;
      break;
    default:
      return false;
  }
  if (said.code > 4096) return false;
  end.code = static_cast<int>(said.code);
  end.out_of_memory = said.out_of_memory;
  end.preloaded = said.preloaded;
  return true;
}

}  // namespace

StepEnd LiveSandbox::step(const Step& step, OutputSink& output, std::stop_token cancel) {
  if (step.argv.empty() || step.argv.front().empty()) return not_started(EINVAL, "the step names no program");
  if (has_nul(step.argv) || has_nul(step.env) || step.cwd.find('\0') != std::string::npos) {
    return not_started(EINVAL, "an argument or variable holds a NUL byte");
  }
  const auto begun = std::chrono::steady_clock::now();
  auto end = started(step, output, cancel);
  end.wall = std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begun);
  const bool killed = end.ending == Ending::lost || (end.ending == Ending::signalled && end.code == 9);
  if (killed && !end.out_of_memory) end.out_of_memory = killed_for_memory();
  return end;
}

StepEnd LiveSandbox::started(const Step& step, OutputSink& output, const std::stop_token& cancel) {
  frames::StepOpen order;
  order.argv = step.argv;
  order.env = step.env;
  order.cwd = step.cwd;
  order.limit_ms = static_cast<std::uint64_t>(std::max<std::int64_t>(step.limit.count(), 0));
  order.spool = step.spool;
  order.input = !step.input.empty();
  order.waiting = step.waiting;
  order.installing = step.installing;
  const auto message = order.encode();
  if (message.size() > frames::max_message)
    return not_started(E2BIG, "the arguments and variables are too long");

  StepEnd end;
  std::uint64_t credit = frames::window;
  std::string_view input = step.input;
  bool ended = false;
  Request request(*this, cancel, [&](const frames::Frame& frame) {
    if (ended) return false;
    if (frame.type == Type::output) {
      const bool err = (frame.flags & frames::flag_err) != 0;
      (err ? end.err_bytes : end.out_bytes) += frame.payload.size();
      output.write(err ? Output::err : Output::out, frame.payload);
      return true;
    }
    if (frame.type == Type::credit) {
      frames::Reader reader(frame.payload);
      credit = std::min<std::uint64_t>(credit + reader.u32(), frames::window);
      return reader.finished();
    }
    frames::StepEnded said;
    if (frame.type != Type::step_ended || !frames::decode(frame.payload, said) || !translate(said, end))
      return false;
    const auto spool = std::string(temporary_folder) + "/.spool/" + std::to_string(frame.channel);
    end.out_spooled = std::min({said.out_spooled, step.spool, end.out_bytes});
    end.err_spooled = std::min({said.err_spooled, step.spool, end.err_bytes});
    if (end.out_spooled > 0) end.out_spool = spool + ".out";
    if (end.err_spooled > 0) end.err_spool = spool + ".err";
    return ended = true;
  });
  const auto limit = std::clamp<milliseconds>(step.limit, milliseconds(0), std::chrono::hours(24));
  const Time deadline = std::chrono::steady_clock::now() + limit + grace;
  link_.send_message(Type::step, request.channel, message);
  const auto how = wait(
      [&] {
        bool moved = false;
        while (!ended && !input.empty() && credit > 0 && link_.room()) {
          const auto part = input.substr(0, std::min<std::uint64_t>(credit, frames::max_payload));
          link_.send(Type::step_input, request.channel, part);
          credit -= part.size();
          input.remove_prefix(part.size());
          if (input.empty()) link_.send(Type::step_input_end, request.channel);
          moved = true;
        }
        if (moved) link_.write_some();
        return ended;
      },
      deadline, cancel);
  if (how == Wait::done) return end;
  end.ending = how == Wait::cancelled  ? Ending::cancelled
               : how == Wait::deadline ? Ending::timed_out
                                       : Ending::lost;
  end.out_spool.clear();
  end.err_spool.clear();
  end.out_spooled = end.err_spooled = 0;
  end.detail = unfinished(how, "The program's end was not seen").message;
  if (how == Wait::deadline) end.detail = "the agent in the sandbox did not report the program's end in time";
  if (how == Wait::broken) end.detail = link_.why();
  return end;
}

}  // namespace codebox::sandbox
