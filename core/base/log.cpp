#include "base/log.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <mutex>
#include <string>

#include "base/text.hpp"

namespace codebox::log {
namespace {

spdlog::logger& logger() {
  static const std::shared_ptr<spdlog::logger> instance = [] {
    auto made =
        std::make_shared<spdlog::logger>("codebox", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    made->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %^%l%$ %v", spdlog::pattern_time_type::utc);
    made->flush_on(spdlog::level::trace);
    return made;
  }();
  return *instance;
}

bool& as_json() {
  static bool json = false;
  return json;
}

void write(spdlog::level::level_enum level, std::string_view message) {
  // A line is one line, whatever came from outside into the message.
  const std::string line = text::one_line(message);
  if (as_json()) {
    logger().log(level, text::json_string(line));
  } else {
    logger().log(level, line);
  }
}

}  // namespace

void configure(Level level, Format format) {
  constexpr spdlog::level::level_enum levels[] = {spdlog::level::debug, spdlog::level::info,
                                                  spdlog::level::warn, spdlog::level::err};
  logger().set_level(levels[static_cast<int>(level)]);
  as_json() = format == Format::json;
  if (as_json()) {
    logger().set_pattern(R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l","message":%v})",
                         spdlog::pattern_time_type::utc);
  }
}

void debug(std::string_view message) {
  write(spdlog::level::debug, message);
}
void info(std::string_view message) {
  write(spdlog::level::info, message);
}
void warn(std::string_view message) {
  write(spdlog::level::warn, message);
}
void error(std::string_view message) {
  write(spdlog::level::err, message);
}

}  // namespace codebox::log
