#pragma once
#include <atomic>
#include <functional>
#include <memory>

#include "auth/bearer.hpp"
#include "http/server.hpp"
#include "mcp/endpoint.hpp"
#include "openapi/endpoint.hpp"
#include "store/link_store.hpp"

namespace codebox::app {

/// What stands at which path of this server. Owned by the server's graph; any thread.
class Routes : public http::Handler {
 public:
  struct Parts {
    auth::Bearer& bearer;
    mcp::Endpoint& endpoint;
    const openapi::Endpoint& openapi;
    store::LinkStore* store = nullptr;                      ///< only without Open WebUI
    std::function<Result<void>(const Caller&)> check_user;  ///< may be empty
    std::function<Result<void>()> ready;
    std::vector<std::string> allowed_origins;
    /// Whose API key of Open WebUI this is; may be empty, then none is accepted.
    std::function<Result<std::string>(const std::string& key)> key_owner = {};
  };
  explicit Routes(Parts parts) : parts_(std::move(parts)) {}

  std::optional<http::Response> refuse(const http::Request& head) override;
  http::Response handle(http::Request& request, http::Heartbeat& heartbeat) override;

 private:
  Result<Caller> caller_of(const http::Request& request) const;
  Result<Caller> known_caller(const http::Request& request) const;
  http::Response answer(http::Request& request, http::Heartbeat& heartbeat);
  http::Response post(http::Request& request, http::Heartbeat& heartbeat);
  http::Response tools(http::Request& request, http::Heartbeat& heartbeat) const;
  http::Response file(const http::Request& request) const;
  http::Response readiness() const;

  const Parts parts_;
};

}  // namespace codebox::app
