#include "runner_room.hpp"

using namespace runner_room;

TEST_CASE("a program runs and its output is the result") {
  Room room;
  room.world.on_step = [](const sandbox::Step&, sandbox::OutputSink& output) {
    output.write(sandbox::Output::out, "1\n");
    return exited(0);
  };
  const run::Outcome outcome = room.run();
  CHECK_FALSE(outcome.is_error);
  CHECK(outcome.text.starts_with("1\n[exit status 0"));
  CHECK(room.world.files.at("/sandbox/main.py") == "print(1)");
  CHECK(room.world.steps.back().argv == std::vector<std::string>{"python3", "/sandbox/main.py"});
}

TEST_CASE("a program that fails is a normal result with its exit status") {
  Room room;
  room.world.on_step = [](const sandbox::Step&, sandbox::OutputSink&) { return exited(7); };
  const run::Outcome outcome = room.run();
  CHECK_FALSE(outcome.is_error);
  CHECK(outcome.exit_status == 7);
}

TEST_CASE(
    "packages are installed before any user file is there, and the network is shut and all is dead in "
    "between") {
  Room room;
  room.files.remote["sales.csv"] = "a,b\n1,2\n";
  room.arguments.libraries = {"humanize"};
  room.arguments.inputs = {{"sales.csv", "/sandbox/sales.csv", std::nullopt}};
  CHECK_FALSE(room.run().is_error);
  CHECK(room.at("memory up") < room.at("gate open"));
  CHECK(room.at("gate open") < room.at("step pip"));
  CHECK(room.at("step pip") < room.at("gate shut"));
  CHECK(room.at("gate shut") < room.at("kill"));
  CHECK(room.at("kill") < room.at("put /sandbox/sales.csv"));
  CHECK(room.at("put /sandbox/sales.csv") < room.at("step python3"));
  CHECK(room.world.files.at("/sandbox/sales.csv") == "a,b\n1,2\n");
}

TEST_CASE("a failed install is reported with the installer's reason, and nothing runs") {
  Room room;
  room.arguments.libraries = {"nosuch"};
  room.world.on_step = [](const sandbox::Step&, sandbox::OutputSink& output) {
    output.write(sandbox::Output::err, "ERROR: No matching distribution found for nosuch\n");
    return exited(1);
  };
  const run::Outcome outcome = room.run();
  CHECK(outcome.is_error);
  CHECK(has(outcome.text, "Nothing was run: installing nosuch failed."));
  CHECK(has(outcome.text, "No matching distribution found for nosuch"));
  CHECK(has(outcome.text, "check the spelling"));
  CHECK(room.world.steps.size() == 1);
}

TEST_CASE("what an install broke of the image is told, line by line and bounded") {
  Room room;
  room.arguments.libraries = {"numpy"};
  room.world.on_step = [&](const sandbox::Step& step, sandbox::OutputSink& output) {
    if (!step.installing) return exited(0);
    output.write(sandbox::Output::err, "Collecting\nConflict with the image: pandas has no numpy\n");
    for (int i = 0; i < 9; ++i) output.write(sandbox::Output::err, "Conflict with the image: more\n");
    return exited(0);
  };
  const run::Outcome outcome = room.run();
  CHECK_FALSE(outcome.is_error);
  CHECK(has(outcome.text, "[note] Conflict with the image: pandas has no numpy\n"));
  std::size_t told = 0;
  for (auto at = outcome.text.find("[note]"); at != std::string::npos;
       at = outcome.text.find("[note]", at + 1))
    ++told;
  CHECK(told == 5);
}

TEST_CASE("without a network packages are refused at once") {
  Room room;
  room.options.network = run::Network::none;
  room.arguments.libraries = {"humanize"};
  const run::Outcome outcome = room.run();
  CHECK(outcome.is_error);
  CHECK(has(outcome.text, "SANDBOX_NETWORK is none"));
  CHECK(room.world.steps.empty());
}

