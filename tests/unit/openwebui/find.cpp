#include "fixture.hpp"

using namespace codebox;
using namespace codebox::openwebui;
using namespace codebox::openwebui::test;

namespace {

// A chat with two files of one name, and one of another.
std::string chat_json() {
  const auto file = [](const std::string& file_id, const std::string& name) {
    return R"({"type":"file","id":")" + file_id + R"(","url":")" + file_id + R"(","name":")" + name + R"("})";
  };
  return R"({"id":"x","chat":{"files":[)" + file(id, "sales.csv") + R"(],"history":{"messages":{)" +
         R"("m1":{"timestamp":1,"files":[)" + file(id, "sales.csv") + "," + file(id, "twice.csv") + "]}," +
         R"("m2":{"timestamp":2,"files":[)" + file(other_id, "twice.csv") + "]}}}}}";
}

void answer(const WebRequest& request, const WebConnection& connection) {
  if (asks(request, "/api/v1/chats/" + chat)) return connection.reply(200, chat_json());
  if (asks(request, "/api/v1/files/" + id)) return connection.reply(200, about(id, "sales.csv", 8));
  if (asks(request, "/api/v1/files/user/count")) return connection.reply(200, "3");
  if (asks(request, "/api/v1/files/search?content=false&filename=old.csv")) {
    return connection.reply(200, "[" + about(id, "old.csv", 8) + R"(,{"id":")" + other_id +
                                     R"(","user_id":"eve","filename":"old.csv"},)" +
                                     about(other_id, "old.csv.bak", 1) + "]");
  }
  connection.reply(404, R"({"detail":"not found"})");
}

}  // namespace

TEST_CASE("a file is found by id, and its token goes along") {
  const WebServer server(answer);
  const auto found =
      files_at(server.url())->find(ann(), "https://evil.example/api/v1/files/" + id, soon(), {});
  REQUIRE(found);
  CHECK(found->id == id);
  CHECK(found->name == "sales.csv");
  CHECK(found->content_type == "text/csv");
  CHECK(found->size == 8);
  CHECK(server.requests().at(0).head.find("Authorization: Bearer ann.token\r\n") != std::string::npos);
  CHECK(server.requests().at(0).head.find("Host: 127.0.0.1:" + std::to_string(server.port())) !=
        std::string::npos);
}

TEST_CASE("a base URL with a path and a trailing slash keeps its path") {
  const WebServer server([](const WebRequest& request, const WebConnection& connection) {
    connection.reply(asks(request, "/team/owui/api/v1/files/" + id) ? 200 : 404, about(id, "a.csv", 1));
  });
  CHECK(files_at(server.url() + "/team/owui/")->find(ann(), id, soon(), {}));
}

TEST_CASE("a name is looked up in the chat first, also as the end of a path") {
  const WebServer server(answer);
  const auto files = files_at(server.url());
  for (const char* reference : {"sales.csv", "/mnt/data/sales.csv"}) {
    INFO(reference);
    const auto found = files->find(ann(), reference, soon(), {});
    REQUIRE(found);
    CHECK(found->id == id);
  }
}

TEST_CASE("a name that fits several files is answered with their ids, newest first") {
  const WebServer server(answer);
  const auto found = files_at(server.url())->find(ann(), "twice.csv", soon(), {});
  REQUIRE_FALSE(found);
  CHECK(found.failure().reason == Reason::invalid);
  CHECK(found.failure().message ==
        "There are 2 files named \"twice.csv\": give the id of one instead, newest first: " + other_id +
            " (attached 1970-01-01 00:00 UTC); " + id + " (attached 1970-01-01 00:00 UTC).");
}

TEST_CASE(
    "a file that was meant by a name goes by that name, and one that was not is answered with the nearest") {
  const WebServer server(answer);
  const auto files = files_at(server.url());
  const auto found = files->find(ann(), "Sales.CSV", soon(), {});
  REQUIRE(found);
  CHECK(found->id == id);
  CHECK(found->name == "Sales.CSV");
  const auto missing = files->find(ann(), "sale.csv", soon(), {});
  REQUIRE_FALSE(missing);
  CHECK(missing.failure().message.find("did you mean \"sales.csv\"?") != std::string::npos);
}

