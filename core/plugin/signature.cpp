#include "plugin/signature.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>

#include <algorithm>

#include "base/text.hpp"

namespace codebox::plugin {
namespace {

const unsigned char* raw(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

}  // namespace

Result<void> TrustedKeys::add(const std::string& file, const std::string& pem) {
  const std::unique_ptr<BIO, int (*)(BIO*)> bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())),
                                                BIO_free);
  std::shared_ptr<EVP_PKEY> key(bio ? PEM_read_bio_PUBKEY(bio.get(), nullptr, nullptr, nullptr) : nullptr,
                                EVP_PKEY_free);
  if (!key || EVP_PKEY_get_id(key.get()) != EVP_PKEY_ED25519) {
    return Failure{Reason::invalid, "PLUGIN_TRUSTED_KEYS names " + text::quoted(file) +
                                        ", which is not the PEM file of an Ed25519 public key: make one with "
                                        "openssl pkey -pubout."};
  }
  keys_.push_back(std::move(key));
  return {};
}

bool TrustedKeys::made(std::string_view signature, std::string_view bytes) const {
  if (signature.size() != signature_size) return false;
  return std::any_of(keys_.begin(), keys_.end(), [&](const auto& key) {
    const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    return context && EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
           EVP_DigestVerify(context.get(), raw(signature), signature.size(), raw(bytes), bytes.size()) == 1;
  });
}

}  // namespace codebox::plugin
