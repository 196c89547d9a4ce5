#pragma once
#include <functional>
#include <string>
#include <vector>

#include "app/settings.hpp"

namespace codebox::app {

/// One setting: its name, how its value is written with its range ("a size of at least 1KB", which the
/// comment in .env.example has as well) and what it does to Settings. `apply` says false when the value is
/// not written so. A value that may hold a password is never shown. Plain value; any thread.
struct Setting {
  std::string name;
  std::string form;
  std::function<bool(Settings&, const std::string& value)> apply;
  bool secret = false;
};

/// Every setting with a fixed name, in the order of .env.example.
const std::vector<Setting>& setting_table();

/// A setting whose name ends with a language's id in capitals, for example SANDBOX_IMAGE_<ID>. Plain value;
/// any thread.
struct LanguageSetting {
  std::string prefix;
  std::string form;
  std::function<bool(Settings&, const std::string& language, const std::string& value)> apply;
  bool secret = false;
};

/// Every setting of a language.
const std::vector<LanguageSetting>& language_setting_table();

}  // namespace codebox::app
