#include "mcp/json_reader.hpp"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "mcp/long_texts.hpp"

namespace codebox::mcp {
namespace {

using nlohmann::json;

constexpr std::size_t max_depth = 64;
constexpr std::size_t max_values = 250000;
constexpr std::size_t max_id = 1024;

struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Watches a parser at work, gives it the long texts and stops it by throwing; one use each.
class Watch {
 public:
  explicit Watch(LongTexts& long_texts) : long_texts_(long_texts) {}

  bool operator()(int depth, json::parse_event_t event, json& parsed) {
    const auto level = static_cast<std::size_t>(depth);
    if (level > max_depth)
      throw Refused("The JSON is nested deeper than " + std::to_string(max_depth) + " levels.");
    if (++values_ > max_values) {
      throw Refused("The JSON holds more than " + std::to_string(max_values) + " values.");
    }
    if (parsed.is_string()) {
      if (const auto text = long_texts_.next()) parsed.get_ref<std::string&>() = *text;
    }
    if (event == json::parse_event_t::object_start) {
      names_.resize(level + 2);
      names_[level + 1].clear();
    } else if (event == json::parse_event_t::key) {
      const auto& name = parsed.get_ref<const std::string&>();
      if (!names_[level].insert(name).second) {
        throw Refused("The JSON names the member " + text::quoted(name, 60) + " twice in one object.");
      }
    }
    return true;
  }

 private:
  LongTexts& long_texts_;
  std::size_t values_ = 0;
  std::vector<std::set<std::string>> names_;  ///< of the object now open at each depth
};

}  // namespace

Result<json> read_json(const std::string& text) {
  if (text::trim(text).empty())
    return Failure{Reason::invalid, "The body is empty: send one JSON-RPC message."};
  if (!text::is_utf8(text))
    return Failure{Reason::invalid, "The body is not valid UTF-8: send JSON as UTF-8."};
  LongTexts long_texts(text);
  try {
    Watch watch(long_texts);
    return json::parse(long_texts.rest(), [&watch](int depth, json::parse_event_t event, json& parsed) {
      return watch(depth, event, parsed);
    });
  } catch (const Refused& refused) {
    return Failure{Reason::too_large, refused.what()};
  } catch (const json::parse_error& broken) {
    return Failure{Reason::invalid, "The body is not JSON: it breaks at byte " +
                                        std::to_string(long_texts.place(broken.byte)) + '.'};
  } catch (const json::exception&) {
    return Failure{Reason::invalid,
                   "The body is not JSON that this server can hold: a number is out of range."};
  }
}

std::optional<std::string> id_text(const json& id) {
  if (id.is_number_integer()) return id.dump();
  if (id.is_string() && id.get_ref<const std::string&>().size() <= max_id) return id.dump();
  return std::nullopt;
}

}  // namespace codebox::mcp
