#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/doctor.hpp"
#include "base/result.hpp"
#include "openwebui/client.hpp"

namespace codebox::app::doctor {

/// Asks Open WebUI as one of its administrators, whose token goes to it alone. One thread.
class Administrator {
 public:
  Administrator(const openwebui::Client& client, std::string token)
      : client_(client), token_(std::move(token)) {}

  Result<openwebui::Reply> get(const std::string& path) const;
  Result<openwebui::Reply> post(const std::string& path, const nlohmann::json& body) const;
  /// Stores a small file of this name.
  Result<openwebui::Reply> upload(const std::string& name, const std::string& content) const;
  Result<openwebui::Reply> remove(const std::string& path) const;

 private:
  Result<openwebui::Reply> send(openwebui::Request request, const std::string& body) const;

  const openwebui::Client& client_;
  const std::string token_;
};

/// Adds the lines of each connection that leads to a server of ours; false where the token is no
/// administrator's.
bool look_at_each_connection(Report& report, const Administrator& admin);

/// What Open WebUI answered with status 200, as JSON; null otherwise.
nlohmann::json read(const Result<openwebui::Reply>& reply);
/// The member `key` of what may be anything; null where there is none.
nlohmann::json member(const nlohmann::json& value, const char* key);
/// The same as text, or empty.
std::string text_of(const nlohmann::json& value, const char* key);

}  // namespace codebox::app::doctor
