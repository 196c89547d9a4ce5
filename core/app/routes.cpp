#include "app/routes.hpp"

#include <cstdlib>

#include "app/arrived.hpp"
#include "base/encoding.hpp"
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

constexpr std::string_view tool_folder = "/tools/";

// The same tools, described by /openapi.json.
bool is_openapi(const std::string& path) {
  return path == "/openapi.json" || path.starts_with(tool_folder);
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

http::Response to_response(mcp::Answer answer) {
  return {
      answer.status, std::move(answer.content_type), std::move(answer.headers), std::move(answer.body), {}};
}

// A refusal in the shape that clients of this path read.
http::Response refusal(const http::Request& request, int status, int code, const Failure& failure) {
  if (is_openapi(request.path))
    return to_response(openapi::Endpoint::refusal(status, failure, request.headers));
  return rpc_error(status, request.body, code, failure.message);
}

http::Response unauthorized(const http::Request& request, const Failure& failure) {
  // Facts of the token itself belong into the operator's log; the caller gets the same sentence.
  log::info("refused a caller from " + request.peer + ": " + failure.message);
  if (failure.reason == Reason::offline) {
    http::Response response = refusal(request, 503, 1503, failure);
    if (!is_openapi(request.path)) response.headers.emplace_back("Retry-After", "5");
    return response;
  }
  http::Response response = refusal(request, 401, 1401, failure);
  response.headers.emplace_back("WWW-Authenticate",
                                request.header("Authorization").empty()
                                    ? "Bearer realm=\"codebox\""
                                    : "Bearer realm=\"codebox\", error=\"invalid_token\"");
  return response;
}

http::Response wrong_method(const http::Request& request, const char* allowed, const std::string& sentence) {
  http::Response response = refusal(request, 405, -32600, {Reason::invalid, sentence});
  response.headers.emplace_back("Allow", allowed);
  return response;
}

void add_all(http::Response& response, const mcp::Headers& headers) {
  response.headers.insert(response.headers.end(), headers.begin(), headers.end());
}

// A picture is shown, anything else is saved under its own name (RFC 6266, RFC 8187).
std::string disposition(const store::Opened& file) {
  const bool shown = file.content_type.starts_with("image/");
  return std::string(shown ? "inline" : "attachment") + "; filename*=UTF-8''" +
         encoding::to_percent(file.name);
}

// Passes the endpoint's wish for a heartbeat on to the transport.
class Beat : public mcp::Heartbeat {
 public:
  explicit Beat(http::Heartbeat& next) : next_(next) {}
  void may_begin(const std::string& content_type) override {
    if (content_type == "text/event-stream") return next_.may_begin(content_type, ": keepalive\n\n");
    next_.may_begin(content_type, content_type == "application/json" ? " " : "\n");
  }
  bool say(const std::string& content_type, const std::string& text) override {
    return next_.say(content_type, text, ": keepalive\n\n");
  }

 private:
  http::Heartbeat& next_;
};

}  // namespace

std::optional<http::Response> Routes::refuse(const http::Request& head) {
  if (!is_endpoint(head.path) && !is_openapi(head.path)) return std::nullopt;
  const std::string origin = head.header("Origin");
  if (!mcp::origin_allowed(origin, head.header("Host"), parts_.allowed_origins)) {
    return refusal(
        head, 403, 1403,
        {Reason::unauthorized, "Pages of " + text::quoted(origin) +
                                   " may not call this server: list the origin in ALLOWED_ORIGINS."});
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

http::Response Routes::handle(http::Request& request, http::Heartbeat& heartbeat) {
  if (is_endpoint(request.path) || is_openapi(request.path)) {
    const std::string origin = request.header("Origin");
    http::Response response;
    if (request.method == "OPTIONS") {
      response.status = 204;
      add_all(response, mcp::preflight_headers(origin, request.header("Access-Control-Request-Headers")));
      return response;
    }
    response = answer(request, heartbeat);
    add_all(response, mcp::cors_headers(origin));
    return response;
  }
  const bool reading = request.method == "GET" || request.method == "HEAD";
  if (reading && request.path == "/healthz") return {200, "application/json", {}, "{\"status\":\"ok\"}", {}};
  if (reading && request.path == "/readyz") return readiness();
  if (reading && request.path == arrived_path) return arrived(request, known_caller(request));
  if (reading && parts_.store && request.path.starts_with("/files/")) return file(request);
  if (request.path == "/mcp/openapi.json") {
    return json_error(404,
                      "The URL that ends in /mcp speaks MCP: choose the type MCP (Streamable HTTP) for the "
                      "connection, or leave /mcp out of its URL.");
  }
  return json_error(404, "There is nothing at " + text::quoted(request.path) +
                             ": the MCP endpoint is /mcp, and /openapi.json describes the tools for others.");
}

http::Response Routes::answer(http::Request& request, http::Heartbeat& heartbeat) {
  if (request.path == "/openapi.json") {
    if (request.method != "GET" && request.method != "HEAD")
      return wrong_method(request, "GET, OPTIONS", "The description of the tools is read with GET.");
    return to_response(parts_.openapi.describe());
  }
  if (request.method == "POST") {
    return is_openapi(request.path) ? tools(request, heartbeat) : post(request, heartbeat);
  }
  if (is_openapi(request.path))
    return wrong_method(request, mcp::allowed_methods, "A tool is called with POST; /openapi.json says how.");
  return wrong_method(request, mcp::allowed_methods,
                      "This endpoint takes POST; it keeps no session and sends nothing unasked.");
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

Result<Caller> Routes::known_caller(const http::Request& request) const {
  auto caller = caller_of(request);
  if (!caller || !parts_.check_user) return caller;
  if (auto checked = parts_.check_user(*caller); !checked) return checked.failure();
  return caller;
}

http::Response Routes::post(http::Request& request, http::Heartbeat& heartbeat) {
  auto caller = known_caller(request);
  if (!caller) return unauthorized(request, caller.failure());
  Beat beat(heartbeat);
  return to_response(parts_.endpoint.post({request.headers, std::move(request.body), std::move(*caller)},
                                          request.gone, beat));
}

http::Response Routes::tools(http::Request& request, http::Heartbeat& heartbeat) const {
  auto caller = known_caller(request);
  if (!caller) return unauthorized(request, caller.failure());
  std::string name = request.path.substr(tool_folder.size());
  if (name.ends_with('/')) name.pop_back();
  Beat beat(heartbeat);
  return to_response(parts_.openapi.call(name, {request.headers, std::move(request.body), std::move(*caller)},
                                         request.gone, beat));
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
