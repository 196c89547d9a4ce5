#include "mcp/endpoint.hpp"

#include <nlohmann/json.hpp>
#include <optional>

#include "base/text.hpp"
#include "mcp/headers.hpp"
#include "mcp/json_reader.hpp"
#include "mcp/methods.hpp"
#include "mcp/modern.hpp"
#include "mcp/protocol.hpp"
#include "mcp/running.hpp"

namespace codebox::mcp {
namespace {

using nlohmann::json;

// A client library of this protocol refuses one event of more than 1 MiB.
constexpr std::size_t max_event = 1000000;
constexpr std::size_t max_batch = 32;
constexpr const char* json_type = "application/json";
constexpr const char* event_type = "text/event-stream";

/// One POST while it is being answered; on the stack of its thread.
struct Exchange {
  const Post& post;
  std::stop_token gone;
  Heartbeat& heartbeat;
  bool events = false;                ///< answer as one event
  bool beating = false;               ///< the heartbeat was told
  std::vector<std::string> versions;  ///< every MCP-Protocol-Version header
  bool said = false;                  ///< a notification went ahead
  bool talkative = false;  ///< notifications may go ahead of the answer, which then comes as an event
};

Answer accepted() {
  return Answer{202, "", {}, ""};
}

std::string event(const std::string& message) {
  return "event: message\ndata: " + message + "\n\n";
}

Answer render(const Exchange& exchange, int status, std::string body) {
  if (!exchange.said && (!exchange.events || status != 200))
    return Answer{status, json_type, {}, std::move(body)};
  return Answer{200,
                event_type,
                {{"Cache-Control", "no-cache, no-transform"}, {"X-Accel-Buffering", "no"}},
                event(body)};
}

Answer render(const Exchange& exchange, const std::string& id, const Reply& reply) {
  return render(exchange, reply.status, envelope(id, reply));
}

std::string readable_id(const json& message) {
  if (!message.is_object() || !message.contains("id")) return "null";
  return id_text(message.at("id")).value_or("null");
}

bool has_modern_meta(const json& message) {
  const auto params = message.find("params");
  if (params == message.end() || !params->is_object()) return false;
  const auto meta = params->find("_meta");
  return meta != params->end() && meta->is_object() && meta->contains(meta_version);
}

// The version negotiation of initialize belongs to its body, whatever a header says.
bool is_modern(const json& message, const std::vector<std::string>& versions) {
  if (has_modern_meta(message)) return true;
  if (message.contains("method") && message.at("method") == "initialize") return false;
  for (const auto& version : versions) {
    if (!is_legacy(version)) return true;
  }
  return false;
}

// What is wrong with the shape of a request or notification in any era.
std::optional<std::string> malformed(const json& message) {
  if (!message.is_object()) return "A JSON-RPC message is an object.";
  if (!message.contains("jsonrpc") || message.at("jsonrpc") != "2.0")
    return "The member jsonrpc must be \"2.0\".";
  if (message.contains("id") && !id_text(message.at("id"))) {
    return "The id of a request must be a short text or an integer.";
  }
  if (message.contains("method") && !message.at("method").is_string())
    return "The member method must be a text.";
  if (message.contains("method") || message.contains("result") || message.contains("error"))
    return std::nullopt;
  return "The message has no method.";
}

class HttpEndpoint : public Endpoint {
 public:
  HttpEndpoint(Tools& tools, const std::string& version) : tools_(tools), methods_(tools, version) {}

  Answer post(Post post, std::stop_token gone, Heartbeat& heartbeat) override {
    Exchange exchange{post,  std::move(gone), heartbeat,
                      false, false,           values(post.headers, "MCP-Protocol-Version")};
    if (!declares_json(post.headers)) {
      return {415,
              json_type,
              {},
              refusal(post.body, code::invalid_request, "Send Content-Type: application/json.")};
    }
    const Form form = accepted_form(post.headers);
    if (form == Form::none) {
      return {406,
              json_type,
              {},
              refusal(post.body, code::invalid_request, "Accept application/json or text/event-stream.")};
    }
    exchange.events = form == Form::events;
    exchange.talkative = names_events(post.headers);
    auto message = read_json(post.body);
    // Large, it would lie there for as long as a call takes.
    std::string().swap(post.body);
    if (!message) {
      const bool shape = message.failure().reason == Reason::too_large;
      return render(exchange, "null",
                    error(400, shape ? code::invalid_request : code::parse, message.failure().message));
    }
    return message->is_array() ? batch(*message, exchange) : single(*message, exchange);
  }

 private:
  Answer single(json& message, Exchange& exchange) {
    if (const auto fault = malformed(message)) {
      return render(exchange, readable_id(message), error(400, code::invalid_request, *fault));
    }
    const bool modern = is_modern(message, exchange.versions);
    if (!message.contains("method")) {
      if (!modern) return accepted();
      return render(
          exchange, readable_id(message),
          error(400, code::invalid_request, "A client sends no responses in this protocol version."));
    }
    if (!message.contains("id")) {
      if (const auto refused = refuse_notification(exchange)) return render(exchange, "null", *refused);
      notify(message, modern, exchange);
      return accepted();
    }
    return render(exchange, readable_id(message), request(message, modern, exchange));
  }

