#include "mcp/notices.hpp"

#include <nlohmann/json.hpp>

#include "mcp/json_reader.hpp"
#include "mcp/protocol.hpp"

namespace codebox::mcp {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

std::size_t rank(std::string_view level) {
  return static_cast<std::size_t>(std::find(log_levels.begin(), log_levels.end(), level) -
                                  log_levels.begin());
}

}  // namespace

Notices::Notices(const json& params, bool modern, std::function<void(const std::string&)> notify)
    : level_(modern ? log_levels.size() : rank("info")), notify_(std::move(notify)) {
  const auto meta = params.find("_meta");
  if (meta == params.end() || !meta->is_object()) return;
  if (const auto token = meta->find(meta_progress_token); token != meta->end())
    token_ = id_text(*token).value_or("");
  const auto level = meta->find(meta_log_level);
  if (modern && level != meta->end() && level->is_string())
    level_ = rank(level->get_ref<const std::string&>());
}

void Notices::tell(const Notice& notice) const {
  const bool progress = notice.level.empty();
  if (!notify_ ||
      (progress ? token_.empty() : rank(notice.level) < level_ || rank(notice.level) >= log_levels.size()))
    return;
  ordered_json params;
  if (progress) {
    params["progressToken"] = ordered_json::parse(token_);
    params["progress"] = notice.value;
    if (notice.total > 0) params["total"] = notice.total;
    if (!notice.message.empty()) params["message"] = notice.message;
  } else {
    params["level"] = notice.level;
    if (!notice.logger.empty()) params["logger"] = notice.logger;
    params["data"] = ordered_json::parse(notice.data, nullptr, false);
  }
  const ordered_json out = {{"jsonrpc", "2.0"},
                            {"method", progress ? "notifications/progress" : "notifications/message"},
                            {"params", std::move(params)}};
  notify_(out.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
}

}  // namespace codebox::mcp
