#include "run/hints.hpp"

#include <catch2/catch_test_macros.hpp>

#include "base/text.hpp"
#include "support/example_language.hpp"

using namespace codebox;

namespace {

struct Case {
  sandbox::StepEnd end;
  std::vector<std::string> present;
  run::Options options;
  std::chrono::milliseconds limit = std::chrono::seconds(60);

  Case() {
    end.ending = sandbox::Ending::exited;
    end.code = 1;
  }
  std::string said(const std::string& output) const {
    return text::join(run::hints({end, output, present, limit}, testing::example_language(), options), "\n");
  }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a program that wants the network is told what to do instead, by the network that it has") {
  Case one;
  for (const char* words :
       {"socket.gaierror: [Errno -3] Temporary failure in name resolution",
        "getaddrinfo EAI_AGAIN example.com", "curl: (6) Could not resolve host: example.com",
        "OSError: [Errno 101] Network is unreachable", "dial tcp: lookup example.com: no such host"}) {
    one.options.network = run::Network::install;
    CHECK(has(one.said(words), "`libraries`"));
    CHECK(has(one.said(words), "`input_files`"));
    one.options.network = run::Network::none;
    CHECK_FALSE(has(one.said(words), "`libraries`"));
    one.options.network = run::Network::allowlist;
    CHECK(has(one.said(words), "SANDBOX_ALLOWED_HOSTS"));
    one.options.network = run::Network::full;
    CHECK(one.said(words).empty());
  }
}

TEST_CASE("a missing file that the language explains is not called a file of the user's too") {
  const Case one;
  plugin::LanguageSpec language = testing::example_language();
  language.hints = {{"*fatal error: *: No such file or directory*", "Name the package of the header."}};
  const std::string header = "main.cpp:1:10: fatal error: boost/json.hpp: No such file or directory";
  const std::string file = "cat: data.csv: No such file or directory";
  const auto said = [&](const std::string& output) {
    return text::join(run::hints({one.end, output, one.present, one.limit}, language, one.options), "\n");
  };
  CHECK(said(header) == "Name the package of the header.");
  CHECK(has(said(header + '\n' + file), "There is no file \"data.csv\""));
}

TEST_CASE("a timeout names the longest one that there is, if this call's was shorter") {
  Case one;
  one.end.ending = sandbox::Ending::timed_out;
  CHECK(has(one.said(""), "A longer `timeout` is not possible"));
  one.limit = std::chrono::seconds(5);
  CHECK(has(one.said(""), "Give a `timeout` of up to 60 seconds"));
}

TEST_CASE("want of memory is answered with how to need less") {
  Case one;
  one.end.out_of_memory = true;
  CHECK(has(one.said(""), "in pieces"));
}

TEST_CASE("a file that is not there is compared with those that are") {
  Case one;
  one.present = {"/sandbox/Sales.csv", "/sandbox/data/notes.txt"};
  CHECK(one.said("FileNotFoundError: [Errno 2] No such file or directory: 'sale.csv'") ==
        "There is no file \"sale.csv\", but there is \"/sandbox/Sales.csv\".");
  CHECK(one.said("Error: ENOENT: no such file or directory, open 'sales.csv'") ==
        "There is no file \"sales.csv\", but there is \"/sandbox/Sales.csv\".");
  CHECK(one.said("open notes.txt: no such file or directory") ==
        "There is no file \"notes.txt\", but there is \"/sandbox/data/notes.txt\".");
  CHECK(one.said("java.io.FileNotFoundException: note.txt (No such file or directory)") ==
        "There is no file \"note.txt\", but there is \"/sandbox/data/notes.txt\".");
  CHECK(has(one.said("No such file or directory: 'wholly-different.bin'"),
            "the sandbox has \"/sandbox/Sales.csv\", \"/sandbox/data/notes.txt\""));
  CHECK(one.said("No such file or directory: 'ffmpeg'").empty());
  one.present.clear();
  CHECK(has(one.said("No such file or directory: 'sales.csv'"), "name the user's files in `input_files`"));
}

TEST_CASE("the places of another kind of sandbox are answered with ours") {
  Case one;
  one.present = {"/sandbox/sales.csv"};
  const std::string read = one.said("FileNotFoundError: No such file or directory: '/mnt/data/sales.csv'");
  CHECK(has(read, "There is no /mnt/data here"));
  CHECK(has(read, "but there is \"/sandbox/sales.csv\""));
  const std::string wrote = one.said("OSError: Cannot save file into a non-existent directory: '/mnt/data'");
  CHECK(wrote ==
        "There is no /mnt/data here: input files lie in /sandbox, where the program starts, and what it "
        "writes into /sandbox/output goes to the user.");
  CHECK(has(one.said("OSError: [Errno 30] Read-only file system: '/data'"), "Only /sandbox and /tmp"));
  CHECK(has(one.said("PermissionError: [Errno 13] Permission denied: '/root/x'"), "Only /sandbox and /tmp"));
}

TEST_CASE("a file that Ruby misses is named, whatever its messages quote") {
  Case one;
  one.present = {"/sandbox/my sales.csv"};
  for (const std::string where : {"in `read'", "in 'File.read'"}) {
    const std::string line =
        "main.rb:1:" + where + ": No such file or directory @ rb_sysopen - my sale.csv (Errno::ENOENT)";
    CHECK(run::missing_file(line) == "my sale.csv");
    CHECK(has(one.said(line), "but there is \"/sandbox/my sales.csv\""));
  }
}

TEST_CASE("a hostile complaint is bounded") {
  Case one;
  one.present.assign(100, "/sandbox/" + std::string(255, 'a'));
  const std::string name(1 << 20, 'b');
  CHECK(one.said("No such file or directory: '" + name + ".csv'").size() < 4096);
  CHECK(run::missing_file("No such file or directory").empty());
  CHECK(run::missing_file("\": no such file or directory") == "\"");
  CHECK(run::missing_file("No such file or directory @ rb_sysopen - (Errno::ENOENT)") == "");
}

TEST_CASE("of a language's rules that match a line, the first one speaks, and each once") {
  auto language = testing::example_language();
  language.hints = {{"*named 'yaml'*", "pyyaml"}, {"*named *", "any"}};
  CHECK(run::language_hints("No module named 'yaml'\nNo module named 'yaml'\n", language) ==
        std::vector<std::string>{"pyyaml"});
  CHECK(run::language_hints("No module named 'x'\nNo module named 'yaml'", language) ==
        std::vector<std::string>{"any", "pyyaml"});
}
