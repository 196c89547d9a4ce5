#include "engine/engine.hpp"

namespace codebox::engine {

std::uint64_t memory_limit(const Limits& limits, bool installing) {
  constexpr std::uint64_t reserve = 64ULL << 20;
  return limits.memory + limits.disk + reserve + (installing ? limits.install : 0);
}

bool adjustable(const std::string& runtime) {
  return runtime.find("runsc") == std::string::npos && runtime.find("gvisor") == std::string::npos;
}

}  // namespace codebox::engine
