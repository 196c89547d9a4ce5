#include <codebox/plugin.hpp>

namespace {

constexpr const char* compile_argv[] = {
    "mcs",
    "-nologo",
    "-langversion:latest",
    "-optimize",
    "-r:System.Numerics,System.Xml.Linq,System.Net.Http,System.Data",
    "-r:System.Runtime.Serialization,System.IO.Compression,Microsoft.CSharp",
    "-r:System.Web.Extensions,System.Json",
    "-out:/tmp/program.exe",
    "{source}",
    nullptr};
constexpr cbx_command compile = {.argv = compile_argv};
constexpr const char* run_argv[] = {"mono", "/tmp/program.exe", nullptr};
constexpr cbx_command run = {.argv = run_argv};
constexpr const char* list_argv[] = {"dpkg-query", "-W",        "-f",   "${Package} ${Version}\n",
                                     "mono-*",     "libmono-*", nullptr};
constexpr cbx_command list = {.time_ms = 20'000, .argv = list_argv};

constexpr const char* aliases[] = {"cs", "mono", nullptr};

constexpr cbx_hint no_main = {
    .pattern = "*CS5001*",
    .text =
        "The program needs a class with `static void Main()`; it cannot be async, so wait for a task in it."};
constexpr cbx_hint no_namespace = {
    .pattern = "*CS0246*", .text = "NuGet packages cannot be named here: use what the class library has."};
constexpr cbx_hint newer = {
    .pattern = "*CS1525*",
    .text = "The language is C# 7: no records, no top-level statements, no `using` lines."};
constexpr const cbx_hint* hints[] = {&no_main, &no_namespace, &newer, nullptr};

constexpr cbx_sample sample = {
    .code =
        "using System;\nusing System.Linq;\n\nclass Program {\n  static void Main() {\n"
        "    Console.WriteLine(Enumerable.Range(0, 10).Sum());\n"
        "    Console.Write(Console.In.ReadToEnd().ToUpper());\n  }\n}\n",
    .input = "hello\n",
    .output = "45\nHELLO\n"};

constexpr cbx_plugin csharp = {
    .list_format = CBX_LIST_LINES,
    .id = "csharp",
    .version = "1.0.0",
    .display_name = "C#",
    .description =
        "Compiles and runs a C# program with Mono (C# 7, not .NET) in a fresh sandbox and returns what it "
        "prints. The code is a whole file: a class with `static void Main()`, not async, no top-level "
        "statements, no records. The class library of .NET Framework 4 is there; NuGet packages are not.",
    .image = "codebox/sandbox-csharp:latest",
    .source_file = "main.cs",
    .aliases = aliases,
    .compile = &compile,
    .run = &run,
    .list = &list,
    .hints = hints,
    .sample = &sample,
};

}  // namespace

CODEBOX_PLUGIN(csharp)