TEST_CASE("the files of the chat are listed, or without one the person's own") {
  const WebServer server([](const WebRequest& request, const WebConnection& connection) {
    if (!asks(request, "/api/v1/files/?page=1&content=false")) return answer(request, connection);
    connection.reply(200, R"({"items":[)" + about(id, "old.csv", 8) + R"(,{"id":")" + other_id +
                              R"(","user_id":"eve","filename":"hers.csv"}],"total":2})");
  });
  const auto files = files_at(server.url());
  const auto listed = files->list(ann(), soon(), {});
  REQUIRE(listed);
  CHECK(listed->of_chat);
  CHECK(listed->files.size() == 3);
  Caller nowhere = ann();
  nowhere.chat = "";
  const auto own = files->list(nowhere, soon(), {});
  REQUIRE(own);
  CHECK_FALSE(own->of_chat);
  REQUIRE(own->files.size() == 1);
  CHECK(own->files[0].name == "old.csv");
}

TEST_CASE("outside of the chat only the person's own file of exactly that name counts") {
  const WebServer server(answer);
  const auto found = files_at(server.url())->find(ann(), "old.csv", soon(), {});
  REQUIRE(found);
  CHECK(found->id == id);
}

TEST_CASE("a chat id that is no UUID is never asked for") {
  const WebServer server(answer);
  Caller caller = ann();
  caller.chat = "../../configs/export";
  CHECK(files_at(server.url())->find(caller, "old.csv", soon(), {}));
  for (const auto& request : server.requests()) CHECK(request.line.find("configs") == std::string::npos);
}

TEST_CASE("a path from a reference is never asked for") {
  const WebServer server(answer);
  const auto files = files_at(server.url());
  for (const std::string& reference :
       {std::string("../configs/export"), id + "\nx", std::string("/api/v1/auths/")}) {
    CHECK(files->find(ann(), reference, soon(), {}).failure().reason == Reason::not_found);
  }
  for (const auto& request : server.requests()) {
    CHECK(request.line.find("../") == std::string::npos);
    CHECK(request.line.find("/auths/") == std::string::npos);
  }
}

TEST_CASE("unknown, deleted and somebody else's are one sentence") {
  for (const int status : {404, 403, 401}) {
    const WebServer server([status](const WebRequest& request, const WebConnection& connection) {
      connection.reply(asks(request, "/api/v1/files/user/count") ? 200 : status, "{}");
    });
    const auto found = files_at(server.url())->find(ann(), id, soon(), {});
    REQUIRE_FALSE(found);
    CHECK(found.failure().reason == Reason::not_found);
    CHECK(found.failure().message ==
          "No file \"" + id + "\" among this person's files: use an id that stands in the chat.");
  }
}

TEST_CASE("a token that Open WebUI no longer accepts is said to be so") {
  const WebServer server(
      [](const WebRequest&, const WebConnection& connection) { connection.reply(401, "{}"); });
  const auto found = files_at(server.url())->find(ann(), id, soon(), {});
  REQUIRE_FALSE(found);
  CHECK(found.failure().reason == Reason::unauthorized);
}

TEST_CASE("a redirect is not followed, and the token reaches no second host") {
  const WebServer thief(
      [](const WebRequest&, const WebConnection& connection) { connection.reply(200, "{}"); });
  for (const int status : {301, 302, 303, 307, 308}) {
    const WebServer server([&](const WebRequest&, const WebConnection& connection) {
      connection.reply(status, "", "Location: " + thief.url() + "/api/v1/files/" + id + "\r\n");
    });
    const auto found = files_at(server.url())->find(ann(), id, soon(), {});
    REQUIRE_FALSE(found);
    CHECK(found.failure().message.find("redirect") != std::string::npos);
  }
  CHECK(thief.requests().empty());
}

TEST_CASE("answers that are no answer are one sentence each") {
  for (const char* body :
       {"", "null", "[]", "{", "{\"meta\":7}", "{\"meta\":{\"size\":-1,\"name\":5}}", "\xff"}) {
    INFO(body);
    const WebServer server(
        [body](const WebRequest&, const WebConnection& connection) { connection.reply(200, body); });
    const auto found = files_at(server.url())->find(ann(), id, soon(), {});
    if (!found) CHECK(found.failure().message.find('.') != std::string::npos);
  }
}

TEST_CASE("an address that names no server is refused by name") {
  for (const char* url :
       {"", "host", "ftp://host", "http://", "http://user:pass@host", "http://host/?q", "http://h:x"}) {
    INFO(url);
    Options options;
    options.base_url = url;
    const auto files = make_files(options);
    REQUIRE_FALSE(files);
    CHECK(files.failure().message.find("OWUI_BASE_URL") != std::string::npos);
  }
}
