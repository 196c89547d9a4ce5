#include <codebox/plugin.hpp>

#include "install_java.h"
#include "java_options_txt.h"

namespace {

constexpr cbx_support_file install_file = {
    .name = "Install.java", .bytes = install_java, .length = sizeof(install_java) - 1};
constexpr cbx_support_file options_file = {
    .name = "java_options.txt", .bytes = java_options_txt, .length = sizeof(java_options_txt) - 1};
constexpr const cbx_support_file* support[] = {&install_file, &options_file, nullptr};

// Java compiles the file in memory by itself, so that its class may have any name.
constexpr const char* run_argv[] = {
    "java", "@{support}/java_options.txt", "-cp", "{prefix}/lib/*:{dir}", "{source}", nullptr};
// Java looks for the file before its agent does, which waits; without the agent in the image none does.
constexpr const char* warm[] = {"sh",
                                "-c",
                                "echo >\"$0\" && exec env -u PWD \"$@\" \"$0\"",
                                "{dir}/Main.java",
                                "java",
                                "@{support}/java_options.txt",
                                "-javaagent:/usr/local/share/codebox/wait.jar={dir}/Main.java",
                                "-cp",
                                "{prefix}/lib/*:{dir}",
                                nullptr};
constexpr cbx_command run = {.argv = run_argv};
constexpr const char* list_argv[] = {"java", "--list-modules", nullptr};
constexpr cbx_command list = {.time_ms = 20'000, .argv = list_argv};
constexpr const char* install_argv[] = {"java",
                                        "-XX:TieredStopAtLevel=1",
                                        "-cp",
                                        "/usr/share/java/ivy.jar",
                                        "{support}/Install.java",
                                        "{prefix}",
                                        "{packages}",
                                        nullptr};
constexpr cbx_command install = {.argv = install_argv};
constexpr const char* index_variables[] = {"MAVEN_INDEX_URL", nullptr};
constexpr cbx_packages packages = {.longest = 200,
                                   .most = 32,
                                   .noun = "Maven artifact",
                                   .example = "com.google.code.gson:gson:2.11.0",
                                   .extra_characters = ":",
                                   .install = &install,
                                   .index_variables = index_variables};

constexpr cbx_hint no_package = {
    .pattern = "*error: package * does not exist*",
    .text = "Name the artifact that holds the package in `libraries`, as group:artifact:version."};
constexpr cbx_hint no_main = {.pattern = "*error: can't find main(String[]) method*",
                              .text = "The first class in the file has to be the one with main."};
constexpr cbx_hint no_class = {.pattern = "*error: class found on application class path*",
                               .text = "A file of that class is there already: give the class another name."};
constexpr cbx_hint no_type = {
    .pattern = "*error: class, interface, enum, or record expected*",
    .text = "Statements stand within a class with `public static void main(String[] args)`."};
constexpr const cbx_hint* hints[] = {&no_package, &no_main, &no_class, &no_type, nullptr};

constexpr cbx_sample sample = {
    .code =
        "import java.util.Scanner;\nimport java.util.stream.IntStream;\n\npublic class Main {\n"
        "  public static void main(String[] args) {\n    System.out.println(IntStream.range(0, 10).sum());\n"
        "    var in = new Scanner(System.in);\n"
        "    while (in.hasNextLine()) System.out.println(in.nextLine().toUpperCase());\n  }\n}\n",
    .input = "hello\n",
    .output = "45\nHELLO\n"};

constexpr cbx_plugin java = {
    .list_format = CBX_LIST_LINES,
    .id = "java",
    .version = "1.0.0",
    .display_name = "Java",
    .description =
        "Runs a Java program in a fresh sandbox and returns what it prints. The code is one whole file; its "
        "first class has main and may have any name, others may follow. Maven artifacts named in `libraries` "
        "are there with what they need. There is no screen.",
    .image = "codebox/sandbox-java:latest",
    .source_file = "Main.java",
    .support = support,
    .run = &run,
    .list = &list,
    .packages = &packages,
    .warm = warm,
    .hints = hints,
    .sample = &sample,
};

}  // namespace

CODEBOX_PLUGIN(java)