TEST_CASE("of more files than are looked at, the result says that there are others") {
  Room room;
  room.options.max_files = 2;
  const auto leave = [&room](int files) {
    room.world = {};
    room.world.on_step = [&room, files](const sandbox::Step&, sandbox::OutputSink&) {
      for (int i = 0; i < files; ++i) room.world.files["/sandbox/output/" + std::to_string(i)] = "x";
      return exited(0);
    };
    return room.run().text;
  };
  CHECK_FALSE(has(leave(1000), "not looked at"));
  CHECK(has(leave(1001),
            "[note] More than 1000 files are there to collect, and the others were not looked at"));
}

TEST_CASE("output before a timeout is kept") {
  Room room;
  room.world.on_step = [](const sandbox::Step&, sandbox::OutputSink& output) {
    output.write(sandbox::Output::out, "1\n2\n3\n4\n5\n");
    return testing::ended(sandbox::Ending::timed_out, 0);
  };
  const run::Outcome outcome = room.run();
  CHECK(outcome.text.starts_with("1\n2\n3\n4\n5\n"));
  CHECK(has(outcome.text, "timed out"));
  CHECK(outcome.exit_status == 124);
}

TEST_CASE("a call's timeout lowers the limit and never raises it") {
  Room room;
  room.options.exec_timeout = std::chrono::seconds(10);
  room.arguments.timeout = std::chrono::seconds(100);
  room.run();
  CHECK(room.world.steps.back().limit <= std::chrono::seconds(10));
  room.arguments.timeout = std::chrono::seconds(2);
  room.world.files.clear();
  room.run();
  CHECK(room.world.steps.back().limit <= std::chrono::seconds(2));
}

TEST_CASE("a program that cannot be started is an error") {
  Room room;
  room.world.on_step = [](const sandbox::Step&, sandbox::OutputSink&) {
    return testing::ended(sandbox::Ending::not_started, 2);
  };
  const run::Outcome outcome = room.run();
  CHECK(outcome.is_error);
  CHECK(has(outcome.text, "No such file or directory"));
}

TEST_CASE("an image that is being pulled is an answer, and the next call finds it") {
  Room room;
  room.engine.present = false;
  room.engine.on_pull = [&](std::stop_token) {
    room.engine.present = true;
    return Result<void>();
  };
  const run::Outcome first = room.run();
  CHECK(first.is_error);
  CHECK(has(first.text, "being pulled"));
  room.images.wait();
  CHECK_FALSE(room.run().is_error);
}

TEST_CASE("a pull that failed answers with the registry's reason") {
  Room room;
  room.engine.present = false;
  room.engine.on_pull = [](std::stop_token) {
    return Result<void>(Failure{Reason::image, "The registry denies access to it."});
  };
  room.images.prepare("example/python:1");
  room.images.wait();
  const run::Outcome outcome = room.run();
  CHECK(outcome.is_error);
  CHECK(has(outcome.text, "The registry denies access to it."));
}

TEST_CASE("packages are listed once per image") {
  Room room;
  room.world.on_step = [](const sandbox::Step&, sandbox::OutputSink& output) {
    output.write(sandbox::Output::out, R"([{"name":"numpy","version":"2"}])");
    return exited(0);
  };
  const auto language = testing::example_language();
  CHECK(has(room.runner.list_packages(language, {}).text, "numpy 2"));
  room.runner.list_packages(language, {});
  CHECK(room.world.acquired == 1);
  room.engine.info_of_image.id = "sha256:2";
  room.world.files.clear();
  room.runner.list_packages(language, {});
  CHECK(room.world.acquired == 2);
}

TEST_CASE("a list command gets the time that its plugin wishes, and never more than a call") {
  Room room;
  auto language = testing::example_language();
  language.list->time = std::chrono::seconds(20);
  room.runner.list_packages(language, {});
  CHECK(room.world.steps.back().limit == std::chrono::seconds(20));
  language.version = "2";
  language.list->time = std::chrono::hours(1);
  room.runner.list_packages(language, {});
  CHECK(room.world.steps.back().limit <= room.options.exec_timeout);
}