  // Batches exist in the two oldest versions alone, and initialize stands outside of them.
  Answer batch(json& messages, Exchange& exchange) {
    const auto& versions = exchange.versions;
    const bool old =
        versions.empty() ||
        (versions.size() == 1 && (versions[0] == legacy_versions[0] || versions[0] == legacy_versions[1]));
    std::string fault;
    if (!old) fault = "This protocol version has no batches: send one message in each request.";
    if (messages.empty()) fault = "The batch is empty.";
    if (messages.size() > max_batch)
      fault = "A batch holds at most " + std::to_string(max_batch) + " messages.";
    for (const auto& message : messages) {
      if (message.is_object() && has_modern_meta(message)) fault = "This protocol version has no batches.";
    }
    if (!fault.empty()) return render(exchange, "null", error(400, code::invalid_request, fault));

    exchange.talkative = false;
    std::string answers;
    for (auto& message : messages) {
      const std::string answer = batched(message, exchange);
      if (!answer.empty()) answers += (answers.empty() ? "" : ",") + answer;
    }
    return answers.empty() ? accepted() : render(exchange, 200, '[' + answers + ']');
  }

  std::string batched(json& message, Exchange& exchange) {
    const std::string id = readable_id(message);
    if (const auto fault = malformed(message)) return envelope(id, error(400, code::invalid_request, *fault));
    if (!message.contains("method")) return {};
    if (!message.contains("id")) {
      notify(message, false, exchange);
      return {};
    }
    if (message.at("method") == "initialize") {
      return envelope(id, error(400, code::invalid_request, "initialize must not be part of a batch."));
    }
    return envelope(id, request(message, false, exchange));
  }

  static std::optional<Reply> refuse_notification(const Exchange& exchange) {
    for (const auto& version : exchange.versions) {
      if (!is_legacy(version) && version != modern_version) return unsupported_version(version);
    }
    return std::nullopt;
  }

  // Closing the connection is the only cancel of the modern era: there, a notification names nothing.
  void notify(const json& message, bool modern, const Exchange& exchange) {
    if (modern || message.at("method") != "notifications/cancelled") return;
    const auto params = message.find("params");
    if (params == message.end() || !params->is_object() || !params->contains("requestId")) return;
    if (const auto id = id_text(params->at("requestId"))) running_.cancel(exchange.post.caller.user, *id);
  }

  Reply request(json& message, bool modern, Exchange& exchange) {
    const auto& method = message.at("method").get_ref<const std::string&>();
    json absent;
    json& params = message.contains("params") ? message.at("params") : absent;
    if (!params.is_null() && !params.is_object()) {
      return error(modern ? 400 : 200, code::invalid_params, "The member params must be an object.");
    }
    if (modern) {
      if (auto refused = refuse_modern(exchange.post.headers, method, params, tools_)) return *refused;
    } else if (exchange.versions.size() > 1) {
      return error(400, code::invalid_request, "The header MCP-Protocol-Version came twice.");
    }
    std::stop_source stop;
    const std::stop_callback leave(exchange.gone, [&stop] { stop.request_stop(); });
    std::optional<Running::Listed> listed;
    if (!modern && method == "tools/call") {
      listed.emplace(running_, exchange.post.caller.user, readable_id(message), stop);
    }
    const Turn turn{exchange.post.caller,
                    stop.get_token(),
                    [&exchange] { begin(exchange); },
                    modern,
                    [&exchange] { return exchange.events ? max_event : 0; },
                    [&exchange](const std::string& notice) { announce(exchange, notice); }};
    return methods_.run(method, params, turn);
  }

  // The answer becomes a stream of events with the first notification, unless it has begun as something else.
  static void announce(Exchange& exchange, const std::string& message) {
    if (exchange.talkative && message.size() <= max_event &&
        exchange.heartbeat.say(event_type, event(message)))
      exchange.events = exchange.said = true;
  }

  static void begin(Exchange& exchange) {
    if (exchange.beating) return;
    exchange.beating = true;
    exchange.heartbeat.may_begin(exchange.events ? event_type : json_type);
  }

  Tools& tools_;
  Methods methods_;
  Running running_;
};

}  // namespace

std::unique_ptr<Endpoint> make_endpoint(Tools& tools, const std::string& version) {
  return std::make_unique<HttpEndpoint>(tools, version);
}

std::string refusal(const std::string& body, int code, const std::string& message) {
  const auto parsed = read_json(body);
  return envelope(parsed ? readable_id(*parsed) : "null", error(400, code, message));
}

}  // namespace codebox::mcp
