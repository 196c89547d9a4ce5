#pragma once
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <string>

/// Makes tokens by hand, so that a test can make wrong ones.
namespace codebox::test {

inline std::string base64url(const std::string& bytes) {
  constexpr const char* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string out;
  unsigned bits = 0;
  unsigned held = 0;
  for (const char c : bytes) {
    bits = (bits << 8U) | static_cast<unsigned char>(c);
    held += 8;
    while (held >= 6) {
      held -= 6;
      out += letters[(bits >> held) & 63U];
    }
    bits &= 63U;
  }
  if (held > 0) out += letters[(bits << (6 - held)) & 63U];
  return out;
}

inline std::string hmac(const EVP_MD* digest, const std::string& secret, const std::string& text) {
  unsigned char out[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  HMAC(digest, secret.data(), static_cast<int>(secret.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(), out, &size);
  return {reinterpret_cast<char*>(out), size};
}

inline std::string hs_token(const std::string& header, const std::string& payload, const std::string& secret,
                            const EVP_MD* digest = EVP_sha256()) {
  const std::string head = base64url(header) + '.' + base64url(payload);
  return head + '.' + base64url(hmac(digest, secret, head));
}

}  // namespace codebox::test