TEST_CASE("what an image has is its label, or else its list once somebody asked for that") {
  Room room;
  room.world.on_step = [](const sandbox::Step&, sandbox::OutputSink& output) {
    output.write(sandbox::Output::out, R"([{"name":"numpy","version":"2"},{"name":"pandas","version":"3"}])");
    return exited(0);
  };
  const auto language = testing::example_language();
  CHECK(room.runner.contents(language).empty());
  CHECK(room.world.acquired == 0);
  room.runner.list_packages(language, {});
  CHECK(room.runner.contents(language) == "numpy, pandas");
  room.engine.info_of_image.packages = "what its maker says";
  CHECK(room.runner.contents(language) == "what its maker says");
  room.engine.present = false;
  CHECK(room.runner.contents(language).empty());
}

TEST_CASE("a sandbox asks for a network only in the mode full, and the tunnel stays the installer's way") {
  Room room;
  room.options.networks["python"] = run::Network::full;
  room.arguments.libraries = {"humanize"};
  CHECK_FALSE(room.run().is_error);
  CHECK(room.sandboxes.last.network == "full");
  CHECK(room.at("gate open") < room.at("step pip"));
  CHECK(room.at("gate shut") > room.at("step pip"));
  const auto has_proxy = [](const sandbox::Step& step) {
    return std::find(step.env.begin(), step.env.end(), "HTTPS_PROXY=http://127.0.0.1:3128") != step.env.end();
  };
  CHECK(has_proxy(room.world.steps.front()));
  CHECK_FALSE(has_proxy(room.world.steps.back()));

  room.options.networks.clear();
  room.world.files.clear();
  CHECK_FALSE(room.run().is_error);
  CHECK(room.sandboxes.last.network.empty());
}

TEST_CASE("connections that were refused are told with their number and the last reason") {
  Room room;
  room.options.network = run::Network::allowlist;
  room.options.rules.allowed_hosts = {"listed.example"};
  room.world.on_step = [&](const sandbox::Step&, sandbox::OutputSink&) {
    for (const char* host : {"one.example", "two.example"})
      CHECK_FALSE(room.world.gate->connect(host, 443, {}));
    return exited(0);
  };
  const auto outcome = room.run();
  CHECK(has(outcome.text,
            "[note] 2 network connections were refused. The last reason: The network of this sandbox does "
            "not reach two.example:443: it is not among the hosts that the operator allows."));
}

TEST_CASE(
    "pictures stand in the result up to their number and size, and all are linked in the order of their "
    "numbers") {
  Room room;
  for (const int n : {1, 2, 10, 11})
    room.world.files["/sandbox/output/figure-" + std::to_string(n) + ".png"] = png;
  room.options.inline_images = 3;
  std::size_t expected = 3;
  SECTION("number") {}
  SECTION("none") {
    room.options.inline_images = 0;
    expected = 0;
  }
  SECTION("size") {
    room.options.inline_bytes = 2 * png.size();
    expected = 2;
  }
  const run::Outcome outcome = room.run();
  CHECK(outcome.pictures.size() == expected);
  const std::string& text = outcome.text;
  CHECK(text.find("![figure-1.png]") < text.find("![figure-2.png]"));
  CHECK(text.find("![figure-2.png]") < text.find("![figure-10.png]"));
  CHECK(text.find("![figure-10.png]") < text.find("![figure-11.png]"));
  CHECK(has(text, "![figure-11.png]"));
}

TEST_CASE("a PDF comes with a picture of its first page where the image can draw one") {
  Room room;
  room.world.files["/sandbox/output/report.pdf"] = "%PDF-1.7";
  std::string drawer;
  SECTION("with poppler") {
    drawer = "pdftoppm";
  }
  SECTION("with Python") {
    drawer = "python3";
  }
  SECTION("it cannot") {}
  room.world.on_step = [&](const sandbox::Step& step, sandbox::OutputSink&) {
    const bool draws = std::count(step.argv.begin(), step.argv.end(), "/sandbox/output/report.pdf") > 0;
    if (!draws) return exited(0);
    if (step.argv[0] != drawer) return testing::ended(sandbox::Ending::not_started, ENOENT);
    room.world.files[step.argv.back() + (drawer == "pdftoppm" ? ".png" : "")] = png;
    return exited(0);
  };
  const run::Outcome outcome = room.run();
  CHECK(has(outcome.text, "[report.pdf]"));
  CHECK(has(outcome.text, "![report-page-1.png]") == !drawer.empty());
  CHECK(outcome.pictures.size() == (drawer.empty() ? 0 : 1));
}
