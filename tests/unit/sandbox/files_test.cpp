#include <algorithm>

#include "support.hpp"

using namespace codebox;
using namespace codebox::test;
using sandbox::Ending;

namespace {

std::string taken(Jail& jail, const std::string& path) {
  TextSink sink;
  const auto size = jail.box->fetch(path, 1 << 20, sink, soon(), {});
  return size.ok() ? sink.text : "failed: " + size.failure().message;
}

std::vector<std::string> paths(const sandbox::Listing& listing) {
  std::vector<std::string> all;
  for (const auto& file : listing.files) all.push_back(file.path);
  return all;
}

sandbox::Listing listed(Jail& jail, const std::vector<std::string>& patterns, std::size_t most = 100) {
  auto listing = jail.box->list(patterns, most, soon(), {});
  REQUIRE(listing.ok());
  return listing.value();
}

}  // namespace

TEST_CASE("files with odd names go in and come out unchanged") {
  Jail jail;
  for (const auto& name : {std::string("Simple – Générer.js"), std::string("数据 表.csv"),
                           std::string("it's \"quoted\" $(x).txt"), std::string(255, 'n')}) {
    const auto path = "/sandbox/deep/er/" + name;
    const std::string text = "content of " + name;
    REQUIRE(jail.put(path, text).ok());
    CHECK(paths(listed(jail, {path})) == std::vector<std::string>{path});
    CHECK(taken(jail, path) == text);
  }
  CHECK(jail.put("/sandbox/empty", "").ok());
  CHECK(taken(jail, "/sandbox/empty").empty());
  const std::string large(5'000'000, 'L');
  REQUIRE(jail.put("/packages/large", large).ok());
  TextSink sink;
  CHECK(jail.box->fetch("/packages/large", 6'000'000, sink, soon(), {}).ok());
  CHECK(sink.text == large);
}

TEST_CASE("a file belongs to the step user and keeps its mode") {
  Jail jail;
  REQUIRE(jail.put("/sandbox/run.sh", "#!/bin/sh\necho ran\n", 0755).ok());
  CHECK(jail.run({"/sandbox/run.sh"}).code == 0);
  CHECK(jail.printed.out == "ran\n");
  CHECK(jail.shell("echo more >> /sandbox/run.sh && [ $(stat -c %u /sandbox/run.sh) = $(id -u) ]").code == 0);
}

TEST_CASE("a support file can be read by a program, and not changed") {
  Jail jail;
  REQUIRE(jail.put("/tmp/.support/deep/hook.py", "original").ok());
  const auto end = jail.shell(
      "cd /tmp/.support/deep; cat hook.py; echo x 2>/dev/null > hook.py; rm -f hook.py 2>/dev/null; "
      "mv /tmp/.support /tmp/away 2>/dev/null; touch new 2>/dev/null; ls");
  CHECK(jail.printed.out == "originalhook.py\n");
  CHECK(end.ending == Ending::exited);
  CHECK(taken(jail, "/tmp/.support/deep/hook.py") == "original");
}

TEST_CASE("what is there already is not overwritten") {
  Jail jail;
  REQUIRE(jail.put("/sandbox/a", "first").ok());
  const auto again = jail.put("/sandbox/a", "second");
  REQUIRE_FALSE(again.ok());
  CHECK(again.failure().reason == Reason::invalid);
  CHECK(taken(jail, "/sandbox/a") == "first");
}

TEST_CASE("paths outside the writable places are refused by name") {
  Jail jail;
  for (const std::string path :
       {"../../etc/passwd", "/etc/passwd", "x; rm -rf /", "/sandbox/a/../../b", "/sandbox", "/sandboxes/x",
        "/sandbox//x", "/sandbox/./x", "", "/", "/sandbox/x/"}) {
    const auto put = jail.put(path, "x");
    REQUIRE_FALSE(put.ok());
    CHECK(put.failure().reason == Reason::invalid);
    CHECK(put.failure().message.find("not one below") != std::string::npos);
    CHECK(jail.box->list({path}, 5, soon(), {}).failure().reason == Reason::invalid);
  }
}

