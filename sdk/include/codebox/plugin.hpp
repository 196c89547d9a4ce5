#pragma once
#include <codebox/plugin.h>

#include <codebox/fault.hpp>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

/// The rules of codebox/plugin.h as code. The plugin's compiler and the host run the very same function, so
/// that a descriptor that compiles is one that loads. Pure functions; any thread.
namespace codebox::sdk {

// Layout of revision 1 of codebox.tools, as plugin.h promises it.
inline constexpr std::uint32_t tool_size_1 = 64, tools_size_1 = 16, tool_call_size_1 = 80;
static_assert(sizeof(cbx_tool) == tool_size_1 && sizeof(cbx_tools) == tools_size_1);
static_assert(sizeof(cbx_tool_call) == tool_call_size_1 && offsetof(cbx_tool_call, error) == 72);

namespace detail {

using std::size_t;
using std::string_view;

constexpr bool lower(char c) {
  return c >= 'a' && c <= 'z';
}
constexpr bool digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool alnum(char c) {
  return lower(c) || digit(c) || (c >= 'A' && c <= 'Z');
}
constexpr bool one_of(char c, string_view set) {
  return set.find(c) != string_view::npos;
}

/// Well-formed UTF-8 (Unicode 15, table 3-7).
constexpr bool utf8(string_view text) {
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const size_t more = lead < 0x80                    ? 0
                        : lead >= 0xC2 && lead <= 0xDF ? 1
                        : (lead & 0xF0) == 0xE0        ? 2
                        : lead >= 0xF0 && lead <= 0xF4 ? 3
                                                       : 4;
    if (more == 4 || i + more >= text.size()) return false;
    for (size_t k = 1; k <= more; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      const unsigned low = k > 1 ? 0x80 : lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
      const unsigned high = k > 1 ? 0xBF : lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
      if (next < low || next > high) return false;
    }
    i += more + 1;
  }
  return true;
}

/// `least` to `most` bytes of UTF-8; control characters only where `lines` allows newlines and tabs.
constexpr bool text(const char* value, size_t least, size_t most, bool lines = false) {
  if (!value) return least == 0;
  const string_view view(value);
  if (view.size() < least || view.size() > most || !utf8(view)) return false;
  for (const char c : view) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 || byte == 0x7F) && !(lines && one_of(c, "\n\t\r"))) return false;
  }
  return true;
}

constexpr bool id(const char* value) {
  if (!value) return false;
  const string_view view(value);
  if (view.empty() || view.size() > 16 || !lower(view[0])) return false;
  for (const char c : view) {
    if (!lower(c) && !digit(c) && c != '_') return false;
  }
  return true;
}

constexpr bool tool_name(const char* value) {
  if (!value) return false;
  const string_view view(value);
  if (view.empty() || view.size() > 48 || !lower(view[0])) return false;
  for (const char c : view) {
    if (!lower(c) && !digit(c) && c != '_') return false;
  }
  return view.substr(0, 4) != "run_" && view.substr(0, 5) != "list_";
}

constexpr bool made_of(const char* value, size_t most, string_view extra) {
  if (!value) return false;
  const string_view view(value);
  if (view.empty() || view.size() > most) return false;
  for (const char c : view) {
    if (!alnum(c) && !one_of(c, extra)) return false;
  }
  return true;
}

constexpr bool file_name(const char* value) {
  return made_of(value, 64, "._-") && !one_of(*value, ".-");
}

constexpr bool variable(string_view name) {
  if (name.empty() || name.size() > 128 || digit(name[0])) return false;
  for (const char c : name) {
    if (!alnum(c) && c != '_') return false;
  }
  return true;
}

/// At most `most` elements, each of which `good` accepts; a null list is an empty one.
template <class List, class Good>
constexpr bool each(List list, size_t most, Good good) {
  if (!list) return true;
  size_t count = 0;
  for (; *list; ++list) {
    if (++count > most || !good(*list)) return false;
  }
  return true;
}

constexpr string_view places = "{dir} {support} {prefix}";

