#include <nlohmann/json.hpp>

#include "doctor.hpp"

using namespace codebox;
using namespace codebox::app;
using doctor::Report;

TEST_CASE("a report without problems has status 0, with warnings too") {
  Report report;
  CHECK(report.exit_status() == 0);
  report.ok("engine", "There.");
  report.warn("state", "Nearly full.");
  CHECK(report.exit_status() == 0);
}

TEST_CASE("a problem is status 1, a bad setting status 2") {
  Report report;
  report.problem("engine", "Not there.");
  CHECK(report.exit_status() == 1);
  report.problem("engine", Failure{Reason::offline, "Not there."});
  CHECK(report.exit_status() == 1);
  report.problem("port", Failure{Reason::invalid, "No port."});
  CHECK(report.exit_status() == 2);
}

TEST_CASE("each finding is one line, whatever its text holds") {
  Report report;
  report.ok("engine", "There.");
  report.problem("state", "Two\nlines.");
  CHECK(report.text() ==
        "ok       engine       There.\nproblem  state        Two lines.\n1 ok, warnings: 0, problems: 1\n");
}

TEST_CASE("the JSON says the same as the lines") {
  Report report;
  report.warn("clock", "A \"quoted\" word.");
  const auto json = nlohmann::json::parse(report.json());
  CHECK(json.at("exit_status") == 0);
  CHECK(json.at("checks").size() == 1);
  CHECK(json.at("checks")[0] ==
        nlohmann::json({{"topic", "clock"}, {"verdict", "warning"}, {"text", "A \"quoted\" word."}}));
}
