#pragma once
#include <stop_token>

using SSL = struct ssl_st;

namespace codebox::engine {

/// Carries bytes both ways between an encrypted connection (`session` on the socket `remote`) and a plain
/// one, until either side has ended or `stop`. The end of what `local` sends reaches the other side as such
/// while its answer still comes. Blocks on the calling thread; the caller owns all three.
void relay(SSL* session, int remote, int local, const std::stop_token& stop);

}  // namespace codebox::engine
