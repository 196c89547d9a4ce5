#include "http/head.hpp"

#include <algorithm>
#include <charconv>

#include "base/text.hpp"
#include "http/names.hpp"

namespace codebox::http {
namespace {

using Trouble = std::optional<Problem>;

/// Takes the next line off `rest`. Lines end with CRLF; a CR or LF elsewhere is a way to smuggle.
Trouble next_line(std::string_view& rest, std::string_view& line) {
  const std::size_t end = rest.find('\n');
  if (end == std::string_view::npos || end == 0 || rest[end - 1] != '\r') {
    return Problem{400, "A line of the request's head does not end with CR LF; send it as HTTP/1.1 demands."};
  }
  line = rest.substr(0, end - 1);
  rest.remove_prefix(end + 1);
  return {};
}

Trouble parse_target(std::string_view target, Head& head) {
  if (target.size() > max_target) {
    return Problem{414, "The request's target has " + std::to_string(target.size()) + " bytes; at most " +
                            std::to_string(max_target) + " are read."};
  }
  const bool clean =
      std::all_of(target.begin(), target.end(), [](char c) { return c > ' ' && c < 0x7f && c != '#'; });
  if (clean && (target.starts_with("http://") || target.starts_with("https://"))) {
    const std::size_t slash = target.find('/', target.find("//") + 2);
    target = slash == std::string_view::npos ? std::string_view("/") : target.substr(slash);
  }
  const bool star = target == "*" && head.request.method == "OPTIONS";
  if (!clean || (!target.starts_with('/') && !star)) {
    return Problem{
        400, "The request's target " + text::quoted(target) + " is not a path; send one that begins with /."};
  }
  const std::size_t mark = target.find('?');
  head.request.path = target.substr(0, mark);
  if (mark != std::string_view::npos) head.request.query = target.substr(mark + 1);
  return {};
}

Trouble parse_request_line(std::string_view line, Head& head) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last || !is_token(line.substr(0, first)) || first > 32) {
    return Problem{400, "The request line " + text::quoted(line) + " is not METHOD TARGET HTTP/1.1."};
  }
  head.request.method = line.substr(0, first);
  const std::string_view version = line.substr(last + 1);
  if (version == "HTTP/1.0") {
    head.old = head.close = true;
  } else if (version != "HTTP/1.1") {
    const bool other = version.size() == 8 && version.starts_with("HTTP/");
    return Problem{other ? 505 : 400,
                   "The protocol " + text::quoted(version) + " is not spoken here; use HTTP/1.1."};
  }
  return parse_target(line.substr(first + 1, last - first - 1), head);
}

Trouble parse_field(std::string_view line, Head& head) {
  if (line.front() == ' ' || line.front() == '\t') {
    return Problem{400, "A header field goes on in a second line; send each field in one line."};
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) {
    return Problem{400, "The header line " + text::quoted(line, 40) + " is not NAME: VALUE."};
  }
  std::string_view value = line.substr(colon + 1);
  while (!value.empty() && (value.front() == ' ' || value.front() == '\t')) value.remove_prefix(1);
  while (!value.empty() && (value.back() == ' ' || value.back() == '\t')) value.remove_suffix(1);
  if (!is_value(value)) {
    return Problem{400,
                   "The header field " + text::quoted(line.substr(0, colon)) + " holds a control character."};
  }
  if (head.request.headers.size() >= max_fields) {
    return Problem{431,
                   "The request has more than " + std::to_string(max_fields) + " header fields; send fewer."};
  }
  head.request.headers.emplace_back(line.substr(0, colon), value);
  return {};
}

