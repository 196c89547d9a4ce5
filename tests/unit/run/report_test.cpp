#include "run/report.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <nlohmann/json.hpp>

#include "run/environment.hpp"
#include "run/package_list.hpp"
#include "run/pictures.hpp"
#include "support/example_language.hpp"

using namespace codebox;

namespace {

struct Case {
  run::Ran ran;
  run::KeptOutput output{64 * 1024};
  run::Options options;
  std::string text() {
    return run::report(ran, output, testing::example_language(), options, std::chrono::seconds(60));
  }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

sandbox::StepEnd ended(sandbox::Ending ending, int code = 0) {
  sandbox::StepEnd end;
  end.ending = ending;
  end.code = code;
  end.wall = std::chrono::milliseconds(2000);
  return end;
}

}  // namespace

TEST_CASE("what a program printed stands first, as it was printed") {
  Case one;
  one.ran.end = ended(sandbox::Ending::exited, 3);
  one.output.write(sandbox::Output::out, "five lines\n");
  one.output.write(sandbox::Output::err, "a warning\n");
  CHECK(one.text() == "five lines\n[stderr]\na warning\n[exit status 3, 2 s]\n[reason] failed\n");
}

TEST_CASE("of many files that do not come back the first are named and the others counted") {
  Case one;
  one.ran.end = ended(sandbox::Ending::exited);
  for (int i = 0; i < 5000; ++i)
    one.ran.not_returned.push_back({"/sandbox/x" + std::to_string(i), "is not there"});
  const std::string text = one.text();
  CHECK(has(text, "[not returned] /sandbox/x19: is not there\n[not returned] and 4980 more\n"));
  CHECK_FALSE(has(text, "/sandbox/x20:"));
}

TEST_CASE("a program that prints nothing is said to have printed nothing") {
  Case one;
  one.ran.end = ended(sandbox::Ending::exited);
  CHECK(has(one.text(), "[no output]"));
}

TEST_CASE("output that is JSON does not make the result JSON") {
  Case one;
  one.ran.end = ended(sandbox::Ending::exited);
  one.output.write(sandbox::Output::out, R"({"a": 1})");
  CHECK(nlohmann::json::parse(one.text(), nullptr, false).is_discarded());
  CHECK(one.text().starts_with(R"({"a": 1})"));
}

TEST_CASE("each limit is named with its value") {
  Case one;
  one.ran.end = ended(sandbox::Ending::timed_out);
  CHECK(has(one.text(), "timed out after 2 s: the whole call may take 60 s (SANDBOX_EXEC_TIMEOUT"));
  one.ran.end = ended(sandbox::Ending::signalled, SIGKILL);
  one.ran.end.out_of_memory = true;
  CHECK(has(one.text(), "out of memory: the limit is 500 MiB (SANDBOX_MAX_MEMORY)"));
  one.ran.end.out_of_memory = false;
  CHECK(has(one.text(), "ended by SIGKILL"));
}

TEST_CASE("a failed program's words for a full disk or too many processes get the limit and its value") {
  Case one;
  one.ran.end = ended(sandbox::Ending::exited, 1);
  one.output.write(sandbox::Output::err, "OSError: [Errno 28] No space left on device\n");
  CHECK(has(one.text(), "[hint] The sandbox's disk may be full: the limit is 256 MiB"));
  CHECK(has(one.text(), "(SANDBOX_MAX_DISK)"));
  CHECK_FALSE(has(one.text(), "SANDBOX_MAX_PIDS"));
  one.output.write(sandbox::Output::err, "RuntimeError: can't start new thread\n");
  CHECK(has(one.text(), "[hint] A sandbox may have 512 processes and threads at once (SANDBOX_MAX_PIDS)."));
  one.ran.end = ended(sandbox::Ending::exited, 0);
  CHECK_FALSE(has(one.text(), "[hint]"));
}

TEST_CASE("files come as links to copy, pictures as inline ones, and what stays behind with its reason") {
  Case one;
  one.ran.end = ended(sandbox::Ending::exited);
  one.ran.files = {{{"plot [1].png", "/files/1"}, 2048, true}, {{"table.csv", "/files/2"}, 10, false}};
  one.ran.not_returned = {{"/sandbox/output/link", "is a symbolic link"}};
  const std::string text = one.text();
  CHECK(has(text, "- ![plot \\[1\\].png](/files/1) (2 KiB)"));
  CHECK(has(text, "- [table.csv](/files/2) (10 B)"));
  CHECK(has(text, "[not returned] /sandbox/output/link: is a symbolic link"));
}

TEST_CASE("a hint of the language follows the line that it knows") {
  Case one;
  one.ran.end = ended(sandbox::Ending::exited, 1);
  one.output.write(sandbox::Output::err, "Traceback\nEOFError: EOF when reading a line\n");
  CHECK(has(one.text(), "[hint] Pass text as `stdin`."));
}

TEST_CASE("a long data URI does not reach the model") {
  const std::string uri = "data:image/png;base64," + std::string(1000, 'A');
  CHECK(run::without_data_uris("see " + uri + " here") == "see [data URI of 1022 bytes] here");
  CHECK(run::without_data_uris("data: 5, data:text/plain,hi") == "data: 5, data:text/plain,hi");
}

TEST_CASE("only four types are ever inline, and only when the bytes agree") {
  CHECK(run::inline_picture_type("a.PNG") == "image/png");
  CHECK(run::inline_picture_type("a.svg").empty());
  CHECK(run::is_picture("a.svg"));
  CHECK(run::has_signature("image/png", std::string("\x89PNG\r\n\x1a\n") + "x"));
  CHECK_FALSE(run::has_signature("image/png", "<svg"));
}

TEST_CASE("an index password reaches the install step alone, and no message") {
  const auto language = testing::example_language();
  run::Options options;
  engine::ImageInfo image{
      "sha256:1", {"PIP_INDEX_URL=https://user:p%40ss@index.example/simple", "HOME=/root", "A=1"}, ""};
  const auto install = run::environment(run::Phase::install, language, image, options);
  const auto program = run::environment(run::Phase::program, language, image, options);
  const auto in = [](const std::vector<std::string>& env, const std::string& entry) {
    return std::find(env.begin(), env.end(), entry) != env.end();
  };
  CHECK(in(install, image.env[0]));
  CHECK(in(install, "HTTPS_PROXY=http://127.0.0.1:3128"));
  CHECK_FALSE(in(program, image.env[0]));
  CHECK_FALSE(in(program, "HTTPS_PROXY=http://127.0.0.1:3128"));
  CHECK(in(program, "A=1"));
  CHECK(in(program, "HOME=/tmp/home"));
  CHECK(in(program, "LANG=C.UTF-8"));
  CHECK(in(program, "PYTHONUSERBASE=/packages"));
  const std::string said =
      run::without_secrets("Looking in https://user:p%40ss@index.example/simple, p%40ss", install, language);
  CHECK(said == "Looking in https://****@index.example/simple, ****");
}

TEST_CASE("the operator's own environment wins over the image's") {
  run::Options options;
  options.env["python"] = {"A=2", "B=x=y"};
  const auto env =
      run::environment(run::Phase::program, testing::example_language(), {"", {"A=1"}, ""}, options);
  CHECK(std::find(env.begin(), env.end(), "A=2") != env.end());
  CHECK(std::find(env.begin(), env.end(), "B=x=y") != env.end());
}

TEST_CASE("a command line is spread out as arguments, never as a shell's words") {
  const auto language = testing::example_language();
  CHECK(run::command_line(language.packages->install, language, {"a b", "$(x)"}) ==
        std::vector<std::string>{"pip", "install", "--prefix", "/packages", "--", "a b", "$(x)"});
  CHECK(run::command_line(language.run, language, {}) ==
        std::vector<std::string>{"python3", "/sandbox/main.py"});
}

TEST_CASE("a package list is read from JSON and bounded to lines") {
  const auto language = testing::example_language();
  const std::string list =
      run::package_list(R"([{"name":"numpy","version":"2.1"},{"name":"a\nb"},5])", language);
  CHECK(has(list, "has 2 packages ready"));
  CHECK(has(list, "\nnumpy 2.1\n"));
  CHECK(has(list, "\na b \n"));
}
