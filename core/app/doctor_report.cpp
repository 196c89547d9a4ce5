#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/doctor.hpp"
#include "base/text.hpp"

namespace codebox::app::doctor {
namespace {

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

}  // namespace

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      return "ok";
    case Verdict::warning:
      return "warning";
    case Verdict::problem:
      return "problem";
  }
  return "problem";
}

void Report::add(const std::string& topic, Verdict verdict, std::string text) {
  lines_.push_back({topic, verdict, text::one_line(text)});
}

void Report::ok(const std::string& topic, std::string text) {
  add(topic, Verdict::ok, std::move(text));
}
void Report::warn(const std::string& topic, std::string text) {
  add(topic, Verdict::warning, std::move(text));
}
void Report::problem(const std::string& topic, std::string text) {
  add(topic, Verdict::problem, std::move(text));
}

void Report::problem(const std::string& topic, const Failure& failure) {
  bad_setting_ = bad_setting_ || failure.reason == Reason::invalid;
  add(topic, Verdict::problem, failure.message);
}

int Report::exit_status() const {
  if (bad_setting_) return 2;
  const bool any = std::any_of(lines_.begin(), lines_.end(),
                               [](const Line& line) { return line.verdict == Verdict::problem; });
  return any ? 1 : 0;
}

std::string Report::text() const {
  std::string out;
  for (const Line& line : lines_) {
    out += padded(to_string(line.verdict), 9) + padded(line.topic, 13) + line.text + '\n';
  }
  const auto count = [&](Verdict verdict) {
    return std::count_if(lines_.begin(), lines_.end(),
                         [&](const Line& line) { return line.verdict == verdict; });
  };
  return out + std::to_string(count(Verdict::ok)) +
         " ok, warnings: " + std::to_string(count(Verdict::warning)) +
         ", problems: " + std::to_string(count(Verdict::problem)) + '\n';
}

std::string Report::json() const {
  nlohmann::ordered_json out = {{"exit_status", exit_status()}, {"checks", nlohmann::ordered_json::array()}};
  for (const Line& line : lines_) {
    out["checks"].push_back(
        {{"topic", line.topic}, {"verdict", to_string(line.verdict)}, {"text", line.text}});
  }
  return out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace codebox::app::doctor
