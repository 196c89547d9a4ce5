#include <catch2/catch_test_macros.hpp>

#include "desk.hpp"

using namespace codebox;
using codebox::test::Desk;
using nlohmann::json;

namespace {

json list(Desk& desk) {
  return json::parse(
             desk.post(Desk::modern_headers("tools/list"), Desk::modern_request("tools/list").dump()).body)
      .at("result");
}

}  // namespace

TEST_CASE("the list of tools is made once for each edition of them, and alike") {
  Desk desk;
  const auto uncounted = list(desk);
  CHECK(list(desk) == uncounted);
  CHECK(desk.tools.lists == 2);
  desk.tools.number = 1;
  CHECK(list(desk) == uncounted);
  CHECK(list(desk) == uncounted);
  CHECK(desk.tools.lists == 3);
  desk.tools.number = 2;
  CHECK(list(desk) == uncounted);
  CHECK(desk.tools.lists == 4);
}
