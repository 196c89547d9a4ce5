#pragma once
#include <string>

#include "base/clock.hpp"

namespace codebox::sandbox {

/// Tries of one thing, which may fail: the next is due a second after one that failed, and later with each
/// further one, up to a minute, so that an accident costs little and what stays broken is not pestered. Plain
/// value; its owner guards it.
class Attempts {
 public:
  void failed(Time now, std::string why);
  void succeeded() { *this = Attempts(); }
  bool due(Time now) const { return now >= not_before_; }
  /// What was wrong with the last one; empty where it succeeded.
  const std::string& trouble() const { return trouble_; }

 private:
  Time not_before_{};
  std::chrono::seconds pause_{0};
  std::string trouble_;
};

}  // namespace codebox::sandbox
