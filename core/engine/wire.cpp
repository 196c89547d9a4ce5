#include "engine/wire.hpp"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

namespace codebox::engine::wire {
namespace {

Failure broken(const char* what) {
  return {Reason::internal,
          std::string("The launcher's connection failed while ") + what + ": " + std::strerror(errno) + "."};
}

/// Takes the descriptors out of a control message; all but the first are closed, none is ever leaked.
Fd take_fd(msghdr& head) {
  Fd first;
  for (cmsghdr* part = CMSG_FIRSTHDR(&head); part; part = CMSG_NXTHDR(&head, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(part) + i * sizeof(int), sizeof fd);
      Fd owned(fd);
      if (!first) first = std::move(owned);
    }
  }
  return first;
}

}  // namespace

Result<std::pair<Fd, Fd>> make_pair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return broken("making it");
  return std::pair<Fd, Fd>(Fd(ends[0]), Fd(ends[1]));
}

Result<void> send(int socket, std::string_view text, int fd) {
  if (text.size() > max_message)
    return Failure{Reason::too_large, "A message for the launcher is over " + std::to_string(max_message) +
                                          " bytes long; shorten what it carries."};
  iovec part{const_cast<char*>(text.data()), text.size()};
  msghdr head{};
  head.msg_iov = &part;
  head.msg_iovlen = 1;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> space{};
  if (fd >= 0) {
    head.msg_control = space.data();
    head.msg_controllen = space.size();
    cmsghdr* const rights = CMSG_FIRSTHDR(&head);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(rights), &fd, sizeof fd);
  }
  while (::sendmsg(socket, &head, MSG_NOSIGNAL) < 0)
    if (errno != EINTR) return broken("sending");
  return {};
}

Result<std::optional<Message>> receive(int socket) {
  std::vector<char> buffer(max_message);
  iovec part{buffer.data(), buffer.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(4 * sizeof(int))> space{};
  msghdr head{};
  head.msg_iov = &part;
  head.msg_iovlen = 1;
  head.msg_control = space.data();
  head.msg_controllen = space.size();
  ssize_t got = -1;
  while ((got = ::recvmsg(socket, &head, MSG_CMSG_CLOEXEC)) < 0)
    if (errno == ECONNRESET)
      return std::optional<Message>();
    else if (errno != EINTR)
      return broken("receiving");
  Message message;
  message.fd = take_fd(head);
  if (got == 0) return std::optional<Message>();
  if (head.msg_flags & (MSG_TRUNC | MSG_CTRUNC))
    return Failure{Reason::internal, "A message on the launcher's connection is longer than allowed."};
  message.text.assign(buffer.data(), static_cast<std::size_t>(got));
  return std::optional<Message>(std::move(message));
}

}  // namespace codebox::engine::wire
