#include "run/preparation.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "run/environment.hpp"

namespace codebox::run {
namespace {

// Below this, loaded libraries would take too much of what the program may have.
constexpr std::uint64_t least_memory = 256ULL << 20;

// Where packages come from is no program's concern.
bool has_own_environment(const plugin::LanguageSpec& language, const Options& options) {
  const auto own = options.env.find(language.id);
  return own != options.env.end() &&
         std::any_of(own->second.begin(), own->second.end(), [&](const std::string& assignment) {
           return !is_index_variable(language, assignment.substr(0, assignment.find('=')));
         });
}

// Names that a language's loader or its libraries look for in the working folder.
bool may_be_loaded(const std::string& name, const std::string& source_file) {
  const auto dot = name.rfind('.');
  if (dot == std::string::npos || dot == 0) return true;
  const auto extension = text::lower(name.substr(dot));
  const auto source_dot = source_file.rfind('.');
  if (source_dot != std::string::npos && extension == text::lower(source_file.substr(source_dot)))
    return true;
  constexpr const char* loaded[] = {".so", ".pyc", ".pth", ".node", ".mjs", ".cjs"};
  if (std::find(std::begin(loaded), std::end(loaded), extension) != std::end(loaded)) return true;
  return name == "package.json" || name == "package-lock.json";
}

}  // namespace

sandbox::Preparation preparation(const plugin::LanguageSpec& language, const engine::ImageInfo& image,
                                 const Options& options) {
  sandbox::Preparation made;
  made.image_id = image.id;
  for (const plugin::SupportFile& file : language.support) {
    made.files.push_back({std::string(sandbox::support_folder) + '/' + file.name, file.bytes});
  }
  if (!language.warm.empty() && !has_own_environment(language, options) &&
      options.limits.memory >= least_memory) {
    made.waiting.argv = command_line({language.warm, {}, {}}, language, {});
    made.waiting.env = environment(Phase::program, language, image, options);
  }
  return made;
}

bool may_have_waited(const plugin::LanguageSpec& language, const Arguments& arguments,
                     const std::vector<PlacedInput>& inputs, const Options& options) {
  if (language.warm.empty() || !arguments.libraries.empty() || has_own_environment(language, options))
    return false;
  const std::string folder = std::string(sandbox::work_folder) + '/';
  return std::all_of(inputs.begin(), inputs.end(), [&](const PlacedInput& input) {
    const std::string& path = input.path;
    if (!path.starts_with(folder)) return false;
    const std::string name = path.substr(folder.size());
    return name.find('/') == std::string::npos && !may_be_loaded(name, language.source_file);
  });
}

}  // namespace codebox::run
