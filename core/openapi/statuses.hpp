#pragma once
#include <array>

#include "base/result.hpp"

/// The statuses with which POST /tools/<name> answers where there is no call. Constants; any thread.
namespace codebox::openapi {

/// A status with which a call is not taken up.
struct Refusal {
  int status;
  const char* meaning;
  bool waits = false;  ///< carries Retry-After
};

inline constexpr std::array<Refusal, 10> refusals = {
    {{400, "The body is no JSON object."},
     {401, "No token came, or it is not accepted."},
     {403, "The page's origin may not call this server."},
     {404, "There is no such tool; the sentence names those that there are."},
     {413, "The body, or something in it, is larger than its limit."},
     {415, "The body is not declared as JSON."},
     {422, "An argument is wrong; the sentence names it and says what is expected."},
     {429, "This person called too often.", true},
     {500, "A fault of the server; its log says why."},
     {503,
      "There is no room for another program now, of this person's or at all, or a service that is needed "
      "does "
      "not answer.",
      true}}};

/// The status for a call that was refused for `reason`.
constexpr int status_of(Reason reason) {
  switch (reason) {
    case Reason::unauthorized:
      return 401;
    case Reason::not_found:
      return 404;
    case Reason::too_large:
      return 413;
    case Reason::invalid:
      return 422;
    case Reason::rate_limited:
      return 429;
    case Reason::internal:
      return 500;
    default:
      return 503;
  }
}

}  // namespace codebox::openapi
