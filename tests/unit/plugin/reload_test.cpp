#include <catch2/catch_test_macros.hpp>

#include "folder.hpp"

using codebox::plugin::load_folder;

namespace {

std::shared_ptr<const codebox::plugin::Registry> again(const Folder& folder,
                                                       const codebox::plugin::Registry& before) {
  auto registry = load_folder(PLUGIN_HOST, folder.path(), before);
  REQUIRE(registry.ok());
  return *registry;
}

// Under another name first, then renamed: the folder never holds half a file.
void replace(const Folder& folder, const std::string& plugin, const std::string& as) {
  folder.add(plugin, ".new");
  std::filesystem::rename(folder.path() / ".new", folder.path() / as);
}

}  // namespace

TEST_CASE("a file that did not change is not loaded again") {
  const Folder folder;
  folder.add("good");
  folder.add("crashes");
  const auto before = folder.load();
  const auto now = again(folder, *before);
  CHECK(now->find("good") == before->find("good"));
  REQUIRE(now->refused.size() == 1);
  CHECK(now->refused[0].finding == "crashed");
}

TEST_CASE("a changed file is another language, and who holds the old one keeps it") {
  const Folder folder;
  folder.add("good", "x.so");
  const auto before = folder.load();
  const auto held = before->find("good");
  replace(folder, "longer_struct", "x.so");
  const auto now = again(folder, *before);
  CHECK(now->find("good") == nullptr);
  CHECK(now->find("longer") != nullptr);
  CHECK(held->id == "good");
}

TEST_CASE("a broken new version keeps the old, until the file is gone") {
  const Folder folder;
  folder.add("good", "x.so");
  const auto before = folder.load();
  replace(folder, "null", "x.so");
  const auto now = again(folder, *before);
  CHECK(now->find("good") == before->find("good"));
  REQUIRE(now->refused.size() == 1);
  CHECK(now->refused[0].finding == "null");
  CHECK(now->refused[0].kept);
  const auto later = again(folder, *now);
  CHECK(later->find("good") == before->find("good"));
  std::filesystem::remove(folder.path() / "x.so");
  const auto end = again(folder, *later);
  CHECK(end->languages.empty());
  CHECK(end->refused.empty());
}

TEST_CASE("a newcomer cannot take the name of a language that is there, and gets it once it is free") {
  const Folder folder;
  folder.add("good", "m.so");
  const auto before = folder.load();
  folder.add("clash", "a.so");
  const auto now = again(folder, *before);
  CHECK(now->find("good") == before->find("good"));
  REQUIRE(now->refused.size() == 1);
  CHECK(now->refused[0].file == "a.so");
  CHECK(now->refused[0].finding == "clash");
  CHECK_FALSE(now->refused[0].kept);
  std::filesystem::remove(folder.path() / "m.so");
  const auto end = again(folder, *now);
  REQUIRE(end->find("good") != nullptr);
  CHECK(end->find("good")->id == "other");
  CHECK(end->refused.empty());
}
