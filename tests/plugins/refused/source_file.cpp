// Must not compile: the file name leads out of the sandbox's folder.
#include <codebox/plugin.hpp>

namespace {
constexpr const char* argv[] = {"true", nullptr};
constexpr cbx_command run = {.argv = argv};
constexpr cbx_sample sample = {.code = "x", .output = "x"};
constexpr cbx_plugin plugin = {.id = "bad",
                               .version = "1",
                               .display_name = "Bad",
                               .description = "Bad.",
                               .image = "codebox/none:1",
                               .source_file = "../main.x",
                               .run = &run,
                               .sample = &sample};
}  // namespace

CODEBOX_PLUGIN(plugin)
