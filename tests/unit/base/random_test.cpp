#include "base/random.hpp"

#include <catch2/catch_test_macros.hpp>

TEST_CASE("random digits are as many as asked for, and others each time") {
  const std::string one = codebox::random_hex(16);
  CHECK(one.size() == 32);
  CHECK(one.find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(one != codebox::random_hex(16));
  CHECK(codebox::random_hex(0).empty());
}
