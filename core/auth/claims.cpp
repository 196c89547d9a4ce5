#include "auth/claims.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/text.hpp"

namespace codebox::auth {
namespace {

using nlohmann::json;

constexpr std::size_t max_id = 256;
constexpr std::size_t max_depth = 16;
constexpr double latest = 253402300799.0;  // the last second of the year 9999

Failure refused(std::string message) {
  return Failure{Reason::unauthorized, std::move(message)};
}

Result<json> read_object(const std::string& text, const char* what) {
  const Failure bad =
      refused(std::string("The token's ") + what + " is not one JSON object with each member once.");
  std::vector<std::set<std::string>> names;
  try {
    json read = json::parse(text, [&names](int depth, json::parse_event_t event, json& parsed) {
      const auto level = static_cast<std::size_t>(depth);
      if (level > max_depth) throw std::length_error("too deep");
      if (event == json::parse_event_t::object_start) {
        names.resize(level + 2);
        names[level + 1].clear();
      } else if (event == json::parse_event_t::key &&
                 !names[level].insert(parsed.get<std::string>()).second) {
        throw std::invalid_argument("named twice");
      }
      return true;
    });
    if (!read.is_object()) return bad;
    return read;
  } catch (const std::exception&) {
    return bad;
  }
}

/// A claim that is a date in seconds; absent is fine, anything else but a date is not.
Result<std::optional<double>> date(const json& claims, const char* name) {
  const auto claim = claims.find(name);
  if (claim == claims.end()) return std::optional<double>();
  const double seconds = claim->is_number() ? claim->get<double>() : -1;
  if (std::isfinite(seconds) && seconds >= 0 && seconds <= latest) return std::optional<double>(seconds);
  return refused(std::string("The token's ") + name + " is not a date in seconds.");
}

}  // namespace

Result<void> check_header(const std::string& json_text, const std::string& algorithm) {
  const auto header = read_object(json_text, "header");
  if (!header) return header.failure();
  const auto named = header->find("alg");
  if (named == header->end() || !named->is_string()) {
    return refused("The token's header names no algorithm: this server accepts " + algorithm + " only.");
  }
  const auto& name = named->get_ref<const std::string&>();
  if (name != algorithm) {
    return refused("The token's algorithm is " + text::quoted(name, 20) + ": this server accepts " +
                   algorithm + " only (JWT_ALGORITHM).");
  }
  if (header->contains("crit"))
    return refused("The token's header demands extensions (crit): none is known here.");
  return {};
}

Result<std::string> user_id(const std::string& json_text, WallTime now, std::chrono::seconds leeway) {
  const auto claims = read_object(json_text, "payload");
  if (!claims) return claims.failure();
  const auto expires = date(*claims, "exp");
  const auto begins = date(*claims, "nbf");
  const auto issued = date(*claims, "iat");
  for (const auto* claim : {&expires, &begins, &issued}) {
    if (!*claim) return claim->failure();
  }
  const double seconds = std::chrono::duration<double>(now.time_since_epoch()).count();
  const double slack = std::chrono::duration<double>(leeway).count();
  if (expires->has_value() && seconds >= **expires + slack) {
    return refused("The token has expired: sign in to Open WebUI again.");
  }
  if ((begins->has_value() && seconds + slack < **begins) ||
      (issued->has_value() && seconds + slack < **issued)) {
    return refused(
        "The token is not valid yet: set the clocks of Open WebUI's machine and of this one right.");
  }
  const auto id = claims->find("id");
  if (id == claims->end() || !id->is_string() || !is_user_id(id->get_ref<const std::string&>())) {
    return refused(
        "The token's id names no user: it must be a text of 1 to 256 bytes, as Open WebUI's tokens have.");
  }
  return id->get<std::string>();
}

bool is_user_id(const std::string& id) {
  return id.size() <= max_id && !text::trim(id).empty() && text::is_utf8(id) && text::one_line(id) == id;
}

}  // namespace codebox::auth
