#include <codebox/plugin.hpp>

#include "perl_install_sh.h"
#include "perl_modules_pl.h"

namespace {

// What a program prints is there at once, also of one that is ended from outside.
constexpr char unbuffered[] = "package codebox_unbuffered;\n$| = 1;\n1;\n";

constexpr cbx_support_file unbuffered_file = {
    .name = "codebox_unbuffered.pm", .bytes = unbuffered, .length = sizeof(unbuffered) - 1};
constexpr cbx_support_file install_file = {
    .name = "perl_install.sh", .bytes = perl_install_sh, .length = sizeof(perl_install_sh) - 1};
constexpr cbx_support_file modules_file = {
    .name = "perl_modules.pl", .bytes = perl_modules_pl, .length = sizeof(perl_modules_pl) - 1};
constexpr const cbx_support_file* support[] = {&unbuffered_file, &install_file, &modules_file, nullptr};

constexpr const char* run_argv[] = {"perl", "-I{support}", "-Mcodebox_unbuffered", "{source}", nullptr};
constexpr cbx_command run = {.argv = run_argv};
constexpr const char* list_argv[] = {"perl", "{support}/perl_modules.pl", nullptr};
constexpr cbx_command list = {.time_ms = 20'000, .argv = list_argv};
constexpr const char* install_argv[] = {"sh", "{support}/perl_install.sh", "{prefix}", "{packages}", nullptr};
constexpr cbx_command install = {.argv = install_argv};

constexpr const char* install_env[] = {"PERL_CPANM_HOME={prefix}/.tmp/cpanm", "PERL_MM_USE_DEFAULT=1",
                                       nullptr};
constexpr const char* packages_env[] = {
    "PERL5LIB={prefix}/lib/perl5",
    "PATH={prefix}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", nullptr};
constexpr const char* index_variables[] = {"CPAN_MIRROR", nullptr};
constexpr cbx_packages packages = {.longest = 128,
                                   .most = 32,
                                   .noun = "CPAN module",
                                   .example = "Text::Table",
                                   .extra_characters = ":~@",
                                   .install = &install,
                                   .install_env = install_env,
                                   .env = packages_env,
                                   .index_variables = index_variables};

constexpr cbx_hint no_module = {.pattern = "*Can't locate *.pm in @INC*",
                                .text = "Name the CPAN module in `libraries`, for example Text::Table."};
constexpr cbx_hint wide = {
    .pattern = "*Wide character in *",
    .text = "Say binmode(STDOUT, ':encoding(UTF-8)') before text beyond Latin-1 is printed."};
constexpr const cbx_hint* hints[] = {&no_module, &wide, nullptr};

constexpr cbx_sample sample = {
    .code = "use strict;\nuse warnings;\nprint 6 * 7, \"\\n\";\nprint uc while <STDIN>;\n",
    .input = "hello\n",
    .output = "42\nHELLO\n"};

constexpr cbx_plugin perl = {
    .list_format = CBX_LIST_LINES,
    .id = "perl",
    .version = "1.0.0",
    .display_name = "Perl",
    .description =
        "Runs a Perl 5 program in a fresh sandbox and returns what it prints. Modules of CPAN named in "
        "`libraries` are there with what they need. Say `use utf8` and set an encoding on STDOUT where the "
        "program holds text beyond ASCII.",
    .image = "codebox/sandbox-perl:latest",
    .source_file = "main.pl",
    .support = support,
    .run = &run,
    .list = &list,
    .packages = &packages,
    .hints = hints,
    .sample = &sample,
};

}  // namespace

CODEBOX_PLUGIN(perl)
