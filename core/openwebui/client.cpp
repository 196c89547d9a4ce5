#include "openwebui/client.hpp"

#include <Poco/Crypto/X509Certificate.h>
#include <Poco/Exception.h>
#include <Poco/Net/Context.h>
#include <Poco/Net/HTTPClientSession.h>
#include <Poco/Net/HTTPRequest.h>
#include <Poco/Net/HTTPResponse.h>
#include <Poco/Net/SSLException.h>
#include <Poco/Net/SecureStreamSocket.h>
#include <Poco/URI.h>

#include <istream>
#include <ostream>
#include <vector>

#include "base/text.hpp"
#include "openwebui/connection.hpp"
#include "openwebui/interrupt.hpp"

namespace codebox::openwebui {

using Poco::Net::HTTPClientSession;
using Poco::Net::HTTPRequest;
using Poco::Net::HTTPResponse;

/// The server of the settings, taken apart.
struct Client::Target {
  std::string host;
  std::uint16_t port = 0;
  std::string path;                       // without a trailing slash
  std::string shown;                      // for messages
  Poco::Net::Context::Ptr tls = nullptr;  // null for http
};

namespace {

constexpr std::size_t piece = 64U << 10U;

class StreamSink : public ByteSink {
 public:
  explicit StreamSink(std::ostream& out) : out_(out) {}
  Result<void> write(std::string_view bytes) override {
    written_ += bytes.size();
    if (!out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()))) broken_ = true;
    if (broken_) return Failure{Reason::offline, "it ended the connection while a file was being sent"};
    return {};
  }
  bool broken() const { return broken_; }
  std::uint64_t written() const { return written_; }

 private:
  std::ostream& out_;
  bool broken_ = false;
  std::uint64_t written_ = 0;
};

class StringSink : public ByteSink {
 public:
  Result<void> write(std::string_view bytes) override {
    text.append(bytes);
    return {};
  }
  std::string text;
};

// Why no certificates can be taken from this file; empty where they can, or where none is named.
std::string unusable_bundle(const std::string& file) {
  if (file.empty()) return "";
  try {
    return Poco::Crypto::X509Certificate::readPEM(file).empty() ? "it holds no certificate" : "";
  } catch (const Poco::Exception& error) {
    return text::one_line(error.displayText());
  }
}

Poco::Net::Context::Ptr context_of(const Options& options) {
  using Poco::Net::Context;
  const auto mode = options.verify_tls ? Context::VERIFY_STRICT : Context::VERIFY_NONE;
  const bool machine = options.ca_bundle.empty();
  Context::Ptr context = new Context(Context::CLIENT_USE, "", "", options.ca_bundle, mode, 9, machine);
  context->enableExtendedCertificateVerification(options.verify_tls);
  return context;
}

Failure unanswered(const std::string& shown, std::string_view why) {
  return {Reason::offline, "Open WebUI at " + shown + " does not answer (" +
                               text::one_line(text::to_utf8(why)) +
                               "): try again; if it stays so, the operator should check OWUI_BASE_URL."};
}

Failure unusable(const std::string& shown, const std::string& what) {
  return {Reason::offline, "Open WebUI at " + shown + " " + what};
}

Failure untrusted(const std::string& shown, std::string_view why) {
  return unusable(shown, "has a certificate or a way of TLS that is not trusted (" +
                             text::one_line(text::to_utf8(why)) +
                             "): the operator should name its authority's certificates in OWUI_CA_BUNDLE.");
}

// Why an exchange ended early, where the caller or the clock ended it.
Failure explained(const Interrupt& interrupt, const std::string& shown, Failure otherwise) {
  if (interrupt.cancelled())
    return {Reason::cancelled, "The call was cancelled while it waited for Open WebUI."};
  if (interrupt.timed_out()) {
    return {Reason::timeout,
            "Open WebUI at " + shown + " did not finish in the time that this call has: try again."};
  }
  return otherwise;
}

// Moves the reply's body to where it belongs.
Result<std::uint64_t> receive(std::istream& in, const HTTPResponse& response, std::uint64_t limit,
                              ByteSink& sink, const std::string& shown) {
  const bool announced = response.hasContentLength();
  const auto expected = announced ? static_cast<std::uint64_t>(response.getContentLength64()) : 0;
  const Failure too_large{Reason::too_large, "Open WebUI sent more than " + text::size(limit) +
                                                 ", which is the limit: use a smaller file."};
  if (announced && expected > limit) return too_large;
  std::vector<char> buffer(piece);
  std::uint64_t bytes = 0;
  while (in.good()) {
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    const auto count = static_cast<std::size_t>(in.gcount());
    if (count == 0) break;
    bytes += count;
    if (bytes > limit) return too_large;
    if (const auto written = sink.write({buffer.data(), count}); !written) return written.failure();
  }
  if (in.bad() || (announced && bytes != expected)) {
    return unusable(shown, "ended the connection in the middle of an answer: try again.");
  }
  return bytes;
}