Trouble parse_length(Head& head, std::uint64_t max_body) {
  const std::string text = head.request.header("Content-Length");
  const bool digits =
      !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!digits || head.request.count("Content-Length") > 1) {
    return Problem{
        400, "Content-Length must stand once and be a number without sign; got " + text::quoted(text) + "."};
  }
  std::uint64_t length = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), length);
  if (read.ec != std::errc() || length > max_body) {
    return Problem{413, "The request's body of " + text::quoted(text, 24) +
                            " bytes is larger than the limit of " + text::size(max_body) +
                            "; send less, or raise MAX_BODY."};
  }
  head.length = length;
  return {};
}

Trouble check_framing(Head& head, std::uint64_t max_body) {
  const Request& request = head.request;
  const std::size_t encodings = request.count("Transfer-Encoding");
  const std::size_t lengths = request.count("Content-Length");
  if (encodings > 0) {
    if (lengths > 0 || encodings > 1 || head.old ||
        !same_name(request.header("Transfer-Encoding"), "chunked")) {
      return Problem{
          400, "Transfer-Encoding must stand once, be exactly chunked, and come without Content-Length."};
    }
    head.chunked = true;
    return {};
  }
  if (lengths > 0) return parse_length(head, max_body);
  const std::string& method = request.method;
  if (method == "POST" || method == "PUT" || method == "PATCH") {
    return Problem{411, "A " + method + " needs Content-Length or Transfer-Encoding: chunked."};
  }
  return {};
}

Trouble check_fields(Head& head) {
  const Request& request = head.request;
  const std::size_t hosts = request.count("Host");
  if (hosts > 1 || (hosts == 0 && !head.old))
    return Problem{400, "The header field Host must stand exactly once."};
  // Who stands before us may have read the other one.
  for (const char* name : {"Authorization", "Content-Type", "Origin"}) {
    if (request.count(name) > 1)
      return Problem{400, "The header field " + std::string(name) + " must stand at most once."};
  }
  const std::string encoding = request.header("Content-Encoding");
  if (!encoding.empty() && !same_name(encoding, "identity")) {
    return Problem{415, "A body encoded by " + text::quoted(encoding, 40) +
                            " is not read here: send it plain, without Content-Encoding."};
  }
  for (const auto& [name, value] : request.headers) {
    if (same_name(name, "Connection")) {
      for (const std::string& option : text::split(value, ',')) {
        if (same_name(text::trim(option), "close")) head.close = true;
      }
    }
    if (same_name(name, "Expect") && !head.old) {
      if (!same_name(value, "100-continue")) {
        return Problem{417, "The expectation " + text::quoted(value) + " cannot be met; leave Expect out."};
      }
      head.expects = true;
    }
  }
  return {};
}

}  // namespace

std::size_t head_end(std::string_view bytes, std::size_t* scanned) {
  std::size_t at = *scanned;
  while ((at = bytes.find('\n', at)) != std::string_view::npos) {
    // The empty lines that a client may send before its request end nothing.
    const bool blank = bytes.find_first_not_of("\r\n") > at;
    if (!blank && bytes.substr(at + 1).starts_with('\n')) return at + 2;
    if (!blank && bytes.substr(at + 1).starts_with("\r\n")) return at + 3;
    if (at + 2 >= bytes.size()) break;
    ++at;
  }
  *scanned = at == std::string_view::npos ? bytes.size() : at;
  return std::string_view::npos;
}

std::variant<Head, Problem> parse_head(std::string_view bytes, std::uint64_t max_body) {
  Head head;
  while (bytes.starts_with("\r\n")) bytes.remove_prefix(2);
  std::string_view line;
  if (Trouble trouble = next_line(bytes, line)) return *trouble;
  if (Trouble trouble = parse_request_line(line, head)) return *trouble;
  while (true) {
    if (Trouble trouble = next_line(bytes, line)) return *trouble;
    if (line.empty()) break;
    if (Trouble trouble = parse_field(line, head)) return *trouble;
  }
  if (Trouble trouble = check_fields(head)) return *trouble;
  if (Trouble trouble = check_framing(head, max_body)) return *trouble;
  return head;
}

}  // namespace codebox::http
