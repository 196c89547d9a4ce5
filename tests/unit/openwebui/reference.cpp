#include "openwebui/reference.hpp"

#include <catch2/catch_test_macros.hpp>

#include "openwebui/content_type.hpp"
#include "openwebui/files.hpp"
#include "openwebui/multipart.hpp"

using namespace codebox::openwebui;

namespace {

const std::string id = "0a1b2c3d-0000-4000-8000-00000000000a";

}  // namespace

TEST_CASE("every spelling of a file's address comes down to its id") {
  for (const std::string& text :
       {id, std::string("0A1B2C3D-0000-4000-8000-00000000000A"), "  " + id + "\n", "file-" + id,
        "/api/v1/files/" + id, "/api/v1/files/" + id + "/content", "files/" + id,
        "https://evil.example/api/v1/files/" + id + "/content",
        "https://host/owui/api/v1/files/" + id + "/content?attachment=true", "/api/v1/files/" + id + "#x",
        "https://box/files/" + id + "/a.csv?expires=1&signature=2"}) {
    INFO(text);
    CHECK(parse_reference(text).id == id);
    CHECK(parse_reference(text).name.empty());
  }
}

TEST_CASE("anything else on one line is a name, and never a path to ask for") {
  for (const std::string& text :
       {std::string("sales data.csv"), std::string("../configs/export"), id + "x", "files/" + id + "x",
        std::string("https://evil/api/v1/files/x/content"), "profiles" + id, "x" + id.substr(1)}) {
    INFO(text);
    CHECK(parse_reference(text).id.empty());
    CHECK(parse_reference(text).name == text);
  }
}

TEST_CASE("what is no line of text is nothing at all") {
  for (const std::string& text : {std::string(), std::string("  "), std::string("a\nb"), id + "\r\nHost: x",
                                  std::string("a\0b", 3), std::string(5000, 'a'), std::string("\xff\xfe")}) {
    CHECK(parse_reference(text).id.empty());
    CHECK(parse_reference(text).name.empty());
  }
}

TEST_CASE("a file gets the content type of its extension, whatever its case") {
  CHECK(content_type_of("a.csv") == "text/csv");
  CHECK(content_type_of("plot.final.PNG") == "image/png");
  CHECK(content_type_of("a.svg") == "image/svg+xml");
  CHECK(content_type_of("a.xlsx") == "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");
  CHECK(content_type_of("README") == "application/octet-stream");
  CHECK(content_type_of("a.") == "application/octet-stream");
  CHECK(content_type_of("a.unknown") == "application/octet-stream");
}

TEST_CASE("a file's name cannot leave its place in the form") {
  const auto form = multipart_of("a\"b\\c\r\nX: y.csv", "text/csv");
  CHECK(form.head.find("filename=\"a\\\"b\\\\c%0D%0AX: y.csv\"\r\nContent-Type: text/csv\r\n\r\n") !=
        std::string::npos);
  CHECK(form.tail.starts_with("\r\n--"));
  CHECK(multipart_of("a", "b").content_type != form.content_type);
}
