#include <codebox/plugin.hpp>
#include <deque>
#include <limits>

#include "plugin/descriptor.hpp"

namespace codebox::plugin {
namespace {

/// A descriptor made of a LanguageSpec's own texts, so that one set of rules serves both. Lives for one
/// check.
class View {
 public:
  explicit View(const LanguageSpec& s) {
    descriptor_.id = s.id.c_str();
    descriptor_.version = s.version.c_str();
    descriptor_.display_name = s.display_name.c_str();
    descriptor_.description = s.description.c_str();
    descriptor_.image = s.image.c_str();
    descriptor_.source_file = s.source_file.c_str();
    descriptor_.aliases = list(s.aliases);
    descriptor_.architectures = list(s.architectures);
    descriptor_.env = list(s.env);
    descriptor_.compile = s.compile ? command(*s.compile) : nullptr;
    descriptor_.run = command(s.run);
    descriptor_.list = s.list ? command(*s.list) : nullptr;
    if (s.list) descriptor_.list_format = s.list_format == ListFormat::json ? CBX_LIST_JSON : CBX_LIST_LINES;
    descriptor_.warm = s.warm.empty() ? nullptr : list(s.warm);
    descriptor_.ignore = list(s.ignore);
    for (const auto& file : s.support) {
      files_.push_back({.name = file.name.c_str(), .bytes = file.bytes.data(), .length = file.bytes.size()});
      file_list_.push_back(&files_.back());
    }
    for (const auto& hint : s.hints) {
      hints_.push_back({.pattern = hint.pattern.c_str(), .text = hint.hint.c_str()});
      hint_list_.push_back(&hints_.back());
    }
    file_list_.push_back(nullptr);
    hint_list_.push_back(nullptr);
    descriptor_.support = file_list_.data();
    descriptor_.hints = hint_list_.data();
    sample_.code = s.sample.code.c_str();
    sample_.input = s.sample.input.c_str();
    sample_.output = s.sample.output.c_str();
    descriptor_.sample = &sample_;
    if (s.packages) describe(*s.packages);
  }
  View(const View&) = delete;
  View& operator=(const View&) = delete;

  const cbx_plugin& descriptor() const { return descriptor_; }

 private:
  static std::uint32_t narrow(std::uint64_t value) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::uint32_t>(value < most ? value : most);
  }

  cbx_strings list(const std::vector<std::string>& values) {
    auto& pointers = lists_.emplace_back();
    for (const auto& value : values) pointers.push_back(value.c_str());
    pointers.push_back(nullptr);
    return pointers.data();
  }

  const cbx_command* command(const Command& c) {
    return &commands_.emplace_back(cbx_command{.time_ms = narrow(static_cast<std::uint64_t>(c.time.count())),
                                               .memory_mib = narrow(c.memory >> 20),
                                               .argv = list(c.argv)});
  }

  void describe(const Packages& p) {
    packages_.longest = narrow(p.longest);
    packages_.most = narrow(p.most);
    packages_.noun = p.noun.c_str();
    packages_.example = p.example.c_str();
    packages_.extra_characters = p.extra_characters.c_str();
    packages_.install = command(p.install);
    packages_.verify = p.verify ? command(*p.verify) : nullptr;
    packages_.install_env = list(p.install_env);
    packages_.env = list(p.env);
    packages_.index_variables = list(p.index_variables);
    descriptor_.packages = &packages_;
  }

  // Deques, because pointers into them must survive growth.
  std::deque<std::vector<const char*>> lists_;
  std::deque<cbx_command> commands_;
  std::deque<cbx_support_file> files_;
  std::deque<cbx_hint> hints_;
  std::vector<const cbx_support_file*> file_list_;
  std::vector<const cbx_hint*> hint_list_;
  cbx_packages packages_;
  cbx_sample sample_;
  cbx_plugin descriptor_;
};

}  // namespace

std::string broken_rule(const LanguageSpec& spec) {
  const View view(spec);
  const sdk::fault broken = sdk::check(view.descriptor());
  return broken == sdk::fault::none ? std::string() : std::string(sdk::rule(broken));
}

}  // namespace codebox::plugin
