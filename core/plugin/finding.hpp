#pragma once
#include <string>
#include <utility>
#include <variant>

namespace codebox::plugin {

/// Why a file is no plugin of ours: a stable id and one sentence. Plain value.
struct Finding {
  std::string id;
  std::string reason;
};

/// What a step of the gate gives: its value, or the finding that ends the file's way.
template <class T>
using Checked = std::variant<T, Finding>;

template <class T>
const Finding* finding(const Checked<T>& checked) {
  return std::get_if<Finding>(&checked);
}

}  // namespace codebox::plugin
