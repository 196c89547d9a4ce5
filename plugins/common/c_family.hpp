#pragma once
#include <codebox/plugin.hpp>

#include "c_build_sh.h"
#include "c_packages_sh.h"
#include "debian_packages_sh.h"

/// What C and C++ have in common.
namespace c_family {

inline constexpr cbx_support_file build_file = {
    .name = "c_build.sh", .bytes = c_build_sh, .length = sizeof(c_build_sh) - 1};
inline constexpr cbx_support_file packages_file = {
    .name = "c_packages.sh", .bytes = c_packages_sh, .length = sizeof(c_packages_sh) - 1};
inline constexpr cbx_support_file debian_file = {
    .name = "debian_packages.sh", .bytes = debian_packages_sh, .length = sizeof(debian_packages_sh) - 1};
inline constexpr const cbx_support_file* support[] = {&build_file, &packages_file, &debian_file, nullptr};

inline constexpr const char* run_argv[] = {"/tmp/program", nullptr};
inline constexpr cbx_command run = {.argv = run_argv};
inline constexpr const char* list_argv[] = {"dpkg-query", "-W", "-f", "${Package} ${Version}\n", nullptr};
inline constexpr cbx_command list = {.time_ms = 20'000, .argv = list_argv};
inline constexpr const char* install_argv[] = {
    "sh", "{support}/c_packages.sh", "{support}", "{prefix}", "{packages}", nullptr};
inline constexpr cbx_command install = {.argv = install_argv};

// Libraries that libraries need are found by this, those that the program names by its own search path.
inline constexpr const char* packages_env[] = {
    "LD_LIBRARY_PATH={prefix}/usr/lib/x86_64-linux-gnu:{prefix}/usr/lib/aarch64-linux-gnu:{prefix}/usr/lib",
    nullptr};
inline constexpr cbx_packages packages = {.longest = 128,
                                          .most = 32,
                                          .noun = "Debian package",
                                          .example = "libsqlite3-dev",
                                          .extra_characters = "+:=~",
                                          .install = &install,
                                          .env = packages_env};

inline constexpr cbx_hint no_header = {
    .pattern = "*fatal error: *: No such file or directory*",
    .text = "Name the Debian package that holds the header in `libraries`: most end in -dev."};
inline constexpr cbx_hint no_library = {
    .pattern = "*undefined reference to*",
    .text = "Name the Debian -dev package of the library in `libraries`; it is then linked by itself."};
inline constexpr const cbx_hint* hints[] = {&no_header, &no_library, nullptr};

}  // namespace c_family
