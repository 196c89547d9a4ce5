#pragma once
#include <string_view>

/// Log lines of the server: one event each, no secret, no token, no file content. Any thread.
namespace codebox::log {

/// From which level on lines are written (LOG_LEVEL).
enum class Level { debug, info, warn, error };
/// One line of text, or one JSON object a line (LOG_FORMAT).
enum class Format { text, json };

/// Sets where the threshold lies and how lines look; lines go to stderr, from info on until this is called.
void configure(Level level, Format format);

void debug(std::string_view message);
void info(std::string_view message);
void warn(std::string_view message);
void error(std::string_view message);

}  // namespace codebox::log
