#include "app/doctor.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "app/commands.hpp"
#include "app/graph.hpp"
#include "base/text.hpp"

namespace codebox::app {
namespace {

void look_at_sandboxes(doctor::Report& report, const Settings& settings) {
  const auto languages = doctor::look_at_plugins(report, settings, own_program());
  doctor::look_at_network(report, settings);
  auto engine = start_engine(settings, {"doctor-" + std::to_string(::getpid()), false});
  if (!engine) return report.problem("engine", engine.failure());
  if (!doctor::look_at_engine(report, **engine)) {
    return report.warn("image", "Images and limits were not looked at, since no container engine answers.");
  }
  doctor::look_at_limits(report, **engine, settings);
  doctor::look_at_images(report, **engine, settings, languages);
  doctor::look_at_proof(report, **engine, settings, languages);
}

int print(const doctor::Report& report, bool json) {
  std::fputs((json ? report.json() : report.text()).c_str(), stdout);
  return report.exit_status();
}

// The token is never an argument, which others on this machine could read.
Result<std::string> token_in(const std::string& file) {
  std::string token(8192, '\0');
  std::ifstream opened;
  if (file != "-") opened.open(file);
  std::istream& in = file == "-" ? std::cin : opened;
  in.read(token.data(), static_cast<std::streamsize>(token.size()));
  token = text::trim(token.substr(0, static_cast<std::size_t>(in.gcount())));
  const bool plain = std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < '\x7f'; });
  if (token.empty() || !plain) {
    return Failure{Reason::invalid, "There is no token in " + text::quoted(file) +
                                        ": it must hold one line, a token or an API key of Open WebUI."};
  }
  return token;
}

void look_at_connections(doctor::Report& report, const Settings& settings, const DoctorRequest& request) {
  std::string token;
  if (!request.token_file.empty()) {
    auto given = token_in(request.token_file);
    if (!given) return report.problem("administrator", given.failure());
    token = std::move(*given);
  }
  doctor::look_at_connections(report, settings, token);
}

}  // namespace

int doctor_command(const DoctorRequest& request) {
  doctor::Report report;
  auto settings = load_settings();
  if (!settings) {
    report.problem("settings", settings.failure());
    return print(report, request.json);
  }
  // What others log of the same things would only repeat the lines below.
  log::configure(log::Level::error, settings->log_format);
  const SystemClock clock;
  report.ok("settings", "The environment and .env can be read.");
  for (const std::string& doubt : settings->doubts) report.warn("settings", doubt);
  doctor::look_at_token(report, *settings);
  doctor::look_at_open_webui(report, *settings, clock);
  if (request.open_webui) {
    look_at_connections(report, *settings, request);
    return print(report, request.json);
  }
  doctor::look_at_port(report, *settings);
  doctor::look_at_certificate(report, *settings, clock);
  doctor::look_at_state(report, *settings);
  doctor::look_at_pool(report, *settings);
  look_at_sandboxes(report, *settings);
  return print(report, request.json);
}

}  // namespace codebox::app
