#include <codebox/plugin.hpp>

#include "debian_packages_sh.h"

namespace {

constexpr cbx_support_file packages_file = {
    .name = "debian_packages.sh", .bytes = debian_packages_sh, .length = sizeof(debian_packages_sh) - 1};
constexpr const cbx_support_file* support[] = {&packages_file, nullptr};

constexpr const char* run_argv[] = {"bash", "{source}", nullptr};
constexpr cbx_command run = {.argv = run_argv};
constexpr const char* list_argv[] = {"dpkg-query", "-W", "-f", "${Package} ${Version}\n", nullptr};
constexpr cbx_command list = {.time_ms = 20'000, .argv = list_argv};
constexpr const char* install_argv[] = {"sh", "{support}/debian_packages.sh", "{prefix}", "{packages}",
                                        nullptr};
constexpr cbx_command install = {.argv = install_argv};

// Where Debian's packages keep commands, libraries and modules, of either architecture.
constexpr const char* packages_env[] = {
    "PATH={prefix}/usr/bin:{prefix}/bin:{prefix}/usr/sbin:{prefix}/usr/games:"
    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "LD_LIBRARY_PATH={prefix}/usr/lib/x86_64-linux-gnu:{prefix}/usr/lib/aarch64-linux-gnu:{prefix}/usr/lib",
    "PERL5LIB={prefix}/usr/share/perl5", "PYTHONPATH={prefix}/usr/lib/python3/dist-packages", nullptr};
constexpr cbx_packages packages = {.longest = 128,
                                   .most = 32,
                                   .noun = "Debian package",
                                   .example = "jq",
                                   .extra_characters = "+:=~",
                                   .install = &install,
                                   .env = packages_env};

constexpr const char* aliases[] = {"sh", "shell", nullptr};

constexpr cbx_hint no_command = {
    .pattern = "*: command not found",
    .text = "Name the Debian package that holds the command in `libraries`, or use what the image has."};
constexpr cbx_hint no_root = {
    .pattern = "*are you root?*",
    .text = "Programs never run as root: name Debian packages in `libraries` instead of calling apt."};
constexpr const cbx_hint* hints[] = {&no_command, &no_root, nullptr};

constexpr cbx_sample sample = {
    .code = "echo $((6 * 7))\ntr a-z A-Z\n", .input = "hello\n", .output = "42\nHELLO\n"};

constexpr cbx_plugin bash = {
    .list_format = CBX_LIST_LINES,
    .id = "bash",
    .version = "1.0.0",
    .display_name = "Bash",
    .description =
        "Runs a Bash script in a fresh Debian sandbox with the usual command-line tools and returns what it "
        "prints. It runs as an ordinary user; Debian packages named in `libraries` are unpacked for it.",
    .image = "codebox/sandbox-bash:latest",
    .source_file = "main.sh",
    .aliases = aliases,
    .support = support,
    .run = &run,
    .list = &list,
    .packages = &packages,
    .hints = hints,
    .sample = &sample,
};

}  // namespace

CODEBOX_PLUGIN(bash)
