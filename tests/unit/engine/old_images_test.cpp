#include "engine/old_images.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

using namespace codebox::engine;
using nlohmann::json;

namespace {

constexpr std::int64_t hour = 3600;
constexpr std::int64_t day = 24 * hour;
constexpr std::int64_t start = 1'800'000'000;
using Ids = std::vector<std::string>;
using Names = std::vector<std::string>;
using Images = std::vector<json>;

json base(const std::string& id, const Names& names) {
  return {{"Id", id},
          {"RepoTags", names},
          {"RepoDigests", json()},
          {"Created", start - 90 * day},
          {"Labels", json()}};
}

/// Made by "here" of the living base, with what is added today.
json prepared(const std::string& id, const std::string& tag, std::int64_t created = start - 30 * day) {
  return {
      {"Id", id},
      {"RepoTags", Names{"codebox/prepared:" + tag}},
      {"Created", created},
      {"Labels",
       {{"codebox.base", "sha256:base"}, {"codebox.prepared.of", "here"}, {"codebox.prepared.with", "new"}}}};
}

json layer(const std::string& id, const std::string& owner, std::int64_t created) {
  auto image = prepared(id, "");
  image["RepoTags"] = Names{"codebox/layer:" + id};
  image["Created"] = created;
  image["Labels"]["codebox.layer.of"] = owner;
  image["Labels"]["codebox.layer.key"] = std::string(64, 'a');
  return image;
}

json with(json image, const char* label, const char* value) {
  image["Labels"][label] = value;
  return image;
}

Ids needless(const OldImages& old, Images all, std::int64_t now = start) {
  all.push_back(base("sha256:base", {"sandbox:latest"}));
  return old.needless(all, "new", now);
}

}  // namespace

TEST_CASE(
    "a prepared image of ours is needless once the agent, the certificates or the base are other ones") {
  const OldImages old("here", start);
  CHECK(needless(old, {prepared("current", "1")}).empty());
  CHECK(needless(old, {with(prepared("other", "1"), "codebox.prepared.with", "old")}) == Ids{"other"});
  CHECK(needless(old, {with(prepared("gone", "1"), "codebox.base", "sha256:lost")}) == Ids{"gone"});
  CHECK(needless(old, {with(prepared("unnamed", "1"), "codebox.base", "sha256:left"),
                       base("sha256:left", {"<none>:<none>"})}) == Ids{"unnamed"});
  CHECK(needless(old, {with(prepared("kept", "1"), "codebox.base", "sha256:bare"),
                       base("bare", {"localhost/sandbox:2"})})
            .empty());
}

TEST_CASE("a prepared image that was replaced while it was in use goes an hour later") {
  OldImages old("here", start);
  const Images images = {with(prepared("gone", "1"), "codebox.base", "sha256:lost")};
  old.used("codebox/prepared:1", start + hour);
  CHECK(needless(old, images, start + 2 * hour - 1).empty());
  CHECK(needless(old, images, start + 2 * hour) == Ids{"gone"});
}

TEST_CASE("a prepared image of a language that nobody asked for in a day is needless") {
  OldImages old("here", start);
  const Images images = {prepared("idle", "1"), prepared("busy", "2")};
  old.used("codebox/prepared:2", start + hour);
  CHECK(needless(old, images, start + day - 1).empty());
  CHECK(needless(old, images, start + day) == Ids{"idle"});
  CHECK(needless(old, images, start + day + hour) == Ids{"idle", "busy"});
}

TEST_CASE("another instance's prepared image is left for a week, and longer where it is used here too") {
  OldImages old("here", start);
  auto theirs = prepared("theirs", "1", start - 7 * day + 1);
  theirs["RepoTags"] = Names{"localhost/codebox/prepared:1"};
  theirs["Labels"]["codebox.prepared.of"] = "there";
  theirs["Labels"]["codebox.prepared.with"] = "something else";
  CHECK(needless(old, {theirs}).empty());
  CHECK(needless(old, {theirs}, start + 1) == Ids{"theirs"});
  old.used("codebox/prepared:1", start);
  CHECK(needless(old, {theirs}, start + 1).empty());
  auto unsigned_one = prepared("of before", "2");
  unsigned_one["Labels"] = {{"codebox.base", "sha256:base"}};
  CHECK(needless(old, {unsigned_one}) == Ids{"of before"});
}

TEST_CASE("a prepared image without a name is needless, but for one that is being named") {
  const OldImages old("here", start);
  auto nameless = prepared("nameless", "1", start - hour);
  nameless["RepoTags"] = json();
  CHECK(needless(old, {nameless}) == Ids{"nameless"});
  nameless["Created"] = start - hour + 1;
  CHECK(needless(old, {nameless}).empty());
}

TEST_CASE("layers are their own instance's to remove, and anybody's after a week") {
  const OldImages old("here", start);
  CHECK(needless(old, {layer("ours", "here", start - 90 * day)}).empty());
  CHECK(needless(old, {layer("young", "there", start - 7 * day + 1)}).empty());
  CHECK(needless(old, {layer("left", "there", start - 7 * day)}) == Ids{"left"});
}

TEST_CASE("an image that somebody built on a prepared one, or gave another name, is theirs") {
  const OldImages old("here", start);
  auto image = with(prepared("built", "1"), "codebox.prepared.with", "old");
  image["RepoTags"] = Names{"company/tool:1"};
  CHECK(needless(old, {image}).empty());
  image["RepoTags"] = Names{"codebox/prepared:1", "company/tool:1"};
  CHECK(needless(old, {image}).empty());
  CHECK(needless(old, {base("sha256:old", {"codebox/prepared:1"})}).empty());
}

TEST_CASE("a command beside the server removes no image") {
  const OldImages old("here.0123456789ab", start);
  CHECK(needless(old, {with(prepared("other", "1"), "codebox.prepared.with", "old")}, start + 90 * day)
            .empty());
}
