#include <codebox/plugin.hpp>

#include "php_install_sh.h"
#include "php_prepend_php.h"
#include "php_run_sh.h"
#include "php_settings_ini.h"

namespace {

constexpr cbx_support_file install_file = {
    .name = "php_install.sh", .bytes = php_install_sh, .length = sizeof(php_install_sh) - 1};
constexpr cbx_support_file prepend_file = {
    .name = "php_prepend.php", .bytes = php_prepend_php, .length = sizeof(php_prepend_php) - 1};
constexpr cbx_support_file run_file = {
    .name = "php_run.sh", .bytes = php_run_sh, .length = sizeof(php_run_sh) - 1};
constexpr cbx_support_file settings_file = {
    .name = "php_settings.ini", .bytes = php_settings_ini, .length = sizeof(php_settings_ini) - 1};
constexpr const cbx_support_file* support[] = {&install_file, &prepend_file, &run_file, &settings_file,
                                               nullptr};

constexpr const char* run_argv[] = {"sh", "{support}/php_run.sh", "{support}", "{source}", nullptr};
constexpr cbx_command run = {.argv = run_argv};
constexpr const char* list_argv[] = {"php", "-r",
                                     "echo 'php ', PHP_VERSION, PHP_EOL;"
                                     "foreach (get_loaded_extensions() as $name) {"
                                     "  echo 'ext-', strtolower(strtr($name, ' ', '-')), ' ',"
                                     "    explode(' ', phpversion($name) ?: PHP_VERSION)[0], PHP_EOL;"
                                     "}",
                                     nullptr};
constexpr cbx_command list = {.time_ms = 20'000, .argv = list_argv};
constexpr const char* install_argv[] = {"sh", "{support}/php_install.sh", "{prefix}", "{packages}", nullptr};
constexpr cbx_command install = {.argv = install_argv};

constexpr const char* install_env[] = {"COMPOSER_HOME={prefix}/.tmp/composer",
                                       "COMPOSER_CACHE_DIR={prefix}/.tmp/composer-cache", nullptr};
constexpr const char* packages_env[] = {"CODEBOX_VENDOR={prefix}/vendor", nullptr};
constexpr const char* index_variables[] = {"PACKAGIST_URL", "COMPOSER_AUTH", nullptr};
constexpr cbx_packages packages = {.longest = 160,
                                   .most = 64,
                                   .noun = "Composer package",
                                   .example = "monolog/monolog:^3",
                                   .extra_characters = "/:@=^~*<>,",
                                   .install = &install,
                                   .install_env = install_env,
                                   .env = packages_env,
                                   .index_variables = index_variables};

// A colon stands for the folder of settings that the image has.
constexpr const char* env[] = {"PHP_INI_SCAN_DIR=:{support}", nullptr};
constexpr const char* ignore[] = {"vendor", "vendor/*", nullptr};

constexpr cbx_hint no_autoload = {
    .pattern = "*Failed open*vendor/autoload.php*",
    .text =
        "Name the Composer packages in `libraries`: vendor/autoload.php is then there, and loaded already."};
constexpr cbx_hint no_class = {
    .pattern = "*Class \"*\\*\" not found*",
    .text = "Name the Composer package that holds the class in `libraries`, as vendor/name."};
constexpr cbx_hint no_function = {
    .pattern = "*Call to undefined function *",
    .text = "If an extension has the function: list_php_packages names those here; none can be added."};
constexpr const cbx_hint* hints[] = {&no_autoload, &no_class, &no_function, nullptr};

constexpr cbx_sample sample = {
    .code = "<?php\necho array_sum([1, 2, 3]), \"\\n\";\necho strtoupper(stream_get_contents(STDIN));\n",
    .input = "hello\n",
    .output = "6\nHELLO\n"};

constexpr cbx_plugin php = {
    .list_format = CBX_LIST_LINES,
    .id = "php",
    .version = "1.0.0",
    .display_name = "PHP",
    .description =
        "Runs a PHP program on the command line in a fresh sandbox and returns what it prints. Composer "
        "packages named in `libraries` are installed and loaded by themselves. There is no web server.",
    .image = "codebox/sandbox-php:latest",
    .source_file = "main.php",
    .env = env,
    .support = support,
    .run = &run,
    .list = &list,
    .packages = &packages,
    .ignore = ignore,
    .hints = hints,
    .sample = &sample,
};

}  // namespace

CODEBOX_PLUGIN(php)
