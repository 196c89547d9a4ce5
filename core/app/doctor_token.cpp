#include "app/doctor.hpp"
#include "auth/bearer.hpp"

namespace codebox::app::doctor {
namespace {

constexpr std::size_t good_secret = 32;

}  // namespace

void look_at_token(Report& report, const Settings& settings) {
  const SystemClock clock;
  if (auto bearer = auth::make_bearer(settings.auth, clock); !bearer) {
    return report.problem("token", bearer.failure());
  }
  const bool shared = settings.auth.algorithm.starts_with("HS");
  if (shared && settings.auth.secret.size() < good_secret) {
    return report.warn("token", "JWT_SECRET is " + std::to_string(settings.auth.secret.size()) +
                                    " bytes long: use at least 32 random bytes here and as Open WebUI's "
                                    "WEBUI_SECRET_KEY.");
  }
  report.ok("token", "JWT_SECRET can be used with " + settings.auth.algorithm + ".");
}

}  // namespace codebox::app::doctor
