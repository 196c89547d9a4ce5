#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace codebox::http {

/// One whole request: the head was checked for framing, the body is bounded and complete.
struct Request {
  std::string method;
  std::string path;   ///< percent-encoded as it came, without the query
  std::string query;  ///< without the '?'
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  std::string peer;  ///< the client's address
  /// Fires when the client closes the connection or the server stops; its callbacks must be quick.
  std::stop_token gone;

  /// The first header of that name, compared without case, or empty.
  std::string header(const std::string& name) const;
  std::size_t count(const std::string& name) const;
};

/// The answer to one request. Plain value; Content-Length, Date and Connection are the server's own.
struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  std::string file;  ///< when not empty, the body is this file, streamed
};

/// Lets a handler that takes long keep its connection alive: `beat_after` later without an answer the server
/// commits status 200 with chunked encoding and writes `beat`, then again each `beat_every` until the
/// response comes, whose body follows (its status and headers can no longer be sent). Only the first call for
/// a request counts. `say` begins the answer at once and sends `text` as a part of its body; false where that
/// cannot be: for a client without chunked encoding, or once an answer of another type has begun. Lives as
/// long as the request; any thread.
class Heartbeat {
 public:
  virtual ~Heartbeat() = default;
  virtual void may_begin(const std::string& content_type, const std::string& beat) = 0;
  virtual bool say(const std::string& content_type, const std::string& text, const std::string& beat) = 0;
};

/// What the server does with requests. Called on pool threads, concurrently.
class Handler {
 public:
  virtual ~Handler() = default;
  /// Called with the head alone, before the body is read: a response here is sent instead of reading it.
  virtual std::optional<Response> refuse(const Request& head) = 0;
  /// May take the body out of the request.
  virtual Response handle(Request& request, Heartbeat& heartbeat) = 0;
};

/// How the server listens and how long it waits for whom. Plain value.
struct Options {
  std::string host = "0.0.0.0";                   ///< HOST: an address of this machine, IPv4 or IPv6
  std::uint16_t port = 8000;                      ///< PORT; 0: any free one
  std::uint64_t max_body = 16ULL << 20;           ///< MAX_BODY, bytes
  std::string tls_cert;                           ///< TLS_CERT: PEM chain file; with tls_key turns TLS on
  std::string tls_key;                            ///< TLS_KEY: PEM file
  std::size_t threads = 64;                       ///< most requests handled at once
  std::size_t connections = 4096;                 ///< most open connections; one more gets 503 and is closed
  std::chrono::seconds head_timeout{15};          ///< for a whole head, then 408
  std::chrono::seconds body_timeout{60};          ///< for a whole body, then 408
  std::chrono::seconds send_timeout{30};          ///< for each 64 KiB of an answer
  std::size_t queue = 512;                        ///< requests that may wait for a thread; one more gets 503
  std::chrono::milliseconds queue_timeout{5000};  ///< the longest such wait, then 503
  std::chrono::seconds idle_timeout{75};          ///< how long a connection is kept between two requests
  std::chrono::milliseconds beat_after{5000};     ///< silence after Heartbeat::may_begin until the first beat
  std::chrono::milliseconds beat_every{15000};    ///< and between two beats
};

/// An HTTP/1.1 server whose idle and slow clients hold no thread. Owned by app; one thread stops it.
class Server {
 public:
  virtual ~Server() = default;
  virtual std::uint16_t port() const = 0;
  /// Stops accepting, fires every request's `gone`, waits up to `grace` for handlers, closes the rest. A
  /// handler that ignores `gone` as well as its closed connection is left behind with a line in the log: then
  /// end the process.
  virtual void stop(std::chrono::milliseconds grace) = 0;
};

/// Listens and serves from its return on; `handler` outlives the server. Reason::invalid where the address or
/// the certificate cannot be used.
Result<std::unique_ptr<Server>> serve(const Options& options, Handler& handler);

}  // namespace codebox::http
