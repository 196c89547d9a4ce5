#include "store/signer.hpp"

#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <span>
#include <system_error>
#include <vector>

#include "base/encoding.hpp"
#include "base/fd.hpp"
#include "base/text.hpp"

namespace codebox::store {
namespace {

Failure unusable(const std::filesystem::path& file, const std::string& why) {
  return {Reason::internal, "The signing key " + text::quoted(file.string()) + " cannot be used (" + why +
                                "): STATE_DIR must be a folder that the server may write to."};
}

}  // namespace

Result<Signer> Signer::with_key(const std::filesystem::path& file) {
  Key key{};
  const Fd present(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (present) {
    struct stat about {};
    if (::fstat(present.get(), &about) != 0 || (about.st_mode & 077U) != 0) {
      return unusable(file, "others may read it; chmod 600 it, or remove it to get a new one");
    }
    const ssize_t got = ::read(present.get(), key.data(), key.size());
    if (got != static_cast<ssize_t>(key.size()))
      return unusable(file, "it is cut off; remove it to get a new one");
    return Signer(key);
  }
  if (errno != ENOENT) return unusable(file, std::generic_category().message(errno));
  if (RAND_bytes(key.data(), static_cast<int>(key.size())) != 1) return unusable(file, "no random bytes");
  // Written whole before it gets its name, so that a crash leaves no half key.
  const std::string fresh = file.string() + ".new";
  ::unlink(fresh.c_str());
  const Fd made(::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!made || ::write(made.get(), key.data(), key.size()) != static_cast<ssize_t>(key.size()) ||
      ::fsync(made.get()) != 0 || ::rename(fresh.c_str(), file.c_str()) != 0) {
    return unusable(file, std::generic_category().message(errno));
  }
  return Signer(key);
}

std::string Signer::sign(const std::string& text) const {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  const std::vector<unsigned char> bytes(text.begin(), text.end());
  HMAC(EVP_sha256(), key_.data(), static_cast<int>(key_.size()), bytes.data(), bytes.size(), digest.data(),
       &length);
  return encoding::to_hex(std::span(digest).first(length));
}

bool Signer::is_signed(const std::string& text, const std::string& signature) const {
  const std::string expected = sign(text);
  return signature.size() == expected.size() &&
         CRYPTO_memcmp(signature.data(), expected.data(), expected.size()) == 0;
}

std::string random_uuid() {
  std::array<unsigned char, 16> bytes{};
  RAND_bytes(bytes.data(), static_cast<int>(bytes.size()));
  bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0FU) | 0x40U);
  bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3FU) | 0x80U);
  std::string out = encoding::to_hex(bytes);
  for (const std::size_t dash : {8U, 13U, 18U, 23U}) out.insert(dash, 1, '-');
  return out;
}

}  // namespace codebox::store
