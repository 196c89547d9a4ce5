#include "run/layer_key.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "run/environment.hpp"
#include "sandbox/frames.hpp"

namespace codebox::run {

std::string layer_key(const plugin::LanguageSpec& language, const engine::ImageInfo& image,
                      const Options& options, const std::vector<std::string>& libraries) {
  std::vector<std::string> sorted = libraries;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  // Each field with its length, so that no two different sets of fields are the same bytes.
  sandbox::frames::Writer fields;
  fields.text("layer 1").text(image.id).text(image.architecture).text(language.id).text(language.version);
  fields.texts(sorted).texts(command_line(language.packages->install, language, {}));
  if (language.packages->verify) fields.texts(command_line(*language.packages->verify, language, {}));
  // Index addresses, their credentials and constraints are among these.
  fields.texts(environment(Phase::install, language, image, options));
  fields.texts(options.rules.allowed_hosts).text(options.rules.proxy).u64(options.limits.install);
  fields.text(options.runtime);
  const std::string bytes = fields.take();
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
  std::string out;
  for (unsigned i = 0; i < size; ++i) {
    out += "0123456789abcdef"[digest[i] >> 4];
    out += "0123456789abcdef"[digest[i] & 15];
  }
  return out;
}

}  // namespace codebox::run
