#include <codebox/plugin.hpp>

#include "r_packages_r.h"
#include "run_r.h"
#include "wait_r.h"

namespace {

constexpr cbx_support_file run_file = {.name = "run.R", .bytes = run_r, .length = sizeof(run_r) - 1};
constexpr cbx_support_file packages_file = {
    .name = "r_packages.R", .bytes = r_packages_r, .length = sizeof(r_packages_r) - 1};
constexpr cbx_support_file wait_file = {.name = "wait.R", .bytes = wait_r, .length = sizeof(wait_r) - 1};
constexpr const cbx_support_file* support[] = {&run_file, &packages_file, &wait_file, nullptr};

// R without a program of its own: what it reads at its start, run.R, runs the program.
constexpr const char* run_argv[] = {
    "env", "R_PROFILE_USER={support}/run.R", "R", "--no-echo", "--no-save", "--no-restore", nullptr};
constexpr cbx_command run = {.argv = run_argv};
constexpr const char* warm[] = {"env",
                                "R_PROFILE_USER={support}/run.R",
                                "CODEBOX_WAIT={support}/wait.R",
                                "R",
                                "--no-echo",
                                "--no-save",
                                "--no-restore",
                                nullptr};
constexpr const char* list_argv[] = {"Rscript", "--no-init-file", "{support}/r_packages.R", "list", nullptr};
constexpr cbx_command list = {.time_ms = 20'000, .argv = list_argv};
constexpr const char* install_argv[] = {
    "Rscript", "--no-init-file", "{support}/r_packages.R", "install", "{prefix}", "{packages}", nullptr};
constexpr cbx_command install = {.argv = install_argv};

constexpr const char* packages_env[] = {"R_LIBS={prefix}/library", nullptr};
constexpr const char* index_variables[] = {"CRAN_MIRROR", nullptr};
constexpr cbx_packages packages = {.longest = 128,
                                   .most = 32,
                                   .noun = "CRAN package",
                                   .example = "praise",
                                   .extra_characters = "@",
                                   .install = &install,
                                   .env = packages_env,
                                   .index_variables = index_variables};

constexpr cbx_hint no_package = {.pattern = "*there is no package called *",
                                 .text = "Name the CRAN package in `libraries`."};
constexpr cbx_hint no_function = {
    .pattern = "*could not find function *",
    .text = "Load the package that has the function with library(), and see that the name is right."};
constexpr const cbx_hint* hints[] = {&no_package, &no_function, nullptr};

constexpr cbx_sample sample = {.code =
                                   "cat(sum(0:9), \"\\n\", sep = \"\")\n"
                                   "cat(toupper(readLines(file(\"stdin\"))), sep = \"\\n\")\n",
                               .input = "hello\n",
                               .output = "45\nHELLO\n"};

constexpr cbx_plugin r = {
    .list_format = CBX_LIST_LINES,
    .id = "r",
    .version = "1.0.0",
    .display_name = "R",
    .description =
        "Runs an R program in a fresh sandbox and returns what it prints, as Rscript does. Plots that are "
        "drawn, of base graphics, ggplot2 or lattice, come back as pictures in order, without being saved "
        "and without a device being opened. Standard input is file(\"stdin\").",
    .image = "codebox/sandbox-r:latest",
    .source_file = "main.R",
    .support = support,
    .run = &run,
    .list = &list,
    .packages = &packages,
    .warm = warm,
    .hints = hints,
    .sample = &sample,
};

}  // namespace

CODEBOX_PLUGIN(r)
