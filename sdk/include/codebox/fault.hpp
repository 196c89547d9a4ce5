#pragma once
#include <string_view>

/// The rules of codebox/plugin.h by name, and as the sentences that authors and operators read. Pure; any
/// thread.
namespace codebox::sdk {

/// The first rule that a descriptor breaks.
enum class fault {
  none,
  size,
  flags,
  id,
  version,
  display_name,
  description,
  image,
  source_file,
  aliases,
  architectures,
  env,
  support,
  compile,
  run,
  list,
  list_format,
  packages,
  noun,
  example,
  extra_characters,
  install,
  verify,
  install_env,
  packages_env,
  index_variables,
  warm,
  ignore,
  hints,
  sample,
  tools
};

/// The rule as one sentence.
constexpr std::string_view rule(fault broken) {
  switch (broken) {
    case fault::none:
      return "No rule is broken.";
    case fault::size:
      return "Every struct must state a size of at least that of version 1.0.";
    case fault::flags:
      return "flags and reserved must be 0.";
    case fault::id:
      return "id must have the form [a-z][a-z0-9_]{0,15}.";
    case fault::version:
      return "version must have the form [A-Za-z0-9.+_~-]{1,32}.";
    case fault::display_name:
      return "display_name must be 1 to 48 bytes of UTF-8 without control characters.";
    case fault::description:
      return "description must be 1 to 4096 bytes of UTF-8.";
    case fault::image:
      return "image must be an image reference of 1 to 255 characters.";
    case fault::source_file:
      return "source_file must have the form [A-Za-z0-9_][A-Za-z0-9._-]{0,63}.";
    case fault::aliases:
      return "aliases must be at most 16 names of the form [a-z][a-z0-9_]{0,15}.";
    case fault::architectures:
      return "architectures must be at most 16 names of the form [A-Za-z0-9_]{1,16}.";
    case fault::env:
      return "env must be at most 64 texts NAME=value of up to 4096 bytes; a value may use {dir}, {support} "
             "and "
             "{prefix}.";
    case fault::support:
      return "support must be at most 32 files, named [A-Za-z0-9_][A-Za-z0-9._-]{0,63}, with bytes, 1 MiB in "
             "all.";
    case fault::compile:
      return "compile must be a command of up to 64 arguments, 3600000 ms and 1048576 MiB; it may use "
             "{source}, {dir}, {support} and {prefix}.";
    case fault::run:
      return "run must be a command of up to 64 arguments, 3600000 ms and 1048576 MiB; it may use {source}, "
             "{dir}, {support} and {prefix}.";
    case fault::list:
      return "list must be a command of up to 64 arguments, 3600000 ms and 1048576 MiB; it may use {dir}, "
             "{support} and {prefix}.";
    case fault::list_format:
      return "list_format must be 1 (lines) or 2 (JSON) where list is given, else 0.";
    case fault::packages:
      return "packages must allow 1 to 256 specifiers of 1 to 512 bytes.";
    case fault::noun:
      return "packages.noun must be 1 to 48 bytes of UTF-8 without control characters.";
    case fault::example:
      return "packages.example must be a specifier of up to 128 bytes that the plugin's own grammar accepts.";
    case fault::extra_characters:
      return "packages.extra_characters may hold only !*+,/:<=>@[]^~.";
    case fault::install:
      return "packages.install must be a command of up to 64 arguments, 3600000 ms and 1048576 MiB with "
             "{packages}; it may use {dir}, {support} and {prefix}.";
    case fault::verify:
      return "packages.verify must be a command of up to 64 arguments, 3600000 ms and 1048576 MiB; it may "
             "use {packages}, {dir}, {support} and {prefix}.";
    case fault::install_env:
      return "packages.install_env must be at most 64 texts NAME=value of up to 4096 bytes; a value may use "
             "{dir}, {support} and {prefix}.";
    case fault::packages_env:
      return "packages.env must be at most 64 texts NAME=value of up to 4096 bytes; a value may use {dir}, "
             "{support} and {prefix}.";
    case fault::index_variables:
      return "packages.index_variables must be at most 32 names [A-Za-z_][A-Za-z0-9_]{0,127}.";
    case fault::warm:
      return "warm must be 1 to 64 arguments of up to 4096 bytes; it may use {dir}, {support} and {prefix}.";
    case fault::ignore:
      return "ignore must be at most 64 globs of 1 to 256 bytes.";
    case fault::hints:
      return "hints must be at most 32 pairs of a pattern (1 to 256 bytes) and a text (1 to 512).";
    case fault::sample:
      return "sample must have code and output, 1 to 65536 bytes of UTF-8 each, and an input of at most as "
             "many.";
    case fault::tools:
      return "codebox.tools/1 must be at most 32 tools with a name [a-z][a-z0-9_]{0,47} of their own that "
             "does not begin with run_ or list_, a title of up to 64 bytes, a description of 1 to 4096, "
             "schemas of up to 65536 that are JSON objects, and a function.";
  }
  return "A rule is broken.";
}

}  // namespace codebox::sdk
