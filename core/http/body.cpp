#include "http/body.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/text.hpp"

namespace codebox::http {
namespace {

constexpr std::size_t max_chunk_line = 256;
// Of one read from the socket.
constexpr std::size_t portion = 64U << 10;
constexpr std::size_t max_trailer = 8U << 10;

using Trouble = std::optional<Problem>;

class Reader {
 public:
  Reader(Connection& connection, std::uint64_t max_body, Time deadline, std::string& body)
      : connection_(connection), max_body_(max_body), deadline_(deadline), body_(body) {}

  ~Reader() { connection_.use(used_); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  Trouble exactly(std::uint64_t bytes) {
    const std::size_t whole = body_.size() + static_cast<std::size_t>(bytes);
    body_.reserve(whole);
    while (body_.size() < whole) {
      const std::size_t rest = whole - body_.size();
      const std::size_t part = std::min(rest, connection_.in.size() - used_);
      body_.append(connection_.in, used_, part);
      used_ += part;
      if (part == rest) break;
      // What is certainly the body's goes there at once; the end may have something behind it.
      if (Trouble trouble = rest - part < portion ? more() : read_onto(body_)) return trouble;
    }
    return {};
  }

  Trouble chunks() {
    std::string line;
    while (true) {
      if (Trouble trouble = next_line(line, max_chunk_line)) return trouble;
      std::uint64_t size = 0;
      const std::string_view digits = std::string_view(line).substr(0, line.find_first_of("; \t"));
      const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), size, 16);
      if (digits.empty() || digits.size() > 16 || read.ec != std::errc() ||
          read.ptr != digits.data() + digits.size()) {
        return Problem{400, "The chunk size " + text::quoted(digits, 24) + " is not a hexadecimal number."};
      }
      if (size > max_body_ - body_.size()) {
        return Problem{413, "The request's body is larger than the limit of " + text::size(max_body_) +
                                "; send less, or raise MAX_BODY."};
      }
      if (size == 0) return trailer();
      if (Trouble trouble = exactly(size)) return trouble;
      if (Trouble trouble = next_line(line, max_chunk_line)) return trouble;
      if (!line.empty()) return Problem{400, "A chunk is longer than the size before it says."};
    }
  }

 private:
  /// Trailer fields mean nothing to us and are dropped.
  Trouble trailer() {
    std::size_t total = 0;
    std::string line;
    do {
      if (Trouble trouble = next_line(line, max_trailer)) return trouble;
      total += line.size() + 2;
      if (total > max_trailer)
        return Problem{431, "The trailer fields after the body are too long; leave them out."};
    } while (!line.empty());
    return {};
  }

  Trouble next_line(std::string& line, std::size_t limit) {
    std::size_t length = 0;
    std::string_view rest;
    while (true) {
      rest = std::string_view(connection_.in).substr(used_);
      length = rest.substr(0, limit).find('\n');
      if (length != std::string_view::npos || rest.size() >= limit) break;
      if (Trouble trouble = more()) return trouble;
    }
    if (length == std::string_view::npos || length == 0 || rest[length - 1] != '\r') {
      return Problem{400, "A line of the chunked body is too long or does not end with CR LF."};
    }
    line.assign(rest.substr(0, length - 1));
    used_ += length + 1;
    return {};
  }

  Trouble more() {
    connection_.use(std::exchange(used_, 0));
    return read_onto(connection_.in);
  }

  Trouble read_onto(std::string& end) {
    std::array<char, portion> buffer;
    while (true) {
      const Moved moved = connection_.stream->read(buffer);
      if (moved.io == Io::closed)
        return Problem{0, "The client closed the connection inside a request's body."};
      if (moved.io == Io::done) {
        end.append(buffer.data(), moved.bytes);
        return {};
      }
      if (!wait_for(*connection_.stream, moved.io, deadline_)) {
        return Problem{408, "The request's body did not arrive in time; send it faster."};
      }
    }
  }

  Connection& connection_;
  std::uint64_t max_body_;
  Time deadline_;
  std::string& body_;
  std::size_t used_ =
      0;  // of connection_.in: dropped at once for many small chunks, else each would move the rest
};

}  // namespace

std::optional<Problem> read_body(Connection& connection, const Head& head, std::uint64_t max_body,
                                 Time deadline, std::string& body) {
  Reader reader(connection, max_body, deadline, body);
  return head.chunked ? reader.chunks() : reader.exactly(head.length.value_or(0));
}

}  // namespace codebox::http
