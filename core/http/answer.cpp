#include "http/answer.hpp"

#include <Poco/DateTimeFormat.h>
#include <Poco/DateTimeFormatter.h>
#include <Poco/Net/HTTPResponse.h>
#include <Poco/Timestamp.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/log.hpp"
#include "base/text.hpp"
#include "http/names.hpp"

namespace codebox::http {
namespace {

/// Fields that the server alone decides, as they say where a message ends.
bool is_ours(std::string_view name) {
  constexpr std::array<std::string_view, 5> ours = {"Content-Length", "Transfer-Encoding", "Connection",
                                                    "Date", "X-Content-Type-Options"};
  return std::any_of(ours.begin(), ours.end(), [&](std::string_view own) { return same_name(own, name); });
}

void add_field(std::string& out, std::string_view name, std::string_view value) {
  if (!is_token(name) || !is_value(value)) {
    log::warn("A response's header field " + text::quoted(name) +
              " holds characters that HTTP forbids; it was left out.");
    return;
  }
  out.append(name).append(": ").append(value).append("\r\n");
}

}  // namespace

bool is_bodiless(int status) {
  return status < 200 || status == 204 || status == 304;
}

std::string answer_head(const Response& response, std::optional<std::uint64_t> length, bool close) {
  const auto status = static_cast<Poco::Net::HTTPResponse::HTTPStatus>(response.status);
  std::string out;
  out.reserve(256 + response.body.size());
  out.append("HTTP/1.1 ").append(std::to_string(response.status)).append(" ");
  out.append(Poco::Net::HTTPResponse::getReasonForStatus(status)).append("\r\n");
  out.append("Date: ").append(
      Poco::DateTimeFormatter::format(Poco::Timestamp(), Poco::DateTimeFormat::HTTP_FORMAT));
  out.append("\r\nX-Content-Type-Options: nosniff\r\n");
  if (!length || *length > 0) add_field(out, "Content-Type", response.content_type);
  for (const auto& [name, value] : response.headers) {
    if (!is_ours(name)) add_field(out, name, value);
  }
  if (!length) {
    out.append("Transfer-Encoding: chunked\r\n");
  } else if (!is_bodiless(response.status)) {
    out.append("Content-Length: ").append(std::to_string(*length)).append("\r\n");
  }
  if (close) out.append("Connection: close\r\n");
  return out.append("\r\n");
}

std::string chunk(std::string_view bytes) {
  if (bytes.empty()) return {};
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), bytes.size(), 16);
  std::string out(digits.data(), end.ptr);
  return out.append("\r\n").append(bytes).append("\r\n");
}

Response problem_response(const Problem& problem) {
  Response response;
  response.status = problem.status;
  response.body = R"({"jsonrpc":"2.0","id":null,"error":{"code":)" +
                  std::string(problem.status < 500 ? "-32600" : "-32000") + R"(,"message":)" +
                  text::json_string(problem.message) + "}}";
  if (problem.status == 503) response.headers.emplace_back("Retry-After", "5");
  return response;
}

std::string problem_text(const Problem& problem) {
  const Response response = problem_response(problem);
  return answer_head(response, response.body.size(), true) + response.body;
}

}  // namespace codebox::http
