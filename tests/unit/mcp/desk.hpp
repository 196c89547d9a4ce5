#pragma once
#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "mcp/endpoint.hpp"

/// An endpoint with three tools behind it, and requests for it.
namespace codebox::test {

using nlohmann::json;

/// "echo" answers its arguments, "wait" blocks until it is cancelled, "mirror" has arguments in headers.
class FakeTools : public mcp::Tools {
 public:
  std::uint64_t edition() const override { return number; }
  std::atomic<std::uint64_t> number = 0;
  mutable std::atomic<int> lists = 0;
  std::vector<mcp::ToolInfo> list() const override {
    ++lists;
    const std::string mirror =
        R"({"type":"object","properties":{"city":{"type":"string","x-mcp-header":"City"},)"
        R"("count":{"type":"integer","x-mcp-header":"Count"},)"
        R"("on":{"type":"boolean","x-mcp-header":"On"}}})";
    return {{"echo", "Echo", "Says it again.", R"({"type":"object","properties":{"z":{},"a":{}}})", true},
            {"mirror", "Mirror", "Says it again.", mirror, true},
            {"wait", "", "Waits.", R"({"type":"object"})", false}};
  }
  bool has(const std::string& name) const override {
    return name == "echo" || name == "wait" || name == "mirror";
  }
  std::string input_schema(const std::string& name) const override {
    for (const auto& tool : list())
      if (tool.name == name) return tool.input_schema;
    return "";
  }

  mcp::ToolResult call(const std::string& name, json arguments, const Caller& caller,
                       std::stop_token cancel, const mcp::Tell& tell) override {
    for (const auto& notice : notices) tell(notice);
    {
      const std::lock_guard lock(mutex_);
      ++calls_;
      user_ = caller.user;
    }
    if (arguments.contains("throw")) throw std::runtime_error("a secret detail");
    if (name == "wait") return wait(cancel);
    if (answer_) return *answer_;
    return {{{mcp::Content::Kind::text, arguments.dump(), ""}}, false};
  }

  void answer(mcp::ToolResult result) { answer_ = std::make_unique<mcp::ToolResult>(std::move(result)); }
  int calls() const {
    const std::lock_guard lock(mutex_);
    return calls_;
  }
  std::string user() const {
    const std::lock_guard lock(mutex_);
    return user_;
  }
  /// What every call tells first.
  std::vector<mcp::Notice> notices;
  /// Called when "wait" has begun, on its thread.
  std::function<void()> begun = [] {};

 private:
  mcp::ToolResult wait(std::stop_token cancel) {
    std::mutex mutex;
    std::condition_variable_any stopped;
    std::unique_lock lock(mutex);
    begun();
    const bool in_time = !stopped.wait_for(lock, cancel, std::chrono::seconds(20), [] { return false; });
    return {
        {{mcp::Content::Kind::text, in_time && cancel.stop_requested() ? "stopped" : "never stopped", ""}},
        false};
  }

  mutable std::mutex mutex_;
  std::unique_ptr<mcp::ToolResult> answer_;
  int calls_ = 0;
  std::string user_;
};

struct FakeHeartbeat : mcp::Heartbeat {
  void may_begin(const std::string& content_type) override { types.push_back(content_type); }
  bool say(const std::string& content_type, const std::string& text) override {
    if (deaf) return false;
    types.push_back(content_type);
    said += text;
    return true;
  }
  std::string said;
  bool deaf = false;
  std::vector<std::string> types;
};

/// One request and its answer at a time.
class Desk {
 public:
  FakeTools tools;
  FakeHeartbeat heartbeat;
  std::unique_ptr<mcp::Endpoint> endpoint = mcp::make_endpoint(tools, "1.2.3");

  mcp::Answer post(mcp::Headers headers, const std::string& body, std::stop_token gone = {},
                   const std::string& user = "ann") {
    FakeHeartbeat own;
    own.deaf = heartbeat.deaf;
    Caller caller;
    caller.user = user;
    const auto answer = endpoint->post({std::move(headers), body, caller}, gone, own);
    heartbeat.types = own.types;
    heartbeat.said = own.said;
    return answer;
  }

  /// A request as clients of the handshake's era send it.
  mcp::Answer legacy(const json& body, const std::string& version = "2025-06-18") {
    return post(legacy_headers(version), body.dump());
  }

  static mcp::Headers plain_headers() {
    return {{"Content-Type", "application/json"}, {"Accept", "application/json, text/event-stream"}};
  }
  static mcp::Headers legacy_headers(const std::string& version = "2025-06-18") {
    auto headers = plain_headers();
    if (!version.empty()) headers.emplace_back("MCP-Protocol-Version", version);
    return headers;
  }
  static mcp::Headers modern_headers(const std::string& method, const std::string& name = "") {
    auto headers = legacy_headers("2026-07-28");
    headers.emplace_back("Mcp-Method", method);
    if (!name.empty()) headers.emplace_back("Mcp-Name", name);
    return headers;
  }
  static json meta(const std::string& version = "2026-07-28") {
    return {{"io.modelcontextprotocol/protocolVersion", version},
            {"io.modelcontextprotocol/clientCapabilities", json::object()}};
  }
  static json request(const std::string& method, json params = {}, json id = 1) {
    json out = {{"jsonrpc", "2.0"}, {"id", std::move(id)}, {"method", method}};
    if (!params.is_null()) out["params"] = std::move(params);
    return out;
  }
  static json modern_request(const std::string& method, json params = json::object(), json id = 1) {
    params["_meta"] = meta();
    return request(method, std::move(params), std::move(id));
  }
  mcp::Answer modern(const std::string& method, json params = json::object(), json id = 1) {
    const std::string name = params.value("name", "");
    return post(modern_headers(method, name),
                modern_request(method, std::move(params), std::move(id)).dump());
  }
};

inline json body(const mcp::Answer& answer) {
  return json::parse(answer.body);
}
inline int error_code(const mcp::Answer& answer) {
  return body(answer).at("error").at("code").get<int>();
}

}  // namespace codebox::test
