#pragma once
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "mcp/tools.hpp"

namespace codebox::mcp {

/// What a client wants to hear of one call while it runs: progress where it gave a token, log lines from the
/// level on that it named in the newest era, from "info" on before. On the stack of the call.
class Notices {
 public:
  /// `params` is an object. `notify` takes a notification as JSON text; without it nothing is told.
  Notices(const nlohmann::json& params, bool modern, std::function<void(const std::string&)> notify);
  void tell(const Notice& notice) const;

 private:
  std::string token_;      ///< JSON text, or empty
  std::size_t level_ = 0;  ///< the lowest that is wanted, in the order of the protocol
  std::function<void(const std::string&)> notify_;
};

}  // namespace codebox::mcp
