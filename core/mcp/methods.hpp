#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>
#include <utility>

#include "mcp/protocol.hpp"
#include "mcp/tools.hpp"

namespace codebox::mcp {

/// What a method needs to know of the request around it. Lives as long as the request.
struct Turn {
  const Caller& caller;
  std::stop_token cancel;
  std::function<void()> slow;  ///< called before what may take long
  bool modern = false;
  std::function<std::size_t()>
      max_bytes;  ///< asked at the end: the most that the result may have; 0: no bound
  std::function<void(const std::string&)> notify;  ///< a notification about the request, as JSON text
};

/// The methods of both eras, without their envelopes. Owned by the endpoint; any thread.
class Methods {
 public:
  Methods(Tools& tools, std::string version) : tools_(tools), version_(std::move(version)) {}

  /// `params` is an object or null; a call takes its arguments out. A method that this era lacks gives
  /// -32601.
  Reply run(const std::string& method, nlohmann::json& params, const Turn& turn);

 private:
  Reply discover() const;
  Reply initialize(const nlohmann::json& params) const;
  Reply list(const nlohmann::json& params, const Turn& turn) const;
  Reply call(nlohmann::json& params, const Turn& turn);
  /// The result of tools/list; from memory where the tools are still those of last time.
  std::string listed(bool modern) const;
  std::string describe_all(bool modern) const;

  struct Listed {
    std::uint64_t edition = 0;
    std::string text;
  };

  Tools& tools_;
  const std::string version_;
  mutable std::mutex mutex_;
  mutable std::array<Listed, 2> listed_;  ///< of the old era and of the modern one
};

}  // namespace codebox::mcp
