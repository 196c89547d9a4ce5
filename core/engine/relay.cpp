#include "engine/relay.hpp"

#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

namespace codebox::engine {
namespace {

/// One direction: at most one piece is under way.
struct Way {
  std::array<char, 16384> piece{};
  std::size_t size = 0;
  std::size_t sent = 0;
  bool ended = false;
  bool empty() const { return sent == size; }
  void fill(std::size_t bytes) {
    size = bytes;
    sent = 0;
  }
};

class Carrier {
 public:
  Carrier(SSL* session, int local) : session_(session), local_(local) {}

  /// Moves what can be moved; false at the end.
  bool move() {
    remote_wants = local_wants = 0;
    return outwards() && inwards() && !(in_.ended && in_.empty());
  }

  short remote_wants = 0;
  short local_wants = 0;

 private:
  bool outwards() {
    while (true) {
      if (out_.empty() && !out_.ended) {
        const auto got = ::recv(local_, out_.piece.data(), out_.piece.size(), MSG_DONTWAIT);
        if (got < 0 && errno != EAGAIN && errno != EINTR) return false;
        if (got < 0) local_wants = static_cast<short>(local_wants | POLLIN);
        if (got < 0) return true;
        if (got == 0) end_outwards();
        out_.fill(static_cast<std::size_t>(got));
      }
      if (out_.empty()) return true;
      ERR_clear_error();
      std::size_t wrote = 0;
      const int done = SSL_write_ex(session_, out_.piece.data() + out_.sent, out_.size - out_.sent, &wrote);
      if (done != 1) return waits(done);
      out_.sent += wrote;
    }
  }

  bool inwards() {
    while (true) {
      if (in_.empty()) {
        if (in_.ended) return true;
        ERR_clear_error();
        std::size_t got = 0;
        const int done = SSL_read_ex(session_, in_.piece.data(), in_.piece.size(), &got);
        if (done != 1) {
          if (waits(done)) return true;
          in_.ended = true;
          return true;
        }
        in_.fill(got);
      }
      const auto wrote =
          ::send(local_, in_.piece.data() + in_.sent, in_.size - in_.sent, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (wrote < 0 && errno != EAGAIN && errno != EINTR) return false;
      if (wrote < 0) local_wants = static_cast<short>(local_wants | POLLOUT);
      if (wrote < 0) return true;
      in_.sent += static_cast<std::size_t>(wrote);
    }
  }

  void end_outwards() {
    out_.ended = true;
    SSL_shutdown(session_);
  }

  /// Whether the session only has to wait.
  bool waits(int result) {
    const int why = SSL_get_error(session_, result);
    if (why == SSL_ERROR_WANT_READ) remote_wants = static_cast<short>(remote_wants | POLLIN);
    if (why == SSL_ERROR_WANT_WRITE) remote_wants = static_cast<short>(remote_wants | POLLOUT);
    return why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE;
  }

  SSL* const session_;
  const int local_;
  Way out_;
  Way in_;
};

}  // namespace

void relay(SSL* session, int remote, int local, const std::stop_token& stop) {
  const std::stop_callback ended(stop, [local] { ::shutdown(local, SHUT_RDWR); });
  ::fcntl(remote, F_SETFL, ::fcntl(remote, F_GETFL) | O_NONBLOCK);
  Carrier carrier(session, local);
  while (carrier.move() && !stop.stop_requested()) {
    std::array<pollfd, 2> waiting{pollfd{carrier.remote_wants != 0 ? remote : -1, carrier.remote_wants, 0},
                                  pollfd{local, carrier.local_wants, 0}};
    if (::poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) return;
    // Nobody reads any more, and nothing is left to send.
    if ((waiting[1].revents & (POLLHUP | POLLERR)) != 0 && (waiting[1].revents & POLLIN) == 0) return;
  }
}

}  // namespace codebox::engine