Result<Reply> receive_reply(HTTPClientSession& session, const Request& request, const std::string& shown) {
  HTTPResponse response;
  std::istream& in = session.receiveResponse(response);
  Reply reply{.status = static_cast<int>(response.getStatus()), .body = {}, .bytes = 0};
  reply.date = response.get("Date", "");
  if (reply.status >= 300 && reply.status < 400) {
    return unusable(shown,
                    "answered with a redirect (" + std::to_string(reply.status) +
                        "), which is never followed with a person's token: OWUI_BASE_URL must name its "
                        "final address.");
  }
  if (text::lower(response.get("Content-Encoding", "identity")) != "identity") {
    return unusable(shown, "sent a compressed answer that was not asked for: take out the proxy before it.");
  }
  StringSink kept;
  const bool streamed = request.sink != nullptr && reply.status == HTTPResponse::HTTP_OK;
  auto moved = receive(in, response, request.limit, streamed ? *request.sink : kept, shown);
  if (!moved) return moved.failure();
  reply.bytes = *moved;
  reply.body = std::move(kept.text);
  return reply;
}

Result<Reply> converse(HTTPClientSession& session, HTTPRequest& head, const Request& request,
                       const std::string& shown) {
  std::ostream& out = session.sendRequest(head);
  if (request.body) {
    StreamSink sink(out);
    const auto sent = request.body(sink);
    if (!sent && !sink.broken()) return sent.failure();
    // A server that refuses early answers and closes; that answer says more than the broken pipe.
    if (sent && sink.written() != request.length) {
      return Failure{Reason::internal,
                     "A file for Open WebUI came out longer or shorter than announced: run again."};
    }
    out.flush();
  }
  return receive_reply(session, request, shown);
}

}  // namespace

Client::Client(std::unique_ptr<Target> target) : target_(std::move(target)) {}
Client::~Client() = default;

Result<std::unique_ptr<Client>> Client::make(const Options& options) {
  const Failure malformed{
      Reason::invalid,
      "OWUI_BASE_URL " + text::quoted(options.base_url) +
          " is not the address of a server: write it as http://host:port or https://host/path."};
  try {
    if (const std::string why = unusable_bundle(options.ca_bundle); !why.empty()) {
      return Failure{Reason::invalid, "OWUI_CA_BUNDLE " + text::quoted(options.ca_bundle) +
                                          " cannot be used (" + why +
                                          "): it must be a readable file of PEM certificates."};
    }
    if (options.base_url.find('@') != std::string::npos) {
      return Failure{Reason::invalid,
                     "OWUI_BASE_URL holds a user or a password, which are not used: write it as "
                     "http://host:port or https://host/path."};
    }
    const Poco::URI uri(options.base_url);
    const bool secure = uri.getScheme() == "https";
    if ((!secure && uri.getScheme() != "http") || uri.getHost().empty() || !uri.getRawQuery().empty() ||
        !uri.getFragment().empty()) {
      return malformed;
    }
    auto target = std::make_unique<Target>();
    target->host = uri.getHost();
    target->port = uri.getPort();
    Poco::URI path;
    path.setPath(uri.getPath());
    target->path = path.toString();
    while (target->path.ends_with('/')) target->path.pop_back();
    target->shown = uri.getScheme() + "://" + uri.getAuthority();
    if (secure) target->tls = context_of(options);
    return std::unique_ptr<Client>(new Client(std::move(target)));
  } catch (const Poco::Exception&) {
    return malformed;
  }
}

Result<Reply> Client::exchange(const Request& request, Time deadline, std::stop_token cancel) const {
  const Target& target = *target_;
  try {
    Poco::Net::StreamSocket socket;
    const auto opened = open_connection(target.host, target.port, deadline, cancel, socket);
    if (!opened && opened.failure().reason == Reason::cancelled) {
      return Failure{Reason::cancelled, "The call was cancelled while it waited for Open WebUI."};
    }
    if (!opened) return unanswered(target.shown, opened.failure().message);

    const Interrupt interrupt(socket.impl()->sockfd(), deadline, std::move(cancel));
    try {
      // HTTPSClientSession takes no connected socket, since it sets its port on it; over a secure socket the
      // plain session does the same.
      if (target.tls) socket = Poco::Net::SecureStreamSocket::attach(socket, target.host, target.tls);
      HTTPClientSession session(socket);
      session.setKeepAlive(true);  // else Poco closes the connection that it was just given
      const std::string usual = request.body ? HTTPRequest::HTTP_POST : HTTPRequest::HTTP_GET;
      HTTPRequest head(request.method ? request.method : usual, target.path + request.path,
                       HTTPRequest::HTTP_1_1);
      const bool standard = target.port == (target.tls ? 443 : 80);
      const bool v6 = target.host.find(':') != std::string::npos;
      const std::string name = v6 ? "[" + target.host + "]" : target.host;
      head.set("Host", standard ? name : name + ":" + std::to_string(target.port));
      if (!request.token.empty()) head.set("Authorization", "Bearer " + request.token);
      head.set("Accept-Encoding", "identity");
      head.set("User-Agent", "codebox");
      head.setKeepAlive(false);
      if (request.body) {
        head.setContentType(request.content_type);
        head.setContentLength64(static_cast<Poco::Int64>(request.length));
      }
      auto reply = converse(session, head, request, target.shown);
      if (reply) return reply;
      const bool ours = reply.failure().reason == Reason::offline;
      return ours ? explained(interrupt, target.shown, reply.failure()) : reply.failure();
    } catch (const Poco::Net::SSLException& error) {
      return explained(interrupt, target.shown, untrusted(target.shown, error.displayText()));
    } catch (const Poco::Exception& error) {
      return explained(interrupt, target.shown, unanswered(target.shown, error.displayText()));
    }
  } catch (const Poco::Exception& error) {
    return unanswered(target.shown, error.displayText());
  }
}

}  // namespace codebox::openwebui
