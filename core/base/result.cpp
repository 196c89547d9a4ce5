#include "base/result.hpp"

namespace codebox {

const char* to_string(Reason reason) {
  switch (reason) {
    case Reason::invalid: return "invalid";
    case Reason::unauthorized: return "unauthorized";
    case Reason::not_found: return "not_found";
    case Reason::too_large: return "too_large";
    case Reason::rate_limited: return "rate_limited";
    case Reason::capacity: return "capacity";
    case Reason::offline: return "offline";
    case Reason::image: return "image";
    case Reason::install: return "install";
    case Reason::engine: return "engine";
    case Reason::timeout: return "timeout";
    case Reason::cancelled: return "cancelled";
    case Reason::gone: return "gone";
    case Reason::internal: return "internal";
  }
  return "internal";
}

}  // namespace codebox
