#include <codebox/plugin.hpp>

#include "codebox_figures_py.h"
#include "codebox_packages_py.h"
#include "codebox_show_py.h"
#include "codebox_wait_py.h"
#include "hints.hpp"
#include "main_py.h"

namespace {

// Named itself, not by its folder, for which Python would load its module `runpy` first.
constexpr cbx_support_file main_file = {
    .name = "__main__.py", .bytes = main_py, .length = sizeof(main_py) - 1};
constexpr cbx_support_file figures_file = {
    .name = "_codebox_figures.py", .bytes = codebox_figures_py, .length = sizeof(codebox_figures_py) - 1};
constexpr cbx_support_file packages_file = {
    .name = "_codebox_packages.py", .bytes = codebox_packages_py, .length = sizeof(codebox_packages_py) - 1};
constexpr cbx_support_file show_file = {
    .name = "_codebox_show.py", .bytes = codebox_show_py, .length = sizeof(codebox_show_py) - 1};
constexpr cbx_support_file wait_file = {
    .name = "_codebox_wait.py", .bytes = codebox_wait_py, .length = sizeof(codebox_wait_py) - 1};
constexpr const cbx_support_file* support[] = {&main_file, &figures_file, &packages_file,
                                               &show_file, &wait_file,    nullptr};

constexpr const char* run_argv[] = {"python3", "-u",       "-B",   "{support}/__main__.py",
                                    "run",     "{source}", nullptr};
constexpr cbx_command run = {.argv = run_argv};
constexpr const char* warm[] = {"python3", "-u", "-B", "{support}/__main__.py", "wait", nullptr};
constexpr const char* list_argv[] = {"python3", "-B", "{support}/__main__.py", "list", nullptr};
constexpr cbx_command list = {.time_ms = 20'000, .argv = list_argv};
constexpr const char* install_argv[] = {"python3",    "-B",   "{support}/__main__.py", "install", "{prefix}",
                                        "{packages}", nullptr};
constexpr cbx_command install = {.argv = install_argv};

// The user base is where Python looks for packages by itself, after those of the call and before the image's.
constexpr const char* install_env[] = {"PYTHONUSERBASE={prefix}", "PIP_BREAK_SYSTEM_PACKAGES=1", nullptr};
constexpr const char* packages_env[] = {"PYTHONUSERBASE={prefix}", nullptr};
constexpr const char* index_variables[] = {
    "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_TRUSTED_HOST", "PIP_FIND_LINKS",
    "PIP_NO_INDEX",  "PIP_CONSTRAINT",      "PIP_CERT",         nullptr};
constexpr cbx_packages packages = {.longest = 128,
                                   .most = 64,
                                   .noun = "PyPI package",
                                   .example = "humanize==4.*",
                                   .extra_characters = "[]=<>!~*,+",
                                   .install = &install,
                                   .install_env = install_env,
                                   .env = packages_env,
                                   .index_variables = index_variables};

constexpr const char* env[] = {"PYTHONDONTWRITEBYTECODE=1",
                               "PYTHONUNBUFFERED=1",
                               "PIP_DISABLE_PIP_VERSION_CHECK=1",
                               "MPLBACKEND=Agg",
                               "MPLCONFIGDIR=/tmp/home/.config/matplotlib",
                               nullptr};
constexpr const char* aliases[] = {"py", "python3", nullptr};
constexpr const char* ignore[] = {"*/__pycache__/*", "*.pyc", nullptr};

constexpr cbx_sample sample = {
    .code = "import sys\n\nprint(sum(range(10)))\nprint(sys.stdin.read().upper(), end='')\n",
    .input = "hello\n",
    .output = "45\nHELLO\n"};

constexpr cbx_plugin python = {
    .list_format = CBX_LIST_JSON,
    .id = "python",
    .version = "1.0.0",
    .display_name = "Python",
    .description =
        "Runs a Python 3 program in a fresh sandbox and returns what it prints. Print results; the last "
        "expression is not shown by itself, unless it is a table of pandas. Figures of matplotlib that are "
        "open, and "
        "figures of plotly, bokeh and altair that are shown, come back in order, without being saved.",
    .image = "codebox/sandbox-python:latest",
    .source_file = "main.py",
    .aliases = aliases,
    .env = env,
    .support = support,
    .run = &run,
    .list = &list,
    .packages = &packages,
    .warm = warm,
    .ignore = ignore,
    .hints = hints::all,
    .sample = &sample,
};

}  // namespace

CODEBOX_PLUGIN(python)
