#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.hpp"
#include "plugin/finding.hpp"
#include "plugin/tool.hpp"

namespace codebox::plugin {

/// One command of a language: an argv template. Arguments may hold {source}, {dir}, {support}, {prefix};
/// {packages}, a whole argument, expands to one per specifier. `time` and `memory` (bytes; nobody acts on it
/// yet) are wishes, 0 for none. Plain value.
struct Command {
  std::vector<std::string> argv;
  std::chrono::milliseconds time{0};
  std::uint64_t memory = 0;
};

/// A file that comes with the plugin and lies in the support folder while its programs run. Plain value.
struct SupportFile {
  std::string name;
  std::string bytes;
};

/// How a list command prints: CBX_LIST_LINES or CBX_LIST_JSON.
enum class ListFormat { lines, json };

/// How a language's packages are named, installed and listed. Plain value.
struct Packages {
  std::string noun;              ///< "PyPI package", for descriptions and messages
  std::string example;           ///< "humanize==4.*"
  std::string extra_characters;  ///< what a specifier may hold besides [A-Za-z0-9._-]
  std::size_t longest = 128;     ///< bytes of one specifier
  std::size_t most = 64;         ///< specifiers of one call
  Command install;
  std::optional<Command> verify;
  std::vector<std::string> install_env;  ///< "NAME=value" for the install step
  std::vector<std::string> env;          ///< "NAME=value" that makes installed packages found
  std::vector<std::string>
      index_variables;  ///< names (PIP_INDEX_URL...) passed from image and operator to installs
};

/// Where `pattern` (a glob over one line of output) matches, the result has the hint `hint`. Plain value.
struct Hint {
  std::string pattern;
  std::string hint;
};

/// A program that shows that the language works. Plain value.
struct Sample {
  std::string code;
  std::string input;
  std::string output;
};

/// All that the server knows of one language: plain values copied from a plugin's descriptor and checked.
struct LanguageSpec {
  std::string id;  ///< [a-z][a-z0-9_]{0,15}
  std::string version;
  std::string display_name;
  std::string description;  ///< one paragraph for the model
  std::string image;        ///< default image reference; SANDBOX_IMAGE_<ID> overrides it
  std::string source_file;  ///< the program lies at /sandbox/<source_file>
  std::optional<Command> compile;
  Command run;
  std::optional<Command> list;  ///< prints the image's packages
  ListFormat list_format = ListFormat::lines;
  std::optional<Packages> packages;
  std::vector<std::string> env;
  std::vector<SupportFile> support;
  std::vector<std::string> ignore;  ///< globs of outputs that never come back
  std::vector<Hint> hints;
  Sample sample;
  std::vector<std::string> architectures;  ///< empty: any
  std::vector<std::string> warm;           ///< argv that a waiting sandbox may start ahead of time
  std::vector<std::string> aliases;        ///< other names under which find() knows it
  std::vector<Tool> tools;                 ///< that need no sandbox
  std::string file;                        ///< the .so it came from
  std::shared_ptr<const Fd> library;       ///< its sealed copy, where it has tools
};

/// Why a file is not a plugin of this server. Plain value.
struct Refusal {
  std::string file;
  std::string finding;  ///< stable id, for example "writable"
  std::string reason;   ///< one sentence
  bool kept = false;    ///< the version of the file that was loaded before stays
};

/// One file of the plugin folder as it was seen last. Plain value.
struct FileSeen {
  std::string name;
  std::string identity;                          ///< changes with the file; empty: look again
  std::shared_ptr<const LanguageSpec> language;  ///< what it provides; null for none
  Finding fault;                                 ///< why it is refused; no id: it is not
  std::vector<Finding> remarks;                  ///< what does not keep it out
  bool offered = false;                          ///< its language is one of the registry
};

/// An immutable set of loaded languages; calls hold it for as long as they run. Any thread.
struct Registry {
  std::vector<std::shared_ptr<const LanguageSpec>> languages;  ///< by id, ascending
  std::vector<Refusal> refused;
  std::vector<FileSeen> files;  ///< all that were looked at
  /// The language with this id, or else with this alias; null for none.
  std::shared_ptr<const LanguageSpec> find(const std::string& id) const;
};

}  // namespace codebox::plugin
