#include "app/arrived.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "openwebui/reference.hpp"

namespace codebox::app {
namespace {

const char* state_of(const http::Request& request, const char* name) {
  const bool there = std::any_of(request.headers.begin(), request.headers.end(), [&](const auto& header) {
    return text::lower(header.first) == text::lower(name);
  });
  const std::string value = request.header(name);
  if (!there) return "absent";
  if (value.empty()) return "empty";
  if (value.find("{{") != std::string::npos) return "unfilled";
  return openwebui::is_uuid(value) ? "id" : "other";
}

}  // namespace

http::Response arrived(const http::Request& request, const Result<Caller>& caller) {
  const nlohmann::ordered_json out = {{"server", "codebox"},
                                      {"token", caller ? "ok" : caller.failure().message},
                                      {"chat", state_of(request, "X-OpenWebUI-Chat-Id")},
                                      {"message", state_of(request, "X-OpenWebUI-Message-Id")}};
  http::Response response;
  response.headers.emplace_back("Cache-Control", "no-store");
  response.body = out.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return response;
}

}  // namespace codebox::app