TEST_CASE("globs find regular files, by path, without the hidden ones") {
  Jail jail;
  for (const std::string path : {"/sandbox/output/b.png", "/sandbox/output/a.png", "/sandbox/output/.hidden",
                                 "/sandbox/output/sub/c.png", "/sandbox/d.txt", "/tmp/e.png"}) {
    REQUIRE(jail.put(path, "x").ok());
  }
  using List = std::vector<std::string>;
  CHECK(paths(listed(jail, {"/sandbox/output/*"})) == List{"/sandbox/output/a.png", "/sandbox/output/b.png"});
  CHECK(paths(listed(jail, {"/sandbox/output/**"})) ==
        List{"/sandbox/output/a.png", "/sandbox/output/b.png", "/sandbox/output/sub/c.png"});
  CHECK(paths(listed(jail, {"/sandbox/**/*.png", "/sandbox/output/?.png"})) ==
        List{"/sandbox/output/a.png", "/sandbox/output/b.png", "/sandbox/output/sub/c.png"});
  CHECK(paths(listed(jail, {"/sandbox/output/.h*", "/sandbox/d.txt"})) ==
        List{"/sandbox/d.txt", "/sandbox/output/.hidden"});
  CHECK(paths(listed(jail, {"/sandbox/nothing"})).empty());
  const auto cut = listed(jail, {"/sandbox/**"}, 2);
  CHECK(cut.files.size() == 2);
  CHECK(cut.truncated);
}

TEST_CASE("links, pipes, folders and names that are no text are refused with a reason") {
  Jail jail;
  jail.shell(
      "cd output; ln -s /etc/passwd link; mkfifo pipe; mkdir folder; ln -s / root; "
      "printf x > $'bad\\xff'; ln /sandbox/output/nothing hard 2>/dev/null; true");
  const auto listing =
      listed(jail, {"/sandbox/output/*", "/sandbox/output/folder", "/sandbox/output/root/etc/passwd"});
  CHECK(listing.files.empty());
  const auto why = [&](const std::string& path) {
    const auto found = std::find_if(listing.refused.begin(), listing.refused.end(),
                                    [&](const sandbox::Refused& one) { return one.path == path; });
    return found == listing.refused.end() ? std::string("not refused") : found->why;
  };
  CHECK(why("/sandbox/output/link") == "is a symbolic link");
  CHECK(why("/sandbox/output/root") == "is a symbolic link");
  CHECK(why("/sandbox/output/pipe") == "is a pipe");
  CHECK(why("/sandbox/output/folder") == "is a folder");
  CHECK(why("/sandbox/output/bad\xEF\xBF\xBD") == "has a name that is not UTF-8");
  for (const std::string name : {"link", "pipe", "folder", "root/etc/passwd", "none"}) {
    TextSink sink;
    CHECK_FALSE(jail.box->fetch("/sandbox/output/" + name, 1000, sink, soon(), {}).ok());
    CHECK(sink.text.empty());
  }
  CHECK_FALSE(jail.put("/sandbox/output/root/tmp/x", "x").ok());
}

TEST_CASE("a sparse file of a terabyte is listed with its size and refused by the limit") {
  Jail jail;
  jail.shell("truncate -s 1T output/sparse");
  const auto listing = listed(jail, {"/sandbox/output/*"});
  REQUIRE(listing.files.size() == 1);
  CHECK(listing.files[0].size == 1ULL << 40);
  TextSink sink;
  const auto got = jail.box->fetch("/sandbox/output/sparse", 52'428'800, sink, soon(), {});
  REQUIRE_FALSE(got.ok());
  CHECK(got.failure().reason == Reason::too_large);
  CHECK(got.failure().message.find("50 MiB") != std::string::npos);
}

TEST_CASE("a full disk is said, and nothing half-written stays") {
  Jail jail;
  const auto put = jail.put("/sandbox/big", std::string(70'000'000, 'b'));
  REQUIRE_FALSE(put.ok());
  CHECK(put.failure().reason == Reason::too_large);
  CHECK(paths(listed(jail, {"/sandbox/*"})).empty());
  CHECK(jail.put("/sandbox/small", "fits").ok());
}

TEST_CASE("a source that ends early or fails leaves no file") {
  Jail jail;
  TextSource source("short");
  CHECK_FALSE(jail.box->put("/sandbox/a", 100, 0644, source, soon(), {}).ok());
  CHECK(paths(listed(jail, {"/sandbox/*"})).empty());
  CHECK(jail.put("/sandbox/a", "whole").ok());
}
