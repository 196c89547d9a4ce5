#include "c_family.hpp"

namespace {

constexpr const char* compile_argv[] = {
    "sh",       "{support}/c_build.sh",  "{dir}", "{prefix}", "/tmp/program", "g++", "-std=gnu++23", "-O2",
    "-pthread", "-I/usr/include/eigen3", nullptr};
constexpr cbx_command compile = {.argv = compile_argv};
constexpr const char* env[] = {"SUFFIXES=cpp cc cxx", "IMAGE_LIBRARIES=fmt gmpxx gmp zlib", nullptr};
constexpr const char* aliases[] = {"cplusplus", "cxx", nullptr};

constexpr cbx_sample sample = {
    .code =
        "#include <cctype>\n#include <iostream>\n#include <numeric>\n#include <vector>\n\nint main() {\n"
        "  const std::vector<int> numbers{1, 2, 3};\n"
        "  std::cout << std::accumulate(numbers.begin(), numbers.end(), 0) << '\\n';\n"
        "  for (char c; std::cin.get(c);) std::cout.put(static_cast<char>(std::toupper(c)));\n}\n",
    .input = "hello\n",
    .output = "6\nHELLO\n"};

constexpr cbx_plugin cpp = {
    .list_format = CBX_LIST_LINES,
    .id = "cpp",
    .version = "1.0.0",
    .display_name = "C++",
    .description =
        "Compiles and runs a C++ program (GCC, C++23) in a fresh sandbox and returns what it prints. The "
        "code "
        "is a whole file with main. Eigen, fmt, nlohmann-json, GMP and zlib are there; Debian's -dev "
        "packages "
        "named in `libraries` are found and linked without any flags. Other .cpp files in `input_files` are "
        "compiled with it.",
    .image = "codebox/sandbox-cpp:latest",
    .source_file = "main.cpp",
    .aliases = aliases,
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

CODEBOX_PLUGIN(cpp)
