#pragma once
#include <functional>
#include <string>
#include <vector>

#include "app/settings.hpp"

namespace codebox::app {

/// One setting: its name, how its value is written ("a number of bytes such as 500MB") and what it does to
/// Settings. `apply` says false when the value is not written so. A value that may hold a password is never
/// shown.
struct Setting {
  std::string name;
  std::string form;
  std::function<bool(Settings&, const std::string& value)> apply;
  bool secret = false;
};

/// Every setting with a fixed name, in the order of .env.example.
const std::vector<Setting>& setting_table();

/// A setting whose name ends with a language's id in capitals, for example SANDBOX_IMAGE_<ID>.
struct LanguageSetting {
  std::string prefix;
  std::string form;
  std::function<bool(Settings&, const std::string& language, const std::string& value)> apply;
  bool secret = false;
};
const std::vector<LanguageSetting>& language_setting_table();

}  // namespace codebox::app
