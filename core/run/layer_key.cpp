#include "run/layer_key.hpp"

#include <algorithm>

#include "base/digest.hpp"
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
  return sha256(fields.take());
}

}  // namespace codebox::run
