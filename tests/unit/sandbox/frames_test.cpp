#include "sandbox/frames.hpp"

#include <catch2/catch_test_macros.hpp>
#include <random>
#include <string>

#include "sandbox/demux.hpp"
#include "sandbox/places.hpp"

using namespace codebox::sandbox;
using frames::Decoder;
using frames::Type;

TEST_CASE("frames survive being split at every byte") {
  std::string stream;
  frames::append(stream, Type::output, 7, "hello", frames::flag_err);
  frames::append(stream, Type::ping, 0);
  frames::append(stream, Type::tunnel_data, frames::tunnel_bit | 1U, std::string(frames::max_payload, 'x'));
  for (std::size_t cut = 0; cut < 40; ++cut) {
    Decoder decoder;
    frames::Frame frame;
    std::vector<Type> types;
    for (const auto part : {std::string_view(stream).substr(0, cut), std::string_view(stream).substr(cut)}) {
      decoder.feed(part);
      while (decoder.next(frame) == Decoder::Next::frame) {
        types.push_back(frame.type);
        if (frame.type == Type::output)
          CHECK((frame.payload == "hello" && frame.flags == 1 && frame.channel == 7));
      }
    }
    CHECK(types == std::vector<Type>{Type::output, Type::ping, Type::tunnel_data});
  }
}

TEST_CASE("a frame that is too long, of no known type or with odd bits is broken") {
  const auto broken = [](std::string bytes) {
    bytes.resize(frames::header_size, '\0');
    Decoder decoder;
    decoder.feed(bytes);
    frames::Frame frame;
    return decoder.next(frame) == Decoder::Next::broken;
  };
  CHECK(broken(std::string("\xff\xff\xff\xff\x02", 5)));
  CHECK(broken(std::string("\x01\x00\x01\x00\x02", 5)));
  CHECK(broken(std::string("\0\0\0\0\0", 5)));
  CHECK(broken(std::string("\0\0\0\0\x7f", 5)));
  CHECK(broken(std::string("\0\0\0\0\x02\0\x01", 7)));
  CHECK_FALSE(broken(std::string("\0\0\0\0\x02", 5)));
}

TEST_CASE("messages come back as they were") {
  frames::StepOpen order{{"python3", "-c", "print('é')"}, {"A=b", ""}, "/sandbox", 60'000, 5, true};
  frames::StepOpen back;
  REQUIRE(frames::decode(order.encode(), back));
  CHECK(
      (back.argv == order.argv && back.env == order.env && back.cwd == order.cwd && back.limit_ms == 60'000));
  CHECK((back.spool == 5 && back.input));
  frames::Entry entry{"/sandbox/x", 1ULL << 40, ""};
  frames::Entry entry_back;
  REQUIRE(frames::decode(entry.encode(), entry_back));
  CHECK(entry_back.size == 1ULL << 40);
}

TEST_CASE("a message that is cut off, too long or forged is refused") {
  const auto whole = frames::StepOpen{{"a", "b"}, {"C=d"}, "/tmp", 1, 2, false}.encode();
  frames::StepOpen back;
  for (std::size_t length = 0; length < whole.size(); ++length)
    CHECK_FALSE(frames::decode(whole.substr(0, length), back));
  CHECK_FALSE(frames::decode(whole + "x", back));
  CHECK_FALSE(frames::decode(std::string("\xff\xff\xff\xff\0\0\0\0", 8), back));
  std::mt19937 dice(7);
  for (int round = 0; round < 2000; ++round) {
    std::string noise(dice() % 64, '\0');
    for (auto& byte : noise) byte = static_cast<char>(dice());
    frames::Hello hello;
    frames::Entry entry;
    CHECK_FALSE((frames::decode(noise, hello) && hello.version == frames::version));
    (void)frames::decode(noise, entry);
  }
}

TEST_CASE("a long message is spread over frames and marked") {
  std::string stream;
  const std::string message(3 * frames::max_payload + 5, 'm');
  frames::append_message(stream, Type::step, 3, message);
  Decoder decoder;
  decoder.feed(stream);
  frames::Frame frame;
  std::string back;
  bool more = true;
  while (decoder.next(frame) == Decoder::Next::frame) {
    CHECK(more);
    back.append(frame.payload);
    more = (frame.flags & frames::flag_more) != 0;
  }
  CHECK_FALSE(more);
  CHECK(back == message);
}

TEST_CASE("the engine's headers come off wherever a read splits them") {
  const std::string stream = std::string("\x01\0\0\0\0\0\0\x05hello", 13) +
                             std::string("\x02\0\0\0\0\0\0\x03oh!", 11) +
                             std::string("\x01\0\0\0\0\0\0\0", 8) + std::string("\x01\0\0\0\0\0\0\x01w", 9);
  for (std::size_t first = 0; first <= stream.size(); ++first) {
    for (std::size_t second = first; second <= stream.size(); ++second) {
      Demux demux(true);
      std::string out;
      std::string err;
      const auto to_out = [&](std::string_view part) { out += part; };
      const auto to_err = [&](std::string_view part) { err += part; };
      const std::string_view all(stream);
      REQUIRE(demux.feed(all.substr(0, first), to_out, to_err));
      REQUIRE(demux.feed(all.substr(first, second - first), to_out, to_err));
      REQUIRE(demux.feed(all.substr(second), to_out, to_err));
      REQUIRE(out == "hellow");
      REQUIRE(err == "oh!");
    }
  }
  Demux demux(true);
  CHECK_FALSE(demux.feed(
      "HTTP/1.1 200 OK", [](std::string_view) {}, [](std::string_view) {}));
}

TEST_CASE("only plain paths below a writable place are places") {
  CHECK(places::parts("/sandbox/a/b") == std::vector<std::string>{"sandbox", "a", "b"});
  CHECK(places::writable("/tmp/.support/x"));
  CHECK(places::writable("/packages/lib"));
  for (const char* path :
       {"", "/", "sandbox/a", "/sandbox", "/sandbox/", "/sandbox//a", "/sandbox/../etc/passwd",
        "/sandbox/a/.", "/etc/passwd", "/sandbox2/a", "/proc/1/fd"}) {
    CHECK_FALSE(places::writable(path));
  }
  CHECK_FALSE(places::writable(std::string("/sandbox/a\0b", 12)));
  CHECK_FALSE(places::writable("/sandbox/" + std::string(256, 'n')));
}

TEST_CASE("a glob's part matches one name") {
  CHECK(places::matches("*.png", "figure.png"));
  CHECK(places::matches("?.png", "é.png"));
  CHECK(places::matches("a*b*c", "axxbyyc"));
  CHECK_FALSE(places::matches("*.png", ".hidden.png"));
  CHECK(places::matches(".*", ".hidden"));
  CHECK_FALSE(places::matches("a*b", "ac"));
  CHECK_FALSE(places::matches(std::string(100, '*') + "x", std::string(200, 'a')));
}
