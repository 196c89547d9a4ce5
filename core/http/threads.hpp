#pragma once
#include <pthread.h>
#include <signal.h>

namespace codebox::http {

/// Called first in each thread of the server: the process's signals belong to its main thread, and OpenSSL
/// writes to closed sockets without MSG_NOSIGNAL.
inline void block_signals() {
  sigset_t blocked;
  sigemptyset(&blocked);
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP}) sigaddset(&blocked, signal);
  pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
}

}  // namespace codebox::http
