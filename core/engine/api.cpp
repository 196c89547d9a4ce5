#include "engine/api.hpp"

#include <Poco/Buffer.h>
#include <Poco/Exception.h>
#include <Poco/Net/HTTPClientSession.h>
#include <Poco/Net/HTTPRequest.h>
#include <Poco/Net/HTTPResponse.h>
#include <Poco/Net/StreamSocket.h>
#include <Poco/Net/StreamSocketImpl.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <istream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <vector>

#include "base/text.hpp"
#include "engine/endpoint.hpp"
#include "engine/tls.hpp"

namespace codebox::engine {
namespace {

using Poco::Net::HTTPClientSession;
using Poco::Net::HTTPRequest;
using Poco::Net::HTTPResponse;

constexpr std::size_t max_body = 16 << 20;
constexpr std::size_t max_line = 1 << 20;

/// A Poco socket around a connection of our own making, so that it is close-on-exec from its first moment.
class Adopted : public Poco::Net::StreamSocket {
 public:
  explicit Adopted(Fd fd) : StreamSocket(new Poco::Net::StreamSocketImpl(fd.release())) {}
};

Result<Fd> dial(const std::string& address, Tls* tls) {
  auto fd = endpoint::connect(address);
  if (!fd || tls == nullptr) return fd;
  const auto host = endpoint::host_of(address);
  return host ? tls->wrap(std::move(*fd), host->name) : std::move(fd);
}

Result<Adopted> open(const std::string& address, Tls* tls, std::chrono::seconds patience) {
  auto fd = dial(address, tls);
  if (!fd) return fd.failure();
  Adopted socket(std::move(*fd));
  const Poco::Timespan limit(static_cast<long>(patience.count()), 0);
  socket.setReceiveTimeout(limit);
  socket.setSendTimeout(limit);
  return socket;
}

HTTPRequest request_for(std::string_view method, const std::string& target, std::string_view body) {
  HTTPRequest request(std::string(method), target, HTTPRequest::HTTP_1_1);
  request.setHost("engine");
  request.setKeepAlive(false);
  if (method != "GET" && method != "DELETE")
    request.setContentLength64(static_cast<Poco::Int64>(body.size()));
  return request;
}

std::string read_all(std::istream& in) {
  std::string out;
  std::array<char, 16384> piece{};
  while (in && out.size() < max_body) {
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    out.append(piece.data(), static_cast<std::size_t>(in.gcount()));
  }
  return out;
}

void read_lines(std::istream& in, const std::function<void(std::string_view)>& line) {
  std::string held;
  for (int c = in.get(); c != std::istream::traits_type::eof() && held.size() < max_line; c = in.get()) {
    if (c != '\n') {
      held += static_cast<char>(c);
      continue;
    }
    line(held);
    held.clear();
  }
  if (!held.empty()) line(held);
}

/// Runs what talks to the engine and turns the library's exceptions into one sentence.
template <class T, class Work>
Result<T> guarded(const std::string& address, const Work& work) {
  const std::string engine = "The container engine at " + address;
  try {
    return work();
  } catch (const Poco::TimeoutException&) {
    return Failure{Reason::offline, engine + " does not answer in time; check that it is healthy."};
  } catch (const Poco::Exception& error) {
    return Failure{Reason::offline, engine + " broke the connection (" + text::one_line(error.displayText()) +
                                        "); check that it runs."};
  } catch (const std::exception& error) {
    return Failure{Reason::internal, engine + " could not be asked: " + text::one_line(error.what()) + "."};
  }
}

}  // namespace

Result<Api::Answer> Api::call(std::string_view method, const std::string& target, std::string_view body,
                              std::string_view type, std::chrono::seconds patience) const {
  return guarded<Answer>(address_, [&]() -> Result<Answer> {
    auto socket = open(address_, tls_.get(), patience);
    if (!socket) return socket.failure();
    HTTPClientSession session(*socket);
    auto request = request_for(method, target, body);
    if (!body.empty()) request.setContentType(std::string(type));
    session.sendRequest(request).write(body.data(), static_cast<std::streamsize>(body.size())).flush();
    HTTPResponse response;
    std::istream& in = session.receiveResponse(response);
    return Answer{response.getStatus(), read_all(in)};
  });
}

Result<Api::Answer> Api::upload(const std::string& target, int file, std::uint64_t size) const {
  return guarded<Answer>(address_, [&]() -> Result<Answer> {
    auto socket = open(address_, tls_.get(), std::chrono::minutes(5));
    if (!socket) return socket.failure();
    HTTPClientSession session(*socket);
    auto request = request_for("PUT", target, {});
    request.setContentLength64(static_cast<Poco::Int64>(size));
    request.setContentType("application/x-tar");
    std::ostream& out = session.sendRequest(request);
    std::vector<char> piece(256 * 1024);
    for (std::uint64_t at = 0; at < size && out;) {
      const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(size - at, piece.size()));
      const auto got = ::pread(file, piece.data(), most, static_cast<off_t>(at));
      if (got <= 0) return Failure{Reason::invalid, "The archive for the container engine ended early."};
      out.write(piece.data(), got);
      at += static_cast<std::uint64_t>(got);
    }
    out.flush();
    HTTPResponse response;
    std::istream& in = session.receiveResponse(response);
    return Answer{response.getStatus(), read_all(in)};
  });
}