/// Placeholders are among `allowed` (names parted by blanks), and {packages} is a whole argument.
constexpr bool placeholders(string_view argument, string_view allowed) {
  for (const string_view known : {"{source}", "{dir}", "{support}", "{prefix}", "{packages}"}) {
    if (argument.find(known) != string_view::npos && allowed.find(known) == string_view::npos) return false;
  }
  return argument == "{packages}" || argument.find("{packages}") == string_view::npos;
}

constexpr bool assignments(cbx_strings list) {
  return each(list, 64, [](const char* value) {
    const string_view view(value);
    return text(value, 2, 4096) && view.find('=') != string_view::npos &&
           variable(view.substr(0, view.find('='))) && placeholders(view, places);
  });
}

constexpr bool argv(cbx_strings list, string_view allowed) {
  if (!list || !*list || !**list) return false;
  return placeholders(*list, places) && each(list, 64, [allowed](const char* argument) {
           return text(argument, 0, 4096, true) && placeholders(argument, allowed);
         });
}

constexpr bool has(cbx_strings list, string_view argument) {
  return !each(list, 64, [argument](const char* value) { return string_view(value) != argument; });
}

constexpr bool command(const cbx_command& step, string_view allowed) {
  return step.time_ms <= 3'600'000 && step.memory_mib <= 1'048'576 && argv(step.argv, allowed);
}

constexpr bool specifier(const char* value, const cbx_packages& packages) {
  const string_view extra = packages.extra_characters ? packages.extra_characters : "";
  if (!value || one_of(*value, "-.")) return false;
  const string_view view(value);
  if (view.empty() || view.size() > packages.longest || view.size() > 128) return false;
  for (const char c : view) {
    if (!alnum(c) && !one_of(c, "._-") && !one_of(c, extra)) return false;
  }
  return true;
}

template <class Struct>
constexpr bool sized(const Struct* value, size_t least) {
  return !value || value->size >= least;
}

constexpr bool sizes(const cbx_plugin& p) {
  if (p.size < CBX_PLUGIN_SIZE_1_0) return false;
  for (const auto* step : {p.compile, p.run, p.list}) {
    if (!sized(step, CBX_COMMAND_SIZE_1_0)) return false;
  }
  if (!sized(p.packages, CBX_PACKAGES_SIZE_1_0) || !sized(p.sample, CBX_SAMPLE_SIZE_1_0)) return false;
  if (p.packages &&
      (!sized(p.packages->install, CBX_COMMAND_SIZE_1_0) || !sized(p.packages->verify, CBX_COMMAND_SIZE_1_0)))
    return false;
  return each(p.support, 32, [](const auto* file) { return sized(file, CBX_SUPPORT_FILE_SIZE_1_0); }) &&
         each(p.hints, 32, [](const auto* hint) { return sized(hint, CBX_HINT_SIZE_1_0); });
}

constexpr bool support(const cbx_plugin& p) {
  std::uint64_t total = 0;
  return each(p.support, 32, [&total](const cbx_support_file* file) {
    if (!file_name(file->name) || file->length > 1'048'576) return false;
    // Whether the address of embedded bytes is null is nothing that a compiler with sanitizers can say (GCC's
    // -fno-delete-null-pointer-checks); the host asks again.
    if (!std::is_constant_evaluated() && !file->bytes && file->length > 0) return false;
    return (total += file->length) <= 1'048'576;
  });
}

constexpr fault check(const cbx_packages& p) {
  constexpr string_view install = "{packages} {dir} {support} {prefix}";
  if (p.reserved != 0) return fault::flags;
  if (p.longest < 1 || p.longest > 512 || p.most < 1 || p.most > 256) return fault::packages;
  if (!text(p.noun, 1, 48)) return fault::noun;
  for (const char c : string_view(p.extra_characters ? p.extra_characters : "")) {
    if (!one_of(c, "!*+,/:<=>@[]^~")) return fault::extra_characters;
  }
  if (!specifier(p.example, p)) return fault::example;
  if (!p.install || !command(*p.install, install) || !has(p.install->argv, "{packages}"))
    return fault::install;
  if (p.verify && !command(*p.verify, install)) return fault::verify;
  if (!assignments(p.install_env)) return fault::install_env;
  if (!assignments(p.env)) return fault::packages_env;
  if (!each(p.index_variables, 32, [](const char* name) { return variable(name); }))
    return fault::index_variables;
  return fault::none;
}

}  // namespace detail

