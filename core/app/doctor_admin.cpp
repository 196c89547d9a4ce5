#include "app/doctor_admin.hpp"

#include <nlohmann/json.hpp>

#include "openwebui/multipart.hpp"

namespace codebox::app::doctor {
namespace {

using nlohmann::json;
using openwebui::Reply;

constexpr std::chrono::seconds patience{20};

}  // namespace

Result<Reply> Administrator::get(const std::string& path) const {
  openwebui::Request request{.path = path, .token = token_};
  request.limit = 4U << 20U;
  return client_.exchange(request, std::chrono::steady_clock::now() + patience, {});
}

Result<Reply> Administrator::post(const std::string& path, const json& body) const {
  openwebui::Request request{.path = path, .token = token_};
  request.content_type = "application/json";
  return send(std::move(request), body.dump(-1, ' ', false, json::error_handler_t::replace));
}

Result<Reply> Administrator::upload(const std::string& name, const std::string& content) const {
  const auto form = openwebui::multipart_of(name, "text/plain");
  openwebui::Request request{.path = "/api/v1/files/?process=false", .token = token_};
  request.content_type = form.content_type;
  return send(std::move(request), form.head + content + form.tail);
}

Result<Reply> Administrator::remove(const std::string& path) const {
  openwebui::Request request{.path = path, .token = token_};
  request.method = "DELETE";
  return client_.exchange(request, std::chrono::steady_clock::now() + patience, {});
}

Result<Reply> Administrator::send(openwebui::Request request, const std::string& body) const {
  request.length = body.size();
  request.body = [&](ByteSink& sink) { return sink.write(body); };
  request.limit = 4U << 20U;
  return client_.exchange(request, std::chrono::steady_clock::now() + patience, {});
}

json read(const Result<Reply>& reply) {
  return reply && reply->status == 200 ? json::parse(reply->body, nullptr, false) : json(nullptr);
}

json member(const json& value, const char* key) {
  if (!value.is_object()) return nullptr;
  const auto found = value.find(key);
  return found == value.end() ? json(nullptr) : *found;
}

std::string text_of(const json& value, const char* key) {
  const json found = member(value, key);
  return found.is_string() ? found.get<std::string>() : "";
}

}  // namespace codebox::app::doctor
