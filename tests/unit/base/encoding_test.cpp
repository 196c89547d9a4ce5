#include "base/encoding.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>

#include "base/digest.hpp"

using namespace codebox::encoding;

TEST_CASE("hexadecimal digits and back") {
  CHECK(to_hex(std::string_view("\x00\x7f\xff", 3)) == "007fff");
  CHECK(to_hex(std::array<std::uint8_t, 2>{0xA0, 0x05}) == "a005");
  CHECK(from_hex("007FfF") == std::string("\x00\x7f\xff", 3));
  CHECK(from_hex("") == "");
  CHECK_FALSE(from_hex("0"));
  CHECK_FALSE(from_hex("0g"));
}

TEST_CASE("base64 of every remainder, and back") {
  for (const auto& [bytes, text] : {std::pair("", ""), std::pair("f", "Zg=="), std::pair("fo", "Zm8="),
                                    std::pair("foo", "Zm9v"), std::pair("foob", "Zm9vYg==")}) {
    CHECK(to_base64(bytes) == text);
    CHECK(from_base64(text) == bytes);
  }
  CHECK(to_base64("\xfb\xff\xbf") == "+/+/");
  CHECK(from_base64("+/+/") == "\xfb\xff\xbf");
}

TEST_CASE("base64 has one text for each value") {
  for (const char* wrong : {"Zg", "Zg=", "Zh==", "Zm9=", "====", "Z===", "Zg==Zg==", "Z g=", "-_-_"}) {
    CAPTURE(wrong);
    CHECK_FALSE(from_base64(wrong));
  }
}

TEST_CASE("base64 of all bytes in texts of many lengths, and nothing where one letter is foreign") {
  std::string bytes;
  for (int i = 0; i < 600; ++i) bytes += static_cast<char>(i * 7);
  for (std::size_t length = 0; length <= bytes.size(); ++length) {
    const std::string part = bytes.substr(0, length);
    CHECK(from_base64(to_base64(part)) == part);
  }
  const std::string text = to_base64(bytes.substr(0, 14));
  for (std::size_t i = 0; i < text.size() - 1; ++i) {
    for (const char foreign : {'=', '-', ' ', '\0', '\xC0', '\xFF'}) {
      std::string wrong = text;
      wrong[i] = foreign;
      CHECK_FALSE(from_base64(wrong));
    }
  }
}

TEST_CASE("base64url is the other alphabet without padding") {
  CHECK(from_base64url("-_-_") == "\xfb\xff\xbf");
  CHECK(from_base64url("Zg") == "f");
  for (const char* wrong : {"Z", "Zh", "Zg==", "+/+/"}) {
    CAPTURE(wrong);
    CHECK_FALSE(from_base64url(wrong));
  }
}

TEST_CASE("percent-encoding leads there and back") {
  const std::string text = "数据 a/b?c=\"d\"%20\r\n-._~";
  CHECK(to_percent(text) == "%E6%95%B0%E6%8D%AE%20a%2Fb%3Fc%3D%22d%22%2520%0D%0A-._~");
  CHECK(from_percent(to_percent(text)) == text);
  CHECK(from_percent("p%40ss%3a") == "p@ss:");
  for (const char* as_it_is : {"", "50%", "%4", "%zz", "%4g", "% 1"})
    CHECK(from_percent(as_it_is) == as_it_is);
}

TEST_CASE("SHA-256 of nothing and of something, as the standard has them") {
  CHECK(codebox::sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(codebox::sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
