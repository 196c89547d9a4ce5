#include "c_family.hpp"

namespace {

constexpr const char* compile_argv[] = {"sh",  "{support}/c_build.sh", "{dir}", "{prefix}", "/tmp/program",
                                        "gcc", "-std=gnu17",           "-O2",   "-pthread", nullptr};
constexpr cbx_command compile = {.argv = compile_argv};
constexpr const char* env[] = {"SUFFIXES=c", "IMAGE_LIBRARIES=gmp zlib", nullptr};

constexpr cbx_sample sample = {
    .code =
        "#include <ctype.h>\n#include <stdio.h>\n\nint main(void) {\n  printf(\"%d\\n\", 6 * 7);\n"
        "  for (int c; (c = getchar()) != EOF;) putchar(toupper(c));\n}\n",
    .input = "hello\n",
    .output = "42\nHELLO\n"};

constexpr cbx_plugin c = {
    .list_format = CBX_LIST_LINES,
    .id = "c",
    .version = "1.0.0",
    .display_name = "C",
    .description =
        "Compiles and runs a C program (GCC, C17) in a fresh sandbox and returns what it prints. The code is "
        "a whole file with main. GMP and zlib are there; Debian's -dev packages named in `libraries` are "
        "found and linked without any flags. Other .c files in `input_files` are compiled with it.",
    .image = "codebox/sandbox-cpp:latest",
    .source_file = "main.c",
    .env = env,
    .support = c_family::support,
    .compile = &compile,
    .run = &c_family::run,
    .list = &c_family::list,
    .packages = &c_family::packages,
    .hints = c_family::hints,
    .sample = &sample,
};

}  // namespace

CODEBOX_PLUGIN(c)
