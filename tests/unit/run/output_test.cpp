#include "run/output.hpp"

#include <catch2/catch_test_macros.hpp>

#include "base/text.hpp"

using namespace codebox;

namespace {

std::string kept(std::string_view bytes, std::size_t limit, std::size_t piece = 7) {
  run::HeadAndTail output(limit);
  for (std::size_t i = 0; i < bytes.size(); i += piece) output.write(bytes.substr(i, piece));
  return output.text(nullptr);
}

}  // namespace

TEST_CASE("output within the limit comes back whole, however it was split") {
  const std::string text = "世界 あ é 🎉\n";
  for (std::size_t piece = 1; piece < 6; ++piece) CHECK(kept(text, 100, piece) == text);
}

TEST_CASE("bytes that are no UTF-8 are replaced and said to be") {
  run::HeadAndTail output(100);
  output.write("\x61\xfe\x62");
  bool replaced = false;
  CHECK(output.text(&replaced) == "a\xEF\xBF\xBD" "b");
  CHECK(replaced);
}

TEST_CASE("a flood keeps its head and tail and names both sizes") {
  std::string flood = "first\n";
  flood += std::string(1 << 20, 'x');
  flood += "\nlast";
  const std::string text = kept(flood, 1024, 4096);
  CHECK(text.starts_with("first\n"));
  CHECK(text.ends_with("\nlast"));
  CHECK(text.find("of 1.0 MiB left out here") != std::string::npos);
  CHECK(text.size() < 1200);
}

TEST_CASE("a cut falls between code points") {
  std::string flood;
  for (int i = 0; i < 10'000; ++i) flood += "é🎉界";
  for (std::size_t limit = 100; limit < 130; ++limit) {
    run::HeadAndTail output(limit);
    output.write(flood);
    bool replaced = false;
    const std::string text = output.text(&replaced);
    CHECK_FALSE(replaced);
    CHECK(text::is_utf8(text));
    CHECK(text.find("\xEF\xBF\xBD") == std::string::npos);
  }
}

TEST_CASE("the total counts every byte") {
  run::HeadAndTail output(10);
  for (int i = 0; i < 1000; ++i) output.write("0123456789");
  CHECK(output.total() == 10'000);
  CHECK(output.cut());
  CHECK(output.text(nullptr).ends_with("56789"));
}