Result<Api::Answer> Api::stream(std::string_view method, const std::string& target,
                                const std::function<void(std::string_view)>& line,
                                const std::stop_token& stop, const std::string& login) const {
  return guarded<Answer>(address_, [&]() -> Result<Answer> {
    auto socket = open(address_, tls_.get(), std::chrono::minutes(10));
    if (!socket) return socket.failure();
    // Ends a read that waits, from whatever thread the caller gives up on. A descriptor of its own, because
    // the session closes the other one when it likes.
    const Fd same(::fcntl(socket->impl()->sockfd(), F_DUPFD_CLOEXEC, 3));
    const std::stop_callback ended(stop, [&same] { ::shutdown(same.get(), SHUT_RDWR); });
    HTTPClientSession session(*socket);
    auto request = request_for(method, target, {});
    if (!login.empty()) request.set("X-Registry-Auth", login);
    session.sendRequest(request).flush();
    HTTPResponse response;
    std::istream& in = session.receiveResponse(response);
    Answer answer{response.getStatus(), {}};
    if (answer.ok())
      read_lines(in, line);
    else
      answer.body = read_all(in);
    return answer;
  });
}

Result<Api::Hijacked> Api::hijack(const std::string& target) const {
  return guarded<Hijacked>(address_, [&]() -> Result<Hijacked> {
    auto socket = open(address_, tls_.get(), std::chrono::seconds(60));
    if (!socket) return socket.failure();
    HTTPClientSession session(*socket);
    session.setKeepAlive(true);  // else the session overwrites the Connection header
    auto request = request_for("POST", target, {});
    request.setKeepAlive(true);
    request.set("Connection", "Upgrade");
    request.set("Upgrade", "tcp");
    session.sendRequest(request).flush();
    HTTPResponse response;
    std::istream& in = session.receiveResponse(response);
    if (response.getStatus() != HTTPResponse::HTTP_SWITCHING_PROTOCOLS &&
        response.getStatus() != HTTPResponse::HTTP_OK)
      return refusal("attach to the sandbox", {response.getStatus(), read_all(in)});
    Poco::Buffer<char> early(0);
    session.drainBuffer(early);
    Poco::Net::StreamSocket taken = session.detachSocket();
    taken.setReceiveTimeout(Poco::Timespan());
    taken.setSendTimeout(Poco::Timespan());
    Hijacked out;
    out.stream = Fd(::fcntl(taken.impl()->sockfd(), F_DUPFD_CLOEXEC, 3));
    if (!out.stream) return Failure{Reason::internal, "No file descriptor is left for the sandbox's stream."};
    out.early.assign(early.begin(), early.end());
    return out;
  });
}

namespace {

// The setting behind an engine's words, Docker's or Podman's, which name it by another name.
std::string advice_on(const std::string& words) {
  const std::string lower = text::lower(words);
  const auto has = [&](const char* part) { return lower.find(part) != std::string::npos; };
  if (has("unknown runtime") || has("unknown or invalid runtime") || (has("runtime") && has("not found")))
    return "; SANDBOX_RUNTIME must name a runtime that the engine knows (docs/engines.md)";
  if (has("range of cpus")) return "; lower SANDBOX_MAX_CPUS";
  return {};
}

}  // namespace

std::string error_text(const Api::Answer& answer) {
  const auto parsed = nlohmann::json::parse(answer.body, nullptr, false);
  std::string words;
  if (parsed.is_object()) {
    if (parsed.contains("message") && parsed["message"].is_string()) words = parsed["message"];
  } else {
    words = answer.body;
  }
  if (text::trim(words).empty()) words = "status " + std::to_string(answer.status);
  const std::string line = text::one_line(words);
  return std::string(text::prefix(text::trim(line), 600));
}

Failure refusal(std::string_view what, const Api::Answer& answer) {
  const std::string words = error_text(answer);
  return {Reason::engine,
          "The container engine refused to " + std::string(what) + ": " + words + advice_on(words) + "."};
}

}  // namespace codebox::engine
