#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/clock.hpp"
#include "base/result.hpp"
#include "engine/engine.hpp"

namespace codebox::egress {
class Gate;
}

namespace codebox::sandbox {

/// The places of every sandbox that programs may rely on.
inline constexpr std::string_view work_folder = "/sandbox";
inline constexpr std::string_view output_folder = "/sandbox/output";
inline constexpr std::string_view packages_folder = "/packages";
inline constexpr std::string_view temporary_folder = "/tmp";
inline constexpr std::string_view home_folder = "/tmp/home";
/// A language's support files lie here; readable, not writable, by the program.
inline constexpr std::string_view support_folder = "/tmp/.support";

/// The two streams that a program prints to.
enum class Output { out, err };

/// Takes a program's output as it comes. Called on the thread that runs the step.
class OutputSink {
 public:
  virtual ~OutputSink() = default;
  virtual void write(Output stream, std::string_view bytes) = 0;
};

/// One process in the sandbox, run as the step user, never through a shell. Plain value.
struct Step {
  std::vector<std::string> argv;
  std::vector<std::string> env;  ///< the whole environment, "NAME=value"
  std::string cwd = std::string(work_folder);
  std::string input;  ///< stdin; empty means /dev/null
  std::chrono::milliseconds limit{
      60'000};              ///< wall time, kept by the agent and, with a second's grace, by the host
  std::uint64_t spool = 0;  ///< bytes of each output stream to keep in the sandbox for collecting, 0 for none
  bool waiting = false;     ///< the process of Sandbox::preload may become this step, where one is ready
  bool installing = false;  ///< it may fill /packages, which closes with the first step that may not
};

/// What a sandbox can have ahead of its call: nothing of a caller's, so that it may wait for any. Plain
/// value.
struct Preparation {
  struct File {
    std::string path;
    std::string bytes;
  };
  std::string image_id;     ///< content id of the image; when it changes, what waits is of no use
  std::vector<File> files;  ///< the language's support files
  Step waiting;             ///< a process that waits to become the program; no argv: none
};

/// How a step ended, and what StepEnd::code is then.
enum class Ending {
  exited,       ///< `code` is the exit status
  signalled,    ///< `code` is the signal's number
  timed_out,    ///< the limit passed; the whole tree was killed
  not_started,  ///< execve failed; `code` is its errno
  cancelled,    ///< the caller's stop token; the sandbox is of no further use
  lost,         ///< the agent or its container ended or broke the protocol; `detail` says what was seen
};

/// The end of a step. Plain value.
struct StepEnd {
  Ending ending = Ending::lost;
  int code = 0;
  bool out_of_memory = false;         ///< the kernel killed something of the step for want of memory
  std::string detail;                 ///< half a sentence, where there is more to say
  std::chrono::milliseconds wall{0};  ///< how long it ran
  std::uint64_t out_bytes = 0;        ///< bytes that the program wrote to stdout, also those not shown
  std::uint64_t err_bytes = 0;        ///< likewise of stderr
  std::string out_spool;              ///< path of the spooled stdout for fetch(), empty when there is none
  std::string err_spool;
  std::uint64_t out_spooled = 0;  ///< bytes in the spool: the first ones of what was written
  std::uint64_t err_spooled = 0;
  bool preloaded = false;  ///< the process had been waiting for it
};

/// A regular file in the sandbox that may come out. Paths are valid UTF-8 and lie below a writable place.
struct Found {
  std::string path;
  std::uint64_t size = 0;  ///< bytes
  bool executable = false;
  std::uint64_t modified = 0;  ///< seconds of the epoch, as the sandbox says
};
/// Something that matched and may not come out, with the reason as half a sentence ("is a symbolic link").
/// Plain value.
struct Refused {
  std::string path;
  std::string why;
};
/// What a sandbox has of what was asked for. Plain value.
struct Listing {
  std::vector<Found> files;  ///< by path, ascending
  std::vector<Refused> refused;
  bool truncated = false;  ///< more matched than `most`
};

/// One live sandbox, used for one call and then destroyed. Owned by the call; one thread at a time (the stop
/// tokens may fire from any). Every blocking operation ends by its deadline, whatever the agent does, and
/// nothing that the agent says is believed beyond its bounds. Destroying it closes the attached stream and
/// has the container removed.
class Sandbox {
 public:
  virtual ~Sandbox() = default;

