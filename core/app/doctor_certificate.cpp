#include <Poco/Crypto/X509Certificate.h>
#include <Poco/DateTimeFormatter.h>
#include <Poco/Exception.h>

#include "app/doctor.hpp"
#include "base/text.hpp"
#include "http/tls.hpp"

namespace codebox::app::doctor {
namespace {

constexpr const char* topic = "tls";
constexpr std::chrono::hours soon{14 * 24};

WallTime time_of(const Poco::DateTime& date) {
  return std::chrono::system_clock::from_time_t(date.timestamp().epochTime());
}

std::string day(const Poco::DateTime& date) {
  return Poco::DateTimeFormatter::format(date, "%Y-%m-%d");
}

}  // namespace

void look_at_certificate(Report& report, const Settings& settings, const Clock& clock) {
  const std::string& file = settings.http.tls_cert;
  if (file.empty())
    return report.ok(topic, "TLS is off: the server speaks plain HTTP, for a private network.");
  if (auto loaded = http::load_tls(file, settings.http.tls_key); !loaded) {
    return report.problem(topic, loaded.failure());
  }
  try {
    const Poco::Crypto::X509Certificate certificate(file);
    const Poco::DateTime ends = certificate.expiresOn();
    const std::string shown = "The certificate " + text::quoted(file);
    if (time_of(ends) <= clock.wall()) {
      return report.problem(topic, shown + " expired on " + day(ends) + ": renew it.");
    }
    if (time_of(certificate.validFrom()) > clock.wall()) {
      return report.problem(topic, shown + " is valid only from " + day(certificate.validFrom()) +
                                       ": set this machine's clock right, or use another one.");
    }
    if (time_of(ends) <= clock.wall() + soon) {
      return report.warn(topic,
                         shown + " expires on " + day(ends) + ": renew it, then start the server again.");
    }
    report.ok(topic, shown + " fits its key and is valid until " + day(ends) + ".");
  } catch (const Poco::Exception& error) {
    report.problem(topic, "The certificate " + text::quoted(file) + " cannot be read (" +
                              text::one_line(error.displayText()) + "): give a PEM file.");
  }
}

}  // namespace codebox::app::doctor
