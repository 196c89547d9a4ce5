#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "agent/user.hpp"
#include "agent/wire.hpp"
#include "base/clock.hpp"

namespace codebox::agent {

/// Looks for files as the step user and sends an entry for each that matches. Bounded in entries looked at
/// and in time, because a program may have filled its folders to hold us up. Lives for one request; one
/// thread.
class Walk {
 public:
  Walk(const frames::ListOpen& order, std::uint32_t channel, const StepUser& user, Wire& wire);
  /// Walks all patterns; true when something was left out.
  bool run();

 private:
  void pattern(const std::string& pattern);
  void descend(int folder, const std::string& path, std::size_t part, std::size_t depth);
  /// For "**", and for "***", which also means what is hidden.
  void every_folder(int folder, const std::string& path, std::size_t part, std::size_t depth);
  void names(int folder, const std::string& path, std::size_t part, std::size_t depth);
  void entry(int folder, const std::string& path, const std::string& name, bool exact);
  void closed(const std::string& path, int error);
  void report(frames::Entry found);
  bool enough();

  const frames::ListOpen& order_;
  std::uint32_t channel_;
  StepUser user_;
  Wire& wire_;
  Time deadline_;
  std::size_t looked_at_ = 0;
  bool truncated_ = false;
  std::set<std::string> seen_;
  std::vector<std::string> parts_;
};

}  // namespace codebox::agent
