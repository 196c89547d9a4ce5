#pragma once
#include <stop_token>

#include "sandbox/live.hpp"

namespace codebox::sandbox {

/// One operation of a live sandbox: takes the loop, a channel and the frames on it, and gives them back at
/// its end. Lives on the stack of the operation.
struct LiveSandbox::Request {
  Request(LiveSandbox& sandbox, const std::stop_token& cancel, Handler handler);
  ~Request();
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  struct Wake {
    const Link& link;
    void operator()() const { link.wake(); }
  };

  LiveSandbox& sandbox;
  std::unique_lock<std::mutex> lock;
  std::uint32_t channel;
  std::stop_callback<Wake> wake;
};

/// The agent's outcome as a failure that names the file.
Failure refusal(const frames::Outcome& outcome, const std::string& what);

}  // namespace codebox::sandbox
