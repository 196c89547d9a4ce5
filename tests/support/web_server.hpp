#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/fd.hpp"

namespace codebox::support {

/// One request as it came over the wire.
struct WebRequest {
  std::string line;  ///< "GET /path HTTP/1.1"
  std::string head;  ///< with the line
  std::string body;
};

/// The server's side of one connection, for answers that no decent server gives.
class WebConnection {
 public:
  WebConnection(int fd, int wake) : fd_(fd), wake_(wake) {}

  void send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  void reply(int status, const std::string& body, const std::string& headers = "") const {
    send("HTTP/1.1 " + std::to_string(status) + " X\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n" + headers + "Connection: close\r\n\r\n" + body);
  }

  /// Waits until the other side closes, or the server ends, or `most` has passed; true where it closed.
  bool wait_for_close(std::chrono::milliseconds most) const {
    const auto end = std::chrono::steady_clock::now() + most;
    std::array<char, 4096> ignored{};
    while (std::chrono::steady_clock::now() < end) {
      if (!readable(std::chrono::milliseconds(50))) continue;
      if (::recv(fd_, ignored.data(), ignored.size(), MSG_DONTWAIT) <= 0) return true;
    }
    return false;
  }

  /// Reads what is there; empty at the end.
  std::string receive() const {
    std::array<char, 16384> buffer{};
    std::array<pollfd, 2> waiting{pollfd{fd_, POLLIN, 0}, pollfd{wake_, POLLIN, 0}};
    if (::poll(waiting.data(), waiting.size(), 30000) <= 0 || waiting[1].revents != 0) return "";
    const ssize_t got = ::recv(fd_, buffer.data(), buffer.size(), 0);
    return got > 0 ? std::string(buffer.data(), static_cast<std::size_t>(got)) : "";
  }

 private:
  bool readable(std::chrono::milliseconds wait) const {
    pollfd waiting{fd_, POLLIN, 0};
    return ::poll(&waiting, 1, static_cast<int>(wait.count())) > 0;
  }

  int fd_;
  int wake_;
};

/// A server on a free port of 127.0.0.1 that answers every connection's one request with what the handler
/// does. Connections are served one after another, on one thread; the handler runs there.
class WebServer {
 public:
  using Handler = std::function<void(const WebRequest&, const WebConnection&)>;

  explicit WebServer(Handler handler) : handler_(std::move(handler)) {
    listener_ = Fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::bind(listener_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
    ::listen(listener_.get(), 16);
    socklen_t length = sizeof address;
    ::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &length);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }

  ~WebServer() {
    ::eventfd_write(wake_.get(), 1);
    thread_.join();
  }
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;

  std::uint16_t port() const { return port_; }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

  /// Everything that was asked so far.
  std::vector<WebRequest> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  void serve() {
    while (true) {
      std::array<pollfd, 2> waiting{pollfd{listener_.get(), POLLIN, 0}, pollfd{wake_.get(), POLLIN, 0}};
      if (::poll(waiting.data(), waiting.size(), -1) < 0) continue;
      if (waiting[1].revents != 0) return;
      const Fd client(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!client) continue;
      const WebConnection connection(client.get(), wake_.get());
      WebRequest request;
      if (!read(connection, request)) continue;
      {
        const std::lock_guard lock(mutex_);
        requests_.push_back(request);
      }
      handler_(request, connection);
    }
  }

  static bool read(const WebConnection& connection, WebRequest& request) {
    std::string all;
    std::size_t end = std::string::npos;
    while ((end = all.find("\r\n\r\n")) == std::string::npos) {
      const std::string part = connection.receive();
      if (part.empty()) return false;
      all += part;
    }
    request.head = all.substr(0, end + 2);
    request.line = all.substr(0, all.find("\r\n"));
    request.body = all.substr(end + 4);
    const auto at = request.head.find("Content-Length: ");
    const std::size_t length = at == std::string::npos ? 0 : std::stoul(request.head.substr(at + 16));
    while (request.body.size() < length) {
      const std::string part = connection.receive();
      if (part.empty()) break;
      request.body += part;
    }
    return true;
  }

  Handler handler_;
  Fd listener_;
  Fd wake_{::eventfd(0, EFD_CLOEXEC)};
  std::uint16_t port_ = 0;
  mutable std::mutex mutex_;
  std::vector<WebRequest> requests_;
  std::thread thread_;
};

}  // namespace codebox::support
