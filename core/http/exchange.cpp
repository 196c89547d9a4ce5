#include "http/exchange.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <exception>

#include "base/log.hpp"
#include "base/text.hpp"
#include "http/answer.hpp"
#include "http/body.hpp"
#include "http/names.hpp"

namespace codebox::http {
namespace {

class Exchange {
 public:
  Exchange(Connection& connection, Flight& flight, Handler& handler, const Options& options,
           std::function<void(Time)> begin)
      : connection_(connection),
        flight_(flight),
        handler_(handler),
        options_(options),
        begin_(std::move(begin)) {}

  After run(std::size_t head_bytes) {
    if (head_bytes > max_head) {
      return fail({431, "The request's head is longer than " + text::size(max_head) +
                            "; send fewer or shorter fields."});
    }
    auto parsed = parse_head(std::string_view(connection_.in).substr(0, head_bytes), options_.max_body);
    connection_.use(head_bytes);
    if (const auto* problem = std::get_if<Problem>(&parsed)) return fail(*problem);
    head_ = std::get<Head>(std::move(parsed));
    close_ = head_.close;
    Request& request = head_.request;
    request.peer = connection_.peer;
    request.gone = flight_.gone();

    std::optional<Response> refusal = guarded([&] { return handler_.refuse(request); });
    if (refusal) {
      if (head_.has_body()) skip_body();
      return respond(*refusal);
    }
    if (const auto problem = receive(request)) return problem->status == 0 ? After::close : fail(*problem);

    if (!head_.old && request.method != "HEAD") flight_.on_begin(std::move(begin_));
    const std::optional<Response> response =
        guarded([&] { return std::optional<Response>(handler_.handle(request, flight_)); });
    return respond(*response);
  }

 private:
  /// What the handler says, or 500 where it throws.
  template <class Call>
  std::optional<Response> guarded(const Call& call) {
    std::string what = "an unknown exception";
    try {
      return call();
    } catch (const std::exception& error) {
      what = error.what();
    } catch (...) {
    }
    log::error("A request to " + text::quoted(head_.request.path) + " failed: " + what);
    return problem_response({500, "The server failed on this request; its log says why."});
  }

  std::optional<Problem> receive(Request& request) {
    if (!head_.has_body()) return {};
    const bool invited = head_.expects && connection_.in.empty();
    if (invited && !write_all(*connection_.stream, "HTTP/1.1 100 Continue\r\n\r\n", options_.send_timeout)) {
      return Problem{0, "The client left before its body was wanted."};
    }
    const Time deadline = SystemClock().now() + options_.body_timeout;
    return read_body(connection_, head_, options_.max_body, deadline, request.body);
  }

  /// A refused body that has already come whole does no harm; any other ends the connection.
  void skip_body() {
    if (!head_.chunked && connection_.in.size() >= *head_.length) {
      connection_.use(static_cast<std::size_t>(*head_.length));
    } else {
      close_ = true;
    }
  }

  After fail(const Problem& problem) {
    close_ = true;
    return respond(problem_response(problem));
  }

  bool send(std::string_view bytes) { return write_all(*connection_.stream, bytes, options_.send_timeout); }

  After respond(const Response& response) {
    const std::optional<std::string> begun = flight_.finish();
    const bool sent = begun ? respond_late(*begun, response) : respond_whole(response);
    if (!sent) return After::close;
    return close_ ? After::drain : After::keep;
  }

  bool respond_whole(const Response& response) {
    for (const auto& [name, value] : response.headers) {
      if (same_name(name, "Connection") && same_name(value, "close")) close_ = true;
    }
    const bool silent = head_.request.method == "HEAD" || is_bodiless(response.status);
    if (response.file.empty()) {
      std::string out = answer_head(response, response.body.size(), close_);
      if (!silent) out += response.body;
      return send(out);
    }
    Fd file;
    const std::optional<std::uint64_t> size = open_file(response.file, file);
    if (!size) return respond_whole(problem_response({404, "The file is not there any more."}));
    if (!send(answer_head(response, *size, close_))) return false;
    return silent || send_file(file, *size, false);
  }

  /// The status and headers are out since the first beat: only the body can follow.
  bool respond_late(const std::string& unsent, const Response& response) {
    if (!send(unsent)) return false;
    if (response.file.empty()) return send(chunk(response.body).append(last_chunk));
    Fd file;
    const std::optional<std::uint64_t> size = open_file(response.file, file);
    return size && send_file(file, *size, true) && send(last_chunk);
  }

  std::optional<std::uint64_t> open_file(const std::string& path, Fd& file) {
    file.reset(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status {};
    if (file && ::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode)) {
      return static_cast<std::uint64_t>(status.st_size);
    }
    log::warn("A file that a response names cannot be read: " + text::quoted(path));
    return {};
  }

  bool send_file(const Fd& file, std::uint64_t size, bool chunked) {
    std::array<char, 64U << 10> buffer;
    while (size > 0) {
      const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(size, buffer.size()));
      const ssize_t got = ::read(file.get(), buffer.data(), part);
      if (got <= 0) return false;
      const std::string_view bytes(buffer.data(), static_cast<std::size_t>(got));
      if (chunked ? !send(chunk(bytes)) : !send(bytes)) return false;
      size -= bytes.size();
    }
    return true;
  }

  Connection& connection_;
  Flight& flight_;
  Handler& handler_;
  const Options& options_;
  std::function<void(Time)> begin_;
  Head head_;
  bool close_ = false;
};

}  // namespace

After exchange(Connection& connection, std::size_t head, Flight& flight, Handler& handler,
               const Options& options, std::function<void(Time)> begin) {
  try {
    return Exchange(connection, flight, handler, options, std::move(begin)).run(head);
  } catch (const std::exception& error) {
    flight.finish();
    log::error(std::string("An answer could not be given: ") + error.what());
    return After::close;
  }
}

}  // namespace codebox::http
