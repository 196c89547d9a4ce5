#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

/// What models write, as what the schema asks for. Nothing here decides whether a value is allowed. Pure
/// functions; any thread.
namespace codebox::run::lenient {

/// The object that holds the arguments: one that a client wrapped once more is unwrapped, other names for an
/// argument become ours. Members that are no argument are left out and named in `unknown`.
nlohmann::json arguments(nlohmann::json given, std::vector<std::string>& unknown);

/// The argument `name`, taken out, or null where it is absent in one of the ways that models write absence.
nlohmann::json taken(nlohmann::json& arguments, const char* name);

/// A list; one that came as a JSON (or Python) text is parsed, and a single value is a list of one.
nlohmann::json list(nlohmann::json value);

/// "pandas, numpy" -> both. A comma before a version or within brackets divides nothing.
std::vector<std::string> words(const std::string& text);

/// A program without the Markdown fence around it; several texts are its lines. Nothing where it is no text.
std::optional<std::string> program(const nlohmann::json& value);

/// Text that a program reads: lines are joined, a number is its digits. Nothing for an object.
std::optional<std::string> input(const nlohmann::json& value);

/// Seconds: 5, "5", "5s", "1.5 minutes", "200 ms". Nothing where it is no duration.
std::optional<double> seconds(const nlohmann::json& value);

/// A path as other sandboxes name it ("sandbox:/mnt/data/x") as the same one here; others unchanged.
std::string path(std::string path);

}  // namespace codebox::run::lenient
