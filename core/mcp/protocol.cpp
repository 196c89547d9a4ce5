#include "mcp/protocol.hpp"

#include <utility>

#include "base/text.hpp"

namespace codebox::mcp {

Reply success(std::string result) {
  Reply reply;
  reply.result = std::move(result);
  return reply;
}

Reply error(int status, int code, std::string message, std::string data) {
  return Reply{status, {}, code, std::move(message), std::move(data)};
}

std::string envelope(const std::string& id, const Reply& reply) {
  std::string out = R"({"jsonrpc":"2.0","id":)" + id;
  if (reply.code == 0) return out + ",\"result\":" + reply.result + '}';
  out += ",\"error\":{\"code\":" + std::to_string(reply.code);
  out += ",\"message\":" + text::json_string(reply.message);
  if (!reply.data.empty()) out += ",\"data\":" + reply.data;
  return out + "}}";
}

}  // namespace codebox::mcp
