#include "sandbox/attempts.hpp"

#include <algorithm>

namespace codebox::sandbox {

void Attempts::failed(Time now, std::string why) {
  constexpr std::chrono::seconds least{1};
  constexpr std::chrono::seconds most{60};
  pause_ = std::clamp(2 * pause_, least, most);
  not_before_ = now + pause_;
  trouble_ = std::move(why);
}

}  // namespace codebox::sandbox
