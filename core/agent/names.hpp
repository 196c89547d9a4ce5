#pragma once
#include <string>
#include <string_view>

#include "agent/polls.hpp"
#include "base/fd.hpp"

namespace codebox::agent {

/// Answers for names on 127.0.0.1:53, where a resolver without a configuration asks: an engine may give a
/// container without network neither /etc/hosts nor /etc/resolv.conf, and "localhost" must have an address.
/// It knows that name and the sandbox's own and no other. Owned by the loop; one thread.
class Names {
 public:
  /// Without the right to take the port, as where the engine does its own naming, it does nothing.
  Names();
  void want(Polls& polls) const { polls.want(socket_.get(), POLLIN); }
  void turn(const Polls& polls) const;

 private:
  Fd socket_;
};

/// The answer to one question in the form of DNS (RFC 1035); empty where it is none. A pure function.
std::string name_answer(std::string_view question);

}  // namespace codebox::agent
