#include "auth/key.hpp"

#include <Poco/Crypto/ECKey.h>
#include <Poco/Crypto/RSAKey.h>
#include <Poco/Exception.h>
#include <Poco/JWT/Signer.h>
#include <Poco/JWT/Token.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/obj_mac.h>

#include <array>
#include <exception>
#include <sstream>
#include <utility>

#include "base/log.hpp"
#include "base/text.hpp"

namespace codebox::auth {
namespace {

constexpr std::size_t min_secret = 16;
constexpr std::size_t good_secret = 32;
constexpr std::size_t min_rsa_bits = 2048;
constexpr std::size_t es256_signature = 64;
constexpr const char* pem_mark = "-----BEGIN";

/// A secret shared with Open WebUI.
class SharedSecret : public Key {
 public:
  SharedSecret(std::string algorithm, std::string secret)
      : algorithm_(std::move(algorithm)), secret_(std::move(secret)) {}

  bool verifies(const std::string& signed_part, const std::string& signature,
                const std::string&) const override {
    std::array<unsigned char, EVP_MAX_MD_SIZE> expected{};
    unsigned size = 0;
    const auto* bytes = reinterpret_cast<const unsigned char*>(signed_part.data());
    if (HMAC(digest(), secret_.data(), static_cast<int>(secret_.size()), bytes, signed_part.size(),
             expected.data(), &size) == nullptr) {
      return false;
    }
    return signature.size() == size && CRYPTO_memcmp(signature.data(), expected.data(), size) == 0;
  }

  Result<std::string> sign(const std::string& user, long long issued, long long expires) const override {
    try {
      Poco::JWT::Token token;
      token.payload().set("id", user);
      token.payload().set("iat", static_cast<Poco::Int64>(issued));
      token.payload().set("exp", static_cast<Poco::Int64>(expires));
      Poco::JWT::Signer signer(secret_);
      signer.setAlgorithms({algorithm_});
      return signer.sign(token, algorithm_);
    } catch (const Poco::Exception& fault) {
      return Failure{Reason::internal, "The token could not be signed: " + fault.displayText() + '.'};
    }
  }

 private:
  const EVP_MD* digest() const {
    if (algorithm_ == "HS512") return EVP_sha512();
    return algorithm_ == "HS384" ? EVP_sha384() : EVP_sha256();
  }

  const std::string algorithm_;
  const std::string secret_;
};

/// The public half of a key that somebody else signs with.
class PublicKey : public Key {
 public:
  explicit PublicKey(const Poco::SharedPtr<Poco::Crypto::RSAKey>& key) : PublicKey("RS256") {
    signer_.setRSAKey(key);
  }
  explicit PublicKey(const Poco::SharedPtr<Poco::Crypto::ECKey>& key) : PublicKey("ES256") {
    signer_.setECKey(key);
  }

  bool verifies(const std::string&, const std::string& signature, const std::string& token) const override {
    if (algorithm_ == "ES256" && signature.size() != es256_signature) return false;
    try {
      Poco::JWT::Token checked;
      return signer_.tryVerify(token, checked);
    } catch (const std::exception&) {
      // Poco throws for many a malformed signature; each is simply not this key's.
      return false;
    }
  }

  Result<std::string> sign(const std::string&, long long, long long) const override {
    return Failure{Reason::invalid, "A token can be issued with HS256, HS384 or HS512 only: " + algorithm_ +
                                        " needs the private key, which this server does not have."};
  }

 private:
  explicit PublicKey(const char* algorithm) : algorithm_(algorithm) { signer_.setAlgorithms({algorithm_}); }

  const std::string algorithm_;
  Poco::JWT::Signer signer_;
};

// An environment variable or .env line cannot hold line ends; people write them as \n.
std::string with_line_ends(const std::string& pem) {
  if (pem.find('\n') != std::string::npos) return pem;
  std::string out;
  for (std::size_t i = 0; i < pem.size(); ++i) {
    if (pem.compare(i, 2, "\\n") == 0) {
      out += '\n';
      ++i;
    } else {
      out += pem[i];
    }
  }
  return out + '\n';
}

Result<std::unique_ptr<Key>> shared(const std::string& algorithm, const std::string& secret) {
  if (secret.rfind(pem_mark, 0) == 0) {
    return Failure{Reason::invalid,
                   "JWT_SECRET holds a PEM key but JWT_ALGORITHM is " + algorithm +
                       ": set JWT_ALGORITHM to RS256 or ES256, or JWT_SECRET to the shared secret."};
  }
  if (secret.size() < min_secret) {
    return Failure{Reason::invalid,
                   "JWT_SECRET is " + std::to_string(secret.size()) +
                       " bytes long, which can be guessed: use at least 32 random bytes, the same as "
                       "Open WebUI's WEBUI_SECRET_KEY."};
  }
  if (secret.size() < good_secret) {
    log::warn("JWT_SECRET is " + std::to_string(secret.size()) +
              " bytes long: use at least 32 random bytes here and as Open WebUI's WEBUI_SECRET_KEY");
  }
  return std::unique_ptr<Key>(std::make_unique<SharedSecret>(algorithm, secret));
}

Result<std::unique_ptr<Key>> rsa(std::istream& pem) {
  const Poco::SharedPtr<Poco::Crypto::RSAKey> key(new Poco::Crypto::RSAKey(&pem));
  const std::size_t bits = key->modulus().size() * 8;
  if (bits < min_rsa_bits) {
    return Failure{Reason::invalid, "The RSA key in JWT_SECRET has " + std::to_string(bits) +
                                        " bits: RS256 needs at least 2048."};
  }
  return std::unique_ptr<Key>(std::make_unique<PublicKey>(key));
}

Result<std::unique_ptr<Key>> ec(std::istream& pem) {
  const Poco::SharedPtr<Poco::Crypto::ECKey> key(new Poco::Crypto::ECKey(&pem));
  if (key->impl()->groupId() != NID_X9_62_prime256v1) {
    return Failure{Reason::invalid, "The key in JWT_SECRET is not on the curve P-256, which ES256 needs."};
  }
  return std::unique_ptr<Key>(std::make_unique<PublicKey>(key));
}

Result<std::unique_ptr<Key>> public_key(const std::string& algorithm, const std::string& secret) {
  const Failure no_key{Reason::invalid,
                       "JWT_SECRET is no public key for " + algorithm +
                           ": it must be PEM text that begins with -----BEGIN PUBLIC KEY-----."};
  if (secret.rfind(pem_mark, 0) != 0 || secret.find("PRIVATE KEY") != std::string::npos) return no_key;
  try {
    std::istringstream pem(with_line_ends(secret));
    return algorithm == "RS256" ? rsa(pem) : ec(pem);
  } catch (const std::exception&) {
    return no_key;
  }
}

}  // namespace

Result<std::unique_ptr<Key>> make_key(const std::string& algorithm, const std::string& secret) {
  if (secret.empty()) {
    return Failure{Reason::invalid, "JWT_SECRET is empty: set it to Open WebUI's WEBUI_SECRET_KEY."};
  }
  if (algorithm == "HS256" || algorithm == "HS384" || algorithm == "HS512") return shared(algorithm, secret);
  if (algorithm == "RS256" || algorithm == "ES256") return public_key(algorithm, secret);
  return Failure{Reason::invalid, "JWT_ALGORITHM is " + text::quoted(algorithm, 30) +
                                      ": use HS256, HS384, HS512, RS256 or ES256."};
}

}  // namespace codebox::auth
