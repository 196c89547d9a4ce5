#pragma once
#include <codebox/plugin.hpp>

// What a model should do next, by a line of what Python said. Of the rules that match a line, the first one
// speaks.
namespace hints {

// A module whose package has another name than it.
#define CODEBOX_MODULE(NAME, MODULE, PACKAGE)                                                  \
  constexpr cbx_hint NAME = {.pattern = "*ModuleNotFoundError: No module named '" MODULE "'*", \
                             .text = "Call again with \"" PACKAGE "\" in `libraries`: it holds " MODULE "."}
CODEBOX_MODULE(sklearn_module, "sklearn", "scikit-learn");
CODEBOX_MODULE(skimage_module, "skimage", "scikit-image");
CODEBOX_MODULE(cv2_module, "cv2", "opencv-python-headless");
CODEBOX_MODULE(pil_module, "PIL", "pillow");
CODEBOX_MODULE(yaml_module, "yaml", "pyyaml");
CODEBOX_MODULE(bs4_module, "bs4", "beautifulsoup4");
CODEBOX_MODULE(docx_module, "docx", "python-docx");
CODEBOX_MODULE(pptx_module, "pptx", "python-pptx");
CODEBOX_MODULE(fitz_module, "fitz", "pymupdf");
CODEBOX_MODULE(dateutil_module, "dateutil", "python-dateutil");
CODEBOX_MODULE(dotenv_module, "dotenv", "python-dotenv");
CODEBOX_MODULE(jwt_module, "jwt", "pyjwt");
CODEBOX_MODULE(crypto_module, "Crypto", "pycryptodome");
#undef CODEBOX_MODULE

constexpr cbx_hint other_module = {
    .pattern = "*ModuleNotFoundError: No module named *",
    .text =
        "Call again with the package that holds the module in `libraries`; where it stood there already, the "
        "package has another name than the module."};
constexpr cbx_hint no_input = {.pattern = "*EOFError: EOF when reading a line*",
                               .text = "The program reads standard input: pass its text as `stdin`."};
constexpr cbx_hint no_line = {.pattern = "EOFError", .text = no_input.text};
constexpr cbx_hint no_display = {
    .pattern = "*no display name and no $DISPLAY*",
    .text = "There is no screen: draw with matplotlib or save a picture to a file."};
constexpr cbx_hint no_backend = {.pattern = "*Cannot load backend*interactive framework*",
                                 .text = "Leave out matplotlib.use: figures come back by themselves."};
constexpr cbx_hint shell_line = {
    .pattern = "    !*",
    .text =
        "Lines that begin with ! are a notebook's, not Python: name packages in `libraries`, and run "
        "commands with subprocess."};
constexpr cbx_hint magic_line = {
    .pattern = "    %*", .text = "Lines that begin with % are a notebook's, not Python: leave them out."};
constexpr cbx_hint console = {.pattern = "*NameError: name 'console' is not defined*",
                              .text = "This is JavaScript, and run_python runs Python: write it in Python."};
constexpr cbx_hint require = {.pattern = "*NameError: name 'require' is not defined*",
                              .text = "This is JavaScript, and run_python runs Python: write it in Python."};
constexpr cbx_hint display = {
    .pattern = "*NameError: name 'display' is not defined*",
    .text = "There is no notebook: print the value, or save it into /sandbox/output."};
constexpr cbx_hint no_pip = {
    .pattern = "*externally-managed-environment*",
    .text = "A program cannot install anything: call again with the packages in `libraries`."};
constexpr cbx_hint no_root = {.pattern = "*are you root?*",
                              .text =
                                  "Programs never run as root and cannot call apt: PyPI packages go into "
                                  "`libraries`; run_bash, where it "
                                  "is offered, takes Debian packages."};
constexpr cbx_hint tool_call = {
    .pattern = "*NameError: name 'list_files' is not defined*",
    .text =
        "Other tools cannot be called from a program: call them by themselves, and pass on what they say."};

constexpr const cbx_hint* all[] = {
    &sklearn_module, &skimage_module, &cv2_module,  &pil_module,      &yaml_module,   &bs4_module,
    &docx_module,    &pptx_module,    &fitz_module, &dateutil_module, &dotenv_module, &jwt_module,
    &crypto_module,  &other_module,   &no_input,    &no_line,         &no_display,    &no_backend,
    &shell_line,     &magic_line,     &console,     &require,         &display,       &no_pip,
    &no_root,        &tool_call,      nullptr};

}  // namespace hints
