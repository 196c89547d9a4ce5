#include "app/routes.hpp"

#include <cstdlib>

#include "base/log.hpp"
#include "base/text.hpp"
#include "mcp/http_rules.hpp"

namespace codebox::app {
namespace {

// An unauthenticated body up to this size is still read, so that the refusal can carry the request's id.
constexpr std::uint64_t small_body = 64 * 1024;

bool is_endpoint(const std::string& path) {
  return path == "/mcp" || path == "/mcp/";
}

http::Response json_error(int status, const std::string& message) {
  http::Response response;
  response.status = status;
  response.body = "{\"error\":" + text::json_string(message) + "}";
  return response;
}

http::Response rpc_error(int status, const std::string& body, int code, const std::string& message) {
  http::Response response;
  response.status = status;
  response.body = mcp::refusal(body, code, message);
  return response;
}

http::Response unauthorized(const http::Request& request, const Failure& failure) {
  // Facts of the token itself belong into the operator's log; the caller gets the same sentence.
  log::info("refused a caller from " + request.peer + ": " + failure.message);
  const bool offline = failure.reason == Reason::offline;
  http::Response response =
      rpc_error(offline ? 503 : 401, request.body, offline ? 1503 : 1401, failure.message);
  if (!offline) {
    response.headers.emplace_back("WWW-Authenticate",
                                  request.header("Authorization").empty()
                                      ? "Bearer realm=\"codebox\""
                                      : "Bearer realm=\"codebox\", error=\"invalid_token\"");
  } else {
    response.headers.emplace_back("Retry-After", "5");
  }
  return response;
}

void add_all(http::Response& response, const mcp::Headers& headers) {
  response.headers.insert(response.headers.end(), headers.begin(), headers.end());
}

// A picture is shown, anything else is saved under its own name (RFC 6266, RFC 8187).
std::string disposition(const store::Opened& file) {
  const bool shown = file.content_type.starts_with("image/");
  std::string name;
  for (const char c : file.name) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
    if (plain.find(c) != std::string_view::npos) {
      name += c;
    } else {
      constexpr const char* digits = "0123456789ABCDEF";
      const auto byte = static_cast<unsigned char>(c);
      name += {'%', digits[byte >> 4], digits[byte & 15]};
    }
  }
  return std::string(shown ? "inline" : "attachment") + "; filename*=UTF-8''" + name;
}

// Passes the endpoint's wish for a heartbeat on to the transport.
class Beat : public mcp::Heartbeat {
 public:
  explicit Beat(http::Heartbeat& next) : next_(next) {}
  void may_begin(const std::string& content_type) override {
    next_.may_begin(content_type, content_type == "text/event-stream" ? ": keepalive\n\n" : " ");
  }

 private:
  http::Heartbeat& next_;
};

}  // namespace

std::optional<http::Response> Routes::refuse(const http::Request& head) {
  if (!is_endpoint(head.path)) return std::nullopt;
  const std::string origin = head.header("Origin");
  if (!mcp::origin_allowed(origin, head.header("Host"), parts_.allowed_origins)) {
    return rpc_error(403, "", 1403,
                     "Pages of " + text::quoted(origin) +
                         " may not call this server: list the origin in ALLOWED_ORIGINS.");
  }
  if (head.method != "POST" || head.header("Content-Length").empty()) return std::nullopt;
  const std::uint64_t length = std::strtoull(head.header("Content-Length").c_str(), nullptr, 10);
  if (length <= small_body) return std::nullopt;
  const auto caller = caller_of(head);
  if (caller) return std::nullopt;
  http::Response response = unauthorized(head, caller.failure());
  add_all(response, mcp::cors_headers(origin));
  return response;
}

http::Response Routes::handle(const http::Request& request, http::Heartbeat& heartbeat) {
  if (is_endpoint(request.path)) {
    const std::string origin = request.header("Origin");
    http::Response response;
    if (request.method == "OPTIONS") {
      response.status = 204;
      add_all(response, mcp::preflight_headers(origin, request.header("Access-Control-Request-Headers")));
      return response;
    }
    if (request.method == "POST") {
      response = post(request, heartbeat);
    } else {
      response = rpc_error(405, "", -32600,
                           "This endpoint takes POST; it keeps no session and sends nothing unasked.");
      response.headers.emplace_back("Allow", mcp::allowed_methods);
    }
    add_all(response, mcp::cors_headers(origin));
    return response;
  }
  const bool reading = request.method == "GET" || request.method == "HEAD";
  if (reading && request.path == "/healthz") return {200, "application/json", {}, "{\"status\":\"ok\"}", {}};
  if (reading && request.path == "/readyz") return readiness();
  if (reading && parts_.store && request.path.starts_with("/files/")) return file(request);
  if (request.path == "/mcp/openapi.json" || request.path == "/openapi.json") {
    return json_error(404,
                      "This server speaks MCP: choose the type MCP (Streamable HTTP) for the connection, "
                      "with the URL that ends in /mcp.");
  }
  return json_error(404, "There is nothing at " + text::quoted(request.path) + ": the MCP endpoint is /mcp.");
}

Result<Caller> Routes::caller_of(const http::Request& request) const {
  const std::string authorization = request.header("Authorization");
  Caller caller{"", authorization.substr(authorization.find(' ') + 1), request.header("X-OpenWebUI-Chat-Id"),
                request.header("X-OpenWebUI-Message-Id")};
  const std::string key = parts_.key_owner ? auth::api_key(authorization) : std::string();
  if (key.empty()) {
    auto user = parts_.bearer.user(authorization);
    if (!user) return user.failure();
    caller.user = std::move(user->id);
    return caller;
  }
  auto owner = parts_.key_owner(key);
  if (!owner) return owner.failure();
  // Not proof of anything, but enough to see a connection where all people share one person's typed key.
  const std::string person = request.header("X-OpenWebUI-User-Id");
  if (!person.empty() && person != *owner) {
    return Failure{Reason::unauthorized,
                   "This API key of Open WebUI is another person's than the one who calls: set the "
                   "connection's authentication to Session instead of Bearer."};
  }
  caller.user = std::move(*owner);
  caller.token = key;
  return caller;
}

http::Response Routes::post(const http::Request& request, http::Heartbeat& heartbeat) {
  auto caller = caller_of(request);
  if (!caller) return unauthorized(request, caller.failure());
  if (parts_.check_user) {
    if (auto checked = parts_.check_user(*caller); !checked) return unauthorized(request, checked.failure());
  }
  Beat beat(heartbeat);
  mcp::Answer answer =
      parts_.endpoint.post({request.headers, request.body, std::move(*caller)}, request.gone, beat);
  http::Response response;
  response.status = answer.status;
  response.content_type = std::move(answer.content_type);
  response.body = std::move(answer.body);
  add_all(response, answer.headers);
  return response;
}

http::Response Routes::file(const http::Request& request) const {
  auto opened = parts_.store->open(request.path, request.query);
  if (!opened) return json_error(404, opened.failure().message);
  http::Response response;
  response.content_type = opened->content_type;
  response.file = opened->path.string();
  // A page that a program wrote must not run as a page of this server.
  response.headers.emplace_back(
      "Content-Security-Policy",
      "sandbox; default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'");
  response.headers.emplace_back("Cache-Control", "private, no-store");
  response.headers.emplace_back("Content-Disposition", disposition(*opened));
  return response;
}

http::Response Routes::readiness() const {
  const auto ready = parts_.ready();
  if (ready) return {200, "application/json", {}, "{\"status\":\"ready\"}", {}};
  return json_error(503, ready.failure().message);
}

}  // namespace codebox::app
