// The template's plugin in C++: what breaks a rule does not compile.
#include <codebox/plugin.hpp>

#include <string>

namespace {
constexpr const char* run_argv[] = {"lua", "{source}", nullptr};
constexpr cbx_command run = {.argv = run_argv};
constexpr cbx_sample sample = {.code = "print(6 * 7)\n", .output = "42\n"};
constexpr cbx_plugin lua = {.id = "lua",
                            .version = "1.0.0",
                            .display_name = "Lua",
                            .description = "Runs a Lua program and returns what it prints.",
                            .image = "codebox/sandbox-lua:latest",
                            .source_file = "main.lua",
                            .run = &run,
                            .sample = &sample};
// The standard library of the plugin's own compiler is at work before the entry is called.
std::string made_at_start = std::string(100, 'x') + "y";
}  // namespace

CODEBOX_PLUGIN(lua)
