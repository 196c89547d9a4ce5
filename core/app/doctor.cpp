#include "app/doctor.hpp"

#include <unistd.h>

#include <cstdio>

#include "app/commands.hpp"
#include "app/graph.hpp"

namespace codebox::app {
namespace {

void look_at_sandboxes(doctor::Report& report, const Settings& settings) {
  const auto languages = doctor::look_at_plugins(report, settings, own_program());
  doctor::look_at_network(report, settings);
  auto engine = start_engine(settings, {"doctor-" + std::to_string(::getpid()), false});
  if (!engine) return report.problem("engine", engine.failure());
  if (!doctor::look_at_engine(report, **engine)) {
    return report.warn("images", "Images and limits were not looked at, since no container engine answers.");
  }
  doctor::look_at_limits(report, **engine, settings);
  doctor::look_at_images(report, **engine, settings, languages);
  doctor::look_at_proof(report, **engine, settings, languages);
}

int print(const doctor::Report& report, bool json) {
  std::fputs((json ? report.json() : report.text()).c_str(), stdout);
  return report.exit_status();
}

}  // namespace

int doctor_command(bool json) {
  doctor::Report report;
  auto settings = load_settings();
  if (!settings) {
    report.problem("settings", settings.failure());
    return print(report, json);
  }
  // What others log of the same things would only repeat the lines below.
  log::configure(log::Level::error, settings->log_format);
  const SystemClock clock;
  report.ok("settings", "The environment and .env can be read.");
  for (const std::string& doubt : settings->doubts) report.warn("settings", doubt);
  doctor::look_at_token(report, *settings);
  doctor::look_at_open_webui(report, *settings, clock);
  doctor::look_at_port(report, *settings);
  doctor::look_at_certificate(report, *settings, clock);
  doctor::look_at_state(report, *settings);
  doctor::look_at_pool(report, *settings);
  look_at_sandboxes(report, *settings);
  return print(report, json);
}

}  // namespace codebox::app
