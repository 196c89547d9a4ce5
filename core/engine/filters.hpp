#pragma once
#include <map>
#include <string>

/// What lists of the engine are narrowed by. Pure functions; any thread.
namespace codebox::engine {

/// The engine's filter parameter, name -> value, percent-encoded.
std::string filters(const std::map<std::string, std::string>& wanted);
/// The label that all containers of an instance carry, as a filter's value.
std::string label_of(const std::string& instance);

}  // namespace codebox::engine
