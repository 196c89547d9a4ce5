#include <codebox/plugin.hpp>

#include "ruby_install_rb.h"
#include "ruby_list_rb.h"
#include "ruby_preload_rb.h"
#include "ruby_wait_rb.h"

namespace {

constexpr cbx_support_file install_file = {
    .name = "ruby_install.rb", .bytes = ruby_install_rb, .length = sizeof(ruby_install_rb) - 1};
constexpr cbx_support_file list_file = {
    .name = "ruby_list.rb", .bytes = ruby_list_rb, .length = sizeof(ruby_list_rb) - 1};
constexpr cbx_support_file preload_file = {
    .name = "ruby_preload.rb", .bytes = ruby_preload_rb, .length = sizeof(ruby_preload_rb) - 1};
constexpr cbx_support_file wait_file = {
    .name = "ruby_wait.rb", .bytes = ruby_wait_rb, .length = sizeof(ruby_wait_rb) - 1};
constexpr const cbx_support_file* support[] = {&install_file, &list_file, &preload_file, &wait_file, nullptr};

constexpr const char* run_argv[] = {"ruby", "-r", "{support}/ruby_preload.rb", "{source}", nullptr};
constexpr cbx_command run = {.argv = run_argv};
// There has to be a file that Ruby can open before the program is there.
constexpr const char* warm[] = {"sh",
                                "-c",
                                "echo >\"$1\" && CODEBOX_WAIT=1 exec ruby -r \"$0\" \"$1\"",
                                "{support}/ruby_preload.rb",
                                "{dir}/main.rb",
                                nullptr};
constexpr const char* list_argv[] = {"ruby", "{support}/ruby_list.rb", nullptr};
constexpr cbx_command list = {.time_ms = 20'000, .argv = list_argv};
constexpr const char* install_argv[] = {"ruby", "{support}/ruby_install.rb", "{packages}", nullptr};
constexpr cbx_command install = {.argv = install_argv};

constexpr const char* install_env[] = {"GEM_HOME={prefix}/gems", "GEM_SPEC_CACHE={prefix}/.tmp/specs",
                                       "MAKEFLAGS=-j2", nullptr};
// RubyGems adds the image's own folders where the list ends in a colon.
constexpr const char* packages_env[] = {"GEM_PATH={prefix}/gems:", nullptr};
constexpr const char* index_variables[] = {"GEM_SOURCE", nullptr};
constexpr cbx_packages packages = {.longest = 128,
                                   .most = 64,
                                   .noun = "gem",
                                   .example = "rack@3.0.8",
                                   .extra_characters = "@:,<>=~^",
                                   .install = &install,
                                   .install_env = install_env,
                                   .env = packages_env,
                                   .index_variables = index_variables};

constexpr const char* aliases[] = {"rb", nullptr};
constexpr const char* ignore[] = {".bundle/*", "Gemfile.lock", nullptr};

constexpr cbx_hint no_active = {
    .pattern = "*cannot load such file -- active_*",
    .text = "Name the gem in `libraries`; its name has no underscore: activesupport, activerecord."};
constexpr cbx_hint no_zip = {.pattern = "*cannot load such file -- zip*",
                             .text = "Name the gem rubyzip in `libraries`."};
constexpr cbx_hint no_axlsx = {.pattern = "*cannot load such file -- axlsx*",
                               .text = "Name the gem caxlsx in `libraries`."};
constexpr cbx_hint no_gem = {
    .pattern = "*cannot load such file -- *",
    .text = "Name the gem that holds the file in `libraries`, or give the file itself in `input_files`."};
constexpr cbx_hint no_bundler = {
    .pattern = "*Bundler::HTTPError*",
    .text = "Bundler has no network here: name the gems in `libraries`, and leave the Gemfile out."};
constexpr const cbx_hint* hints[] = {&no_active, &no_zip, &no_axlsx, &no_gem, &no_bundler, nullptr};

constexpr cbx_sample sample = {.code = "puts (1..4).sum { |n| n * n }\nputs $stdin.read.upcase\n",
                               .input = "hello\n",
                               .output = "30\nHELLO\n"};

constexpr cbx_plugin ruby = {
    .list_format = CBX_LIST_LINES,
    .id = "ruby",
    .version = "1.0.0",
    .display_name = "Ruby",
    .description =
        "Runs a Ruby program in a fresh sandbox and returns what it prints. Gems named in `libraries` are "
        "installed and found by `require`; there is no Gemfile, and the standard library needs no naming.",
    .image = "codebox/sandbox-ruby:latest",
    .source_file = "main.rb",
    .aliases = aliases,
    .support = support,
    .run = &run,
    .list = &list,
    .packages = &packages,
    .warm = warm,
    .ignore = ignore,
    .hints = hints,
    .sample = &sample,
};

}  // namespace

CODEBOX_PLUGIN(ruby)
