#include "mcp/json_reader.hpp"

#include <charconv>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
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

/// The first escape that is half of a surrogate pair, as it stands in `text`: a text of JSON may hold one,
/// but it is no character, and no UTF-8 can say it. Empty where there is none.
std::string lone_surrogate(std::string_view text) {
  const auto half = [&](std::size_t at) {
    unsigned value = 0;
    if (at + 6 > text.size() || text.substr(at, 2) != "\\u") return value;
    std::from_chars(text.data() + at + 2, text.data() + at + 6, value, 16);
    return value >= 0xD800 && value < 0xE000 ? value : 0U;
  };
  for (auto at = text.find('\\'); at != std::string_view::npos; at = text.find('\\', at)) {
    const unsigned first = half(at);
    if (first == 0) {
      at += 2;
    } else if (first < 0xDC00 && half(at + 6) >= 0xDC00) {
      at += 12;
    } else {
      return std::string(text.substr(at, 6));
    }
  }
  return {};
}

Failure broken_at(const std::string& text, std::size_t byte) {
  const std::string half = lone_surrogate(std::string_view(text).substr(0, byte));
  if (half.empty())
    return {Reason::invalid, "The body is not JSON: it breaks at byte " + std::to_string(byte) + '.'};
  return {Reason::invalid, "The body holds " + half + " before byte " + std::to_string(byte) +
                               ", half of a surrogate pair and no character: send both halves, or another "
                               "character."};
}

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
    return broken_at(text, long_texts.place(broken.byte));
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