/// The first rule that `p` breaks. abi_major and need_minor are the host's to judge.
constexpr fault check(const cbx_plugin& p) {
  using namespace detail;
  constexpr string_view program = "{source} {dir} {support} {prefix}";
  if (!sizes(p)) return fault::size;
  if (p.flags != 0) return fault::flags;
  if (!detail::id(p.id)) return fault::id;
  if (!made_of(p.version, 32, ".+_~-")) return fault::version;
  if (!text(p.display_name, 1, 48)) return fault::display_name;
  if (!text(p.description, 1, 4096, true)) return fault::description;
  if (!made_of(p.image, 255, "./:@_-") || !alnum(*p.image)) return fault::image;
  if (!file_name(p.source_file)) return fault::source_file;
  if (!each(p.aliases, 16, [](const char* name) { return detail::id(name); })) return fault::aliases;
  if (!each(p.architectures, 16, [](const char* name) { return made_of(name, 16, "_"); })) {
    return fault::architectures;
  }
  if (!assignments(p.env)) return fault::env;
  if (!support(p)) return fault::support;
  if (p.compile && !command(*p.compile, program)) return fault::compile;
  if (!p.run || !command(*p.run, program)) return fault::run;
  if (p.list && !command(*p.list, places)) return fault::list;
  if (p.list ? p.list_format != CBX_LIST_LINES && p.list_format != CBX_LIST_JSON : p.list_format != 0) {
    return fault::list_format;
  }
  if (p.packages) {
    if (const fault broken = check(*p.packages); broken != fault::none) return broken;
  }
  if (p.warm && !argv(p.warm, places)) return fault::warm;
  if (!each(p.ignore, 64, [](const char* glob) { return text(glob, 1, 256); })) return fault::ignore;
  if (!each(p.hints, 32,
            [](const cbx_hint* hint) { return text(hint->pattern, 1, 256) && text(hint->text, 1, 512); })) {
    return fault::hints;
  }
  if (!p.sample || !text(p.sample->code, 1, 65'536, true) || !text(p.sample->input, 0, 65'536, true) ||
      !text(p.sample->output, 1, 65'536, true))
    return fault::sample;
  return fault::none;
}

/// Whether each of the tools keeps the rules; that schemas are JSON is the host's to see.
constexpr fault check(const cbx_tools& given) {
  using namespace detail;
  if (given.size < tools_size_1) return fault::size;
  if (given.reserved != 0) return fault::flags;
  const bool good = each(given.tools, 32, [&given](const cbx_tool* tool) {
    if (!sized(tool, tool_size_1) || tool->reserved != 0 || !tool->call || !tool_name(tool->name))
      return false;
    // Itself among all that are named before it and after it.
    std::size_t alike = 0;
    for (auto other = given.tools; *other; ++other) {
      if ((*other)->name && string_view((*other)->name) == tool->name) ++alike;
    }
    return alike == 1 && text(tool->title, 0, 64) && text(tool->description, 1, 4096, true) &&
           text(tool->input_schema, 2, 65'536, true) && text(tool->output_schema, 0, 65'536, true) &&
           text(tool->annotations, 0, 4096, true);
  });
  return good ? fault::none : fault::tools;
}

/// Names the broken rule in the compiler's message: see `Broken`.
template <fault Broken>
struct accepted {
  static_assert(Broken == fault::none,
                "the plugin's descriptor breaks a rule of codebox/plugin.h, see Broken");
  static constexpr bool value = true;
};

}  // namespace codebox::sdk

/// Exports `descriptor`, a constexpr cbx_plugin, if it keeps the rules; does not compile otherwise.
#define CODEBOX_PLUGIN(descriptor)                                                   \
  static_assert(::codebox::sdk::accepted<::codebox::sdk::check(descriptor)>::value); \
  extern "C" CBX_EXPORT const cbx_plugin* codebox_plugin_v1(const cbx_host*) {       \
    return &(descriptor);                                                            \
  }
