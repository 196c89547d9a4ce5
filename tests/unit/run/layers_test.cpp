#include <catch2/catch_test_macros.hpp>

#include "run/layer_files.hpp"
#include "run/layer_key.hpp"
#include "run/layer_store.hpp"
#include "support/example_language.hpp"
#include "support/fake_clock.hpp"

using namespace codebox;

namespace {

const std::string site = "/packages/lib/python3.13/site-packages/";

engine::Layer layer_of(const std::string& key, const test::FakeClock& clock, std::uint64_t size = 10) {
  const auto now = std::chrono::duration_cast<std::chrono::seconds>(clock.wall().time_since_epoch());
  return {key, now.count(), size};
}

Result<std::vector<sandbox::Found>> check(const sandbox::Listing& listing, const std::string& record = "",
                                          std::uint64_t most = 1000) {
  return run::layer_files(listing, most,
                          [&](const sandbox::Found&) -> Result<std::string> { return record; });
}

sandbox::Listing listing_of(const std::vector<std::string>& paths) {
  sandbox::Listing listing;
  for (const std::string& path : paths) listing.files.push_back({path, 10});
  return listing;
}

struct Shelf {
  run::LayerOptions options;
  test::FakeClock clock;
  run::LayerStore store{options, clock};
};

}  // namespace

TEST_CASE("a layer's key changes with everything that decides what an install gives") {
  const plugin::LanguageSpec language = testing::example_language();
  const engine::ImageInfo image{"sha256:1", {"PIP_INDEX_URL=https://one.example"}, "amd64"};
  const run::Options options;
  const std::string key = run::layer_key(language, image, options, {"b==1", "a"});
  CHECK(key.size() == 64);
  CHECK(run::layer_key(language, image, options, {"a", "b==1", "a"}) == key);

  CHECK(run::layer_key(language, image, options, {"a", "b==2"}) != key);
  CHECK(run::layer_key(language, image, options, {"a"}) != key);
  auto other_image = image;
  other_image.id = "sha256:2";
  CHECK(run::layer_key(language, other_image, options, {"b==1", "a"}) != key);
  other_image = image;
  other_image.architecture = "arm64";
  CHECK(run::layer_key(language, other_image, options, {"b==1", "a"}) != key);
  other_image = image;
  other_image.env = {"PIP_INDEX_URL=https://two.example"};
  CHECK(run::layer_key(language, other_image, options, {"b==1", "a"}) != key);
  auto other_language = language;
  other_language.version += ".1";
  CHECK(run::layer_key(other_language, image, options, {"b==1", "a"}) != key);
  other_language = language;
  other_language.id = "other";
  CHECK(run::layer_key(other_language, image, options, {"b==1", "a"}) != key);
  auto other_options = options;
  other_options.env[language.id] = {"PIP_CONSTRAINT=/etc/constraints"};
  CHECK(run::layer_key(language, image, other_options, {"b==1", "a"}) != key);
  other_options = options;
  other_options.rules.allowed_hosts = {"index.example"};
  CHECK(run::layer_key(language, image, other_options, {"b==1", "a"}) != key);
}

TEST_CASE("a specifier's end and the next one's start are not mistaken for each other") {
  const auto language = testing::example_language();
  CHECK(run::layer_key(language, {}, {}, {"ab", "c"}) != run::layer_key(language, {}, {}, {"a", "bc"}));
}

TEST_CASE("an installed package's files are taken, what the installer kept for itself is not") {
  auto listing =
      listing_of({site + "humanize/__init__.py", "/packages/.tmp/pip-x/wheel", "/packages/bin/tool"});
  listing.refused.push_back({"/packages/.tmp/link", "is a symbolic link"});
  const auto files = check(listing);
  REQUIRE(files);
  REQUIRE(files->size() == 2);
  CHECK(files->front().path == site + "humanize/__init__.py");
}