  /// Streams exactly `size` bytes to a new file at `path` (absolute, below a writable place; folders are
  /// made). The file belongs to the step user. Reason::invalid if something is there already.
  virtual Result<void> put(const std::string& path, std::uint64_t size, unsigned mode, ByteSource& bytes,
                           Time deadline, std::stop_token cancel) = 0;
  /// Runs a process to its end; always an answer, whatever happened.
  virtual StepEnd step(const Step& step, OutputSink& output, std::stop_token cancel) = 0;
  /// Ends every process of the step user, so that nothing of an earlier step is alive.
  virtual Result<void> kill_all(Time deadline) = 0;
  /// From now on the sandbox's loopback proxy (http://127.0.0.1:3128) connects to what `gate` allows; nullptr
  /// closes it and every connection through it. The gate outlives its use here.
  virtual void set_gate(egress::Gate* gate) = 0;
  /// Regular files below writable places that match any of `patterns` (absolute paths or globs, `*` and `?`
  /// within a name, `**` across folders, `***` also through hidden ones), at most `most`.
  virtual Result<Listing> list(const std::vector<std::string>& patterns, std::size_t most, Time deadline,
                               std::stop_token cancel) = 0;
  /// Streams a listed file out, at most `limit` bytes of it; Reason::too_large past that.
  virtual Result<std::uint64_t> fetch(const std::string& path, std::uint64_t limit, ByteSink& bytes,
                                      Time deadline, std::stop_token cancel) = 0;
  /// Raises (or lowers again) the memory limit by the install allowance.
  virtual Result<void> allow_install(bool allowed) = 0;
  /// The container's, for logs.
  virtual const std::string& id() const = 0;

  /// Starts a process that waits to become a later step (Step::waiting) and returns when it is ready: how
  /// many bytes of memory it holds for itself, as far as that is known. It gets the step's argv, environment
  /// and folder, nothing of a call. When cancelled, the sandbox stays as good as without.
  virtual Result<std::uint64_t> preload(const Step& step, Time deadline, std::stop_token cancel) {
    (void)step, (void)deadline, (void)cancel;
    return Failure{Reason::invalid, "This sandbox has no waiting processes."};
  }
  /// Whether its agent answers by `deadline`.
  virtual bool answers(Time deadline) {
    (void)deadline;
    return true;
  }
  /// Whether its end has been seen already. Does not wait.
  virtual bool has_ended() { return false; }
  /// Whether the files of its preparation lie in it.
  bool prepared() const { return prepared_; }
  void set_prepared() { prepared_ = true; }

 private:
  bool prepared_ = false;
};

/// Gives sandboxes. The seam that run/ sees; the warm pool stands behind it. Any thread.
class Sandboxes {
 public:
  virtual ~Sandboxes() = default;
  /// One of `spec`, ready for a step, by `deadline`. Reason::capacity where there is no memory for it, image
  /// and engine with the engine's sentence.
  virtual Result<std::unique_ptr<Sandbox>> acquire(const engine::CreateSpec& spec, Time deadline,
                                                   std::stop_token cancel) = 0;
  /// One that has `preparation` already, where one waits (Sandbox::prepared says so); otherwise as above.
  virtual Result<std::unique_ptr<Sandbox>> acquire_prepared(const engine::CreateSpec& spec,
                                                            const Preparation& preparation, Time deadline,
                                                            std::stop_token cancel) {
    (void)preparation;
    return acquire(spec, deadline, std::move(cancel));
  }
  /// Says that calls for this may come, before the first does.
  virtual void expect(const engine::CreateSpec& spec, const Preparation& preparation) {
    (void)spec, (void)preparation;
  }
  /// Whether used ones are still being removed, so that their memory comes free in a moment.
  virtual bool removing() const { return false; }
};

/// Starts a sandbox for every acquire, and removes it off the caller's path. Owns small threads that remove;
/// `engine` outlives it.
std::unique_ptr<Sandboxes> cold_sandboxes(engine::Engine& engine);

}  // namespace codebox::sandbox
