#include <codebox/plugin.hpp>

#include "go_build_sh.h"
#include "go_install_sh.h"

namespace {

constexpr cbx_support_file build_file = {
    .name = "go_build.sh", .bytes = go_build_sh, .length = sizeof(go_build_sh) - 1};
constexpr cbx_support_file install_file = {
    .name = "go_install.sh", .bytes = go_install_sh, .length = sizeof(go_install_sh) - 1};
constexpr const cbx_support_file* support[] = {&build_file, &install_file, nullptr};

constexpr const char* compile_argv[] = {"sh",       "{support}/go_build.sh", "{dir}",
                                        "{prefix}", "/tmp/program",          nullptr};
constexpr cbx_command compile = {.argv = compile_argv};
constexpr const char* run_argv[] = {"/tmp/program", nullptr};
constexpr cbx_command run = {.argv = run_argv};
constexpr const char* list_argv[] = {"sh", "-c",
                                     "version=$(go env GOVERSION); echo \"go ${version#go}\"; go list std | "
                                     "grep -vE '(^|/)(internal|vendor)(/|$)' | sed \"s/$/ ${version#go}/\"",
                                     nullptr};
constexpr cbx_command list = {.time_ms = 20'000, .argv = list_argv};
constexpr const char* install_argv[] = {"sh", "{support}/go_install.sh", "{prefix}", "{packages}", nullptr};
constexpr cbx_command install = {.argv = install_argv};

constexpr const char* install_env[] = {"GOCACHE={prefix}/cache", "GOPROXY=https://proxy.golang.org,direct",
                                       "GOFLAGS=-modcacherw -buildvcs=false", "GOTMPDIR={prefix}/.tmp",
                                       nullptr};
constexpr const char* index_variables[] = {"GOPROXY", "GONOPROXY", "GOPRIVATE",
                                           "GOSUMDB", "GONOSUMDB", nullptr};
constexpr const char* packages_env[] = {"GOMODCACHE={prefix}/modules", nullptr};
constexpr cbx_packages packages = {.longest = 256,
                                   .most = 32,
                                   .noun = "Go module",
                                   .example = "github.com/google/uuid@v1.6.0",
                                   .extra_characters = "/@+~",
                                   .install = &install,
                                   .install_env = install_env,
                                   .env = packages_env,
                                   .index_variables = index_variables};

// No C compiler is at hand, and nothing may fetch another Go.
constexpr const char* env[] = {"CGO_ENABLED=0",
                               "GOTOOLCHAIN=local",
                               "GOTELEMETRY=off",
                               "GOFLAGS=-buildvcs=false",
                               "GOPROXY=off",
                               "GOCACHE=/tmp/home/.cache/go-build",
                               nullptr};
constexpr const char* aliases[] = {"golang", nullptr};
constexpr const char* ignore[] = {".codebox-build/*", "go.sum", nullptr};

constexpr cbx_hint no_module = {.pattern = "*no required module provides package *",
                                .text = "Name the module that holds the package in `libraries`."};
constexpr cbx_hint unused = {.pattern = "*imported and not used*",
                             .text = "Go refuses imports that nothing uses: remove them."};
constexpr cbx_hint not_main = {.pattern = "*expected 'package'*",
                               .text = "A program begins with `package main` and has `func main()`."};
constexpr const cbx_hint* hints[] = {&no_module, &unused, &not_main, nullptr};

constexpr cbx_sample sample = {
    .code =
        "package main\n\nimport (\n\t\"fmt\"\n\t\"io\"\n\t\"os\"\n\t\"strings\"\n)\n\nfunc main() {\n"
        "\tfmt.Println(6 * 7)\n\tinput, _ := io.ReadAll(os.Stdin)\n"
        "\tfmt.Print(strings.ToUpper(string(input)))\n}\n",
    .input = "hello\n",
    .output = "42\nHELLO\n"};

constexpr cbx_plugin go = {
    .list_format = CBX_LIST_LINES,
    .id = "go",
    .version = "1.0.0",
    .display_name = "Go",
    .description =
        "Builds and runs a Go program in a fresh sandbox and returns what it prints. The code is a whole "
        "file: `package main` with `func main()`. The standard library is there; modules named in "
        "`libraries` "
        "are found by their import paths, without a go.mod. cgo is off.",
    .image = "codebox/sandbox-go:latest",
    .source_file = "main.go",
    .aliases = aliases,
    .env = env,
    .support = support,
    .compile = &compile,
    .run = &run,
    .list = &list,
    .packages = &packages,
    .ignore = ignore,
    .hints = hints,
    .sample = &sample,
};

}  // namespace

CODEBOX_PLUGIN(go)