TEST_CASE("a listing with a link, a path outside or too much is refused") {
  auto link = listing_of({site + "a.py"});
  link.refused.push_back({site + "etc", "is a symbolic link"});
  CHECK_FALSE(check(link));
  for (const char* path : {"/sandbox/a.py", "/packages/../etc/passwd", "/packagesx/a", "/packages/a//b",
                           "/packages/./a", "packages/a", "/packages/", "/tmp/a"}) {
    INFO(path);
    CHECK_FALSE(check(listing_of({path})));
  }
  CHECK_FALSE(check(listing_of({site + "a.py", site + "b.py"}), "", 15));
  auto overflow = listing_of({site + "a.py", site + "b.py"});
  overflow.files[0].size = overflow.files[1].size = ~std::uint64_t{0} / 2 + 1;
  CHECK_FALSE(check(overflow));
  auto cut = listing_of({site + "a.py"});
  cut.truncated = true;
  CHECK_FALSE(check(cut));
  CHECK_FALSE(check(listing_of({})));
}

TEST_CASE("a start-up hook is refused unless an installed package's record lists it") {
  const std::string record = site + "evil-1.dist-info/RECORD";
  for (const std::string hook : {"evil.pth", "sitecustomize.py", "usercustomize.py",
                                 "sitecustomize/__init__.py", "__pycache__/usercustomize.cpython-313.pyc"}) {
    INFO(hook);
    const auto listing = listing_of({site + hook, record});
    CHECK_FALSE(check(listing, "evil/__init__.py,sha256=x,1\n"));
    CHECK(check(listing, "evil/__init__.py,sha256=x,1\n" + hook + ",sha256=x,3\r\n"));
    CHECK(check(listing, '"' + hook + "\",,\n"));
  }
  CHECK_FALSE(check(listing_of({"/packages/x.pth", record}), "x.pth,,\n"));
}

TEST_CASE("a layer is found until its time is over") {
  Shelf shelf;
  shelf.store.add(layer_of("a", shelf.clock));
  CHECK(shelf.store.use("a"));
  CHECK_FALSE(shelf.store.use("b"));
  shelf.clock.advance(shelf.options.ttl - std::chrono::seconds(1));
  CHECK(shelf.store.use("a"));
  CHECK(shelf.store.cull().empty());
  shelf.clock.advance(std::chrono::seconds(1));
  CHECK_FALSE(shelf.store.use("a"));
  CHECK(shelf.store.cull() == std::vector<std::string>{"a"});
}

TEST_CASE("the layers that were used longest ago go when there are too many bytes") {
  Shelf shelf;
  for (const char* key : {"a", "b", "c"}) shelf.store.add(layer_of(key, shelf.clock, 2ULL << 30));
  CHECK(shelf.store.use("a"));
  CHECK(shelf.store.cull() == std::vector<std::string>{"b"});
  CHECK(shelf.store.bytes() == 4ULL << 30);
  CHECK(shelf.store.use("a"));
  CHECK(shelf.store.use("c"));
}

TEST_CASE("one set is built once, however many ask, and again some time after it failed") {
  Shelf shelf;
  CHECK(shelf.store.may_build("a", "ada"));
  CHECK_FALSE(shelf.store.may_build("a", "ada"));
  CHECK_FALSE(shelf.store.may_build("a", "bob"));
  shelf.store.build_ended("a", false);
  CHECK_FALSE(shelf.store.may_build("a", "bob"));
  shelf.clock.advance(std::chrono::minutes(31));
  CHECK(shelf.store.may_build("a", "bob"));
  shelf.store.add(layer_of("a", shelf.clock));
  shelf.store.build_ended("a", true);
  CHECK_FALSE(shelf.store.may_build("a", "bob"));
  shelf.store.forget("a");
  CHECK(shelf.store.may_build("a", "bob"));
}

TEST_CASE("a user has so many layers built in an hour, and others are not in the way") {
  Shelf shelf;
  for (std::size_t i = 0; i < shelf.options.builds_per_hour; ++i) {
    REQUIRE(shelf.store.may_build("key" + std::to_string(i), "ada"));
  }
  CHECK_FALSE(shelf.store.may_build("one more", "ada"));
  CHECK(shelf.store.may_build("one more", "bob"));
  shelf.clock.advance(std::chrono::minutes(61));
  CHECK(shelf.store.may_build("another", "ada"));
}
