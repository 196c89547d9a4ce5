#include "unit/http/client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cerrno>

#include "base/clock.hpp"

namespace codebox::http::test {
namespace {

bool ready(int fd, short events) {
  pollfd entry{fd, events, 0};
  return ::poll(&entry, 1, static_cast<int>(std::chrono::milliseconds(patience).count())) > 0;
}

std::size_t number_after(const std::string& head, const std::string& name) {
  const std::size_t at = head.find(name);
  return at == std::string::npos ? 0 : std::stoul(head.substr(at + name.size()));
}

}  // namespace

Client::Client(std::uint16_t port, int receive_buffer)
    : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  if (receive_buffer > 0)
    ::setsockopt(fd_.get(), SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(::connect(fd_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
}

void Client::send(std::string_view bytes) {
  while (!bytes.empty() && ready(fd_.get(), POLLOUT)) {
    const ssize_t put = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (put < 0 && errno == EAGAIN) continue;
    if (put < 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
}

bool Client::more() {
  std::array<char, 64U << 10> buffer;
  if (!ready(fd_.get(), POLLIN)) return false;
  const ssize_t got = ::recv(fd_.get(), buffer.data(), buffer.size(), 0);
  if (got <= 0) return false;
  in_.append(buffer.data(), static_cast<std::size_t>(got));
  return true;
}

Answer Client::read(bool head_only) {
  Answer answer;
  std::size_t end = 0;
  while ((end = in_.find("\r\n\r\n")) == std::string::npos) {
    if (!more()) return answer;
  }
  answer.head = in_.substr(0, end + 2);
  in_.erase(0, end + 4);
  const int status = std::stoi(answer.head.substr(9, 3));
  if (answer.has("Transfer-Encoding: chunked")) {
    while (true) {
      std::size_t line = 0;
      while ((line = in_.find("\r\n")) == std::string::npos) {
        if (!more()) return answer;
      }
      const std::size_t size = std::stoul(in_.substr(0, line), nullptr, 16);
      while (in_.size() < line + 2 + size + 2) {
        if (!more()) return answer;
      }
      answer.body += in_.substr(line + 2, size);
      in_.erase(0, line + 2 + size + 2);
      if (size == 0) break;
    }
  } else if (!head_only) {
    const std::size_t length = number_after(answer.head, "Content-Length: ");
    while (in_.size() < length) {
      if (!more()) return answer;
    }
    answer.body = in_.substr(0, length);
    in_.erase(0, length);
  }
  answer.status = status;
  return answer;
}

bool Client::sees(std::string_view text) {
  while (in_.find(text) == std::string::npos) {
    if (!more()) return false;
  }
  return true;
}

bool Client::is_closed() {
  std::array<char, 16> buffer;
  return in_.empty() && ready(fd_.get(), POLLIN) && ::recv(fd_.get(), buffer.data(), buffer.size(), 0) <= 0;
}

bool Client::has_input() const {
  pollfd entry{fd_.get(), POLLIN, 0};
  return !in_.empty() || ::poll(&entry, 1, 0) > 0;
}

std::string get(std::string_view path, std::string_view fields) {
  return "GET " + std::string(path) + " HTTP/1.1\r\nHost: here\r\n" + std::string(fields) + "\r\n";
}

std::string post(std::string_view path, std::string_view body, std::string_view fields) {
  return "POST " + std::string(path) +
         " HTTP/1.1\r\nHost: here\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         std::string(fields) + "\r\n" + std::string(body);
}

Response Site::handle(Request& request, Heartbeat& heartbeat) {
  ++handled;
  if (on_handle) return on_handle(request, heartbeat);
  Response response;
  response.body = request.method + " " + request.path + " " + request.body;
  return response;
}

void Gate::open() {
  const std::lock_guard lock(mutex_);
  open_ = true;
  changed_.notify_all();
}

bool Gate::wait() {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, patience, [this] { return open_; });
}

bool Gate::stopped(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  return !changed_.wait_for(lock, stop, patience, [this] { return open_; }) && stop.stop_requested();
}

Options local() {
  Options options;
  options.host = "127.0.0.1";
  options.port = 0;
  return options;
}

std::unique_ptr<Server> start(const Options& options, Handler& handler) {
  auto server = serve(options, handler);
  INFO((server ? std::string() : server.failure().message));
  REQUIRE(server);
  return std::move(*server);
}

}  // namespace codebox::http::test
