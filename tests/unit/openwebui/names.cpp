#include <nlohmann/json.hpp>

#include "fixture.hpp"
#include "openwebui/chat_files.hpp"
#include "openwebui/file_names.hpp"

using namespace codebox;
using namespace codebox::openwebui;
using namespace codebox::openwebui::test;

namespace {

using nlohmann::json;

std::string id_number(int n) {
  return "0a1b2c3d-0000-4000-8000-0000000000" + std::to_string(10 + n);
}

KnownFile attached(int n, const std::string& name) {
  return {id_number(n), name, 10, 0, false};
}

KnownFile made(int n, const std::string& name) {
  return {id_number(n), name, 10, 0, true};
}

std::string result(const std::string& name, int n) {
  return "[exit status 0]\n- [" + name + "](/api/v1/files/" + id_number(n) + "/content) (3 B)\n";
}

json message(const char* role, int when, const json& rest) {
  json out = {{"role", role}, {"timestamp", when}};
  out.update(rest);
  return out;
}

std::string chat_of(const json& messages) {
  return json({{"chat", {{"history", {{"messages", messages}}}}}}).dump();
}

std::vector<std::string> ids_of(const std::vector<KnownFile>& files) {
  std::vector<std::string> ids;
  for (const auto& file : files) ids.push_back(file.id);
  return ids;
}

}  // namespace

TEST_CASE("a chat's files are what was attached and what programs made, newest first") {
  const json attached_one = {{"type", "file"}, {"id", id_number(1)}, {"name", "sales.csv"}, {"size", 7}};
  const json first = message("user", 100, {{"files", {attached_one}}});
  json answer = message("assistant", 101, {{"content", "done " + result("a \\[1\\].csv", 2)}});
  answer["output"] = {{{"output", result("a \\[1\\].csv", 2) + result("b.csv", 3)}}};
  const auto files = files_of_chat(chat_of({{"x", first}, {"y", answer}}));
  CHECK(ids_of(files) == std::vector<std::string>{id_number(3), id_number(2), id_number(1)});
  CHECK(files[1].name == "a [1].csv");
  CHECK(files[1].made);
  CHECK_FALSE(files[2].made);
  CHECK(files[2].size == 7);
  CHECK(files[2].when == 100);
}

TEST_CASE("what a person writes, links elsewhere, and nonsense name no files") {
  const std::string link = result("x.csv", 1);
  CHECK(files_of_chat(chat_of({{"x", message("user", 1, {{"content", link}})}})).empty());
  const json elsewhere =
      message("assistant", 1, {{"content", "[a](https://x.example/y) [b](/api/v1/files/../content)"}});
  CHECK(files_of_chat(chat_of({{"x", elsewhere}})).empty());
  for (const char* nonsense : {"", "null", "[]", R"({"chat":7})", R"({"chat":{"history":{"messages":[1]}}})"})
    CHECK(files_of_chat(nonsense).empty());
}

TEST_CASE("an exact name wins, else case, spaces and underscores do not count") {
  const std::vector<KnownFile> files = {attached(1, "Sales Data.csv"), attached(2, "sales data.csv")};
  CHECK(ids_of(named(files, "sales data.csv")) == std::vector<std::string>{id_number(2)});
  CHECK(named(files, "sales_data.csv").size() == 2);
  CHECK(named(files, "sales%20DATA.csv").size() == 2);
  CHECK(named(files, "sales.csv").empty());
}

TEST_CASE("of what programs made under one name the newest counts, beside what was attached") {
  const std::vector<KnownFile> files = {made(3, "plot.png"), made(2, "plot.png"), made(5, "sales.csv"),
                                        attached(1, "sales.csv")};
  CHECK(ids_of(named(files, "plot.png")) == std::vector<std::string>{id_number(3)});
  CHECK(ids_of(named(files, "sales.csv")) == std::vector<std::string>{id_number(5), id_number(1)});
}

TEST_CASE("a name that nothing has is answered with those that are like it") {
  const FileList known{true,
                       {attached(1, "sales-2025.csv"), attached(2, "costs.xlsx"), attached(3, "salse.csv")}};
  CHECK(no_such_file("sales.csv", known).message ==
        "No file \"sales.csv\" in this chat or among this person's files: did you mean \"salse.csv\"?");
  CHECK(no_such_file("sales-2025", known).message.find("\"sales-2025.csv\"") != std::string::npos);
  CHECK(no_such_file("quite different", known).message.find("list_files") != std::string::npos);
  CHECK(no_such_file("x", known).reason == Reason::not_found);
}

TEST_CASE("the list says of each file what tells it apart") {
  const FileList known{true, {{id_number(1), "a.csv", 2048, 1'700'000'000, false}, made(2, "b\n.csv")}};
  const std::string text = listing(known);
  CHECK(text.find("- a.csv (2 KiB, attached 2023-11-14 22:13 UTC) id " + id_number(1) + "\n") !=
        std::string::npos);
  CHECK(text.find("- b .csv (10 B, made by a program) id " + id_number(2) + "\n") != std::string::npos);
  CHECK(listing({true, {}}).starts_with("There are no files of this chat"));
}
