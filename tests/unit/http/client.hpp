#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.hpp"
#include "http/server.hpp"

namespace codebox::http::test {

inline constexpr std::chrono::seconds patience(30);

/// What a client read: status -1 where the connection ended without a whole answer.
struct Answer {
  int status = -1;
  std::string head;
  std::string body;  ///< without the framing of chunks

  bool has(std::string_view text) const { return head.find(text) != std::string::npos; }
};

/// A client that sends exactly the bytes it is told to.
class Client {
 public:
  explicit Client(std::uint16_t port, int receive_buffer = 0);

  /// Sends all of it, or as much as the server takes before it closes.
  void send(std::string_view bytes);
  /// The next answer; `head_only` after a HEAD.
  Answer read(bool head_only = false);
  /// Waits until so many bytes of whatever comes contain `text`.
  bool sees(std::string_view text);
  /// Whether the server ends the connection, and says nothing before it.
  bool is_closed();
  /// Whether something lies there to be read, now.
  bool has_input() const;
  void close() { fd_.reset(); }
  int fd() const { return fd_.get(); }

 private:
  bool more();

  Fd fd_;
  std::string in_;
};

std::string get(std::string_view path, std::string_view fields = {});
std::string post(std::string_view path, std::string_view body, std::string_view fields = {});

/// A handler made of two functions; by default it answers with method, path and body.
class Site : public Handler {
 public:
  std::optional<Response> refuse(const Request& head) override {
    return on_refuse ? on_refuse(head) : std::nullopt;
  }
  Response handle(Request& request, Heartbeat& heartbeat) override;

  std::function<std::optional<Response>(const Request&)> on_refuse;
  std::function<Response(const Request&, Heartbeat&)> on_handle;
  std::atomic<int> handled{0};
};

/// Something that one thread opens and others wait for, with a deadline.
class Gate {
 public:
  void open();
  bool wait();
  /// Waits until opened or `stop`; true when stopped.
  bool stopped(const std::stop_token& stop);

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool open_ = false;
};

/// Options for a server on a free port of the loopback.
Options local();
std::unique_ptr<Server> start(const Options& options, Handler& handler);

}  // namespace codebox::http::test
