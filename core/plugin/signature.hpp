#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

struct evp_pkey_st;

namespace codebox::plugin {

inline constexpr std::size_t signature_size = 64;

/// The Ed25519 keys whose signatures an operator trusts; none: signatures are not asked for. Immutable once
/// filled; any thread.
class TrustedKeys {
 public:
  /// Adds the public key of a PEM file ("BEGIN PUBLIC KEY"); Reason::invalid where there is none of Ed25519.
  Result<void> add(const std::string& file, const std::string& pem);
  bool empty() const { return keys_.empty(); }
  /// Whether one of the keys made this signature of these bytes.
  bool made(std::string_view signature, std::string_view bytes) const;

 private:
  std::vector<std::shared_ptr<evp_pkey_st>> keys_;
};

}  // namespace codebox::plugin
