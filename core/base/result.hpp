#pragma once
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace codebox {

/// Why something was not done, as a stable word that tests and clients may branch on; docs/results.md has
/// what each means to a caller.
enum class Reason {
  invalid,       ///< the caller's input is wrong; trying again unchanged is useless
  unauthorized,  ///< who is calling is not known or not allowed
  not_found,     ///< it is not there, or not for this caller
  too_large,     ///< over a limit that the message names
  rate_limited,  ///< this user asked too often; the message says when to retry
  capacity,      ///< no room now; the message says when to retry
  offline,       ///< a service that is needed does not answer
  image,         ///< the sandbox image is missing or unusable
  install,       ///< packages could not be installed
  engine,        ///< the container engine refused
  timeout,       ///< the deadline passed
  cancelled,     ///< the caller left or asked to stop
  gone,          ///< the sandbox or its agent ended by itself
  internal,      ///< a fault of ours
};

/// The word for a reason, for example "rate_limited".
const char* to_string(Reason reason);

/// One sentence for a person: what, which value, what to do. Plain value.
struct Failure {
  Reason reason = Reason::internal;
  std::string message;
};

/// A value, or why there is none. Used for what may happen; exceptions stay inside the borders of libraries.
/// To be asked with ok() before either is read. Plain value; one thread at a time.
template <class T = void>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Failure failure) : state_(std::in_place_index<1>, std::move(failure)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() { return std::get<0>(state_); }
  const T& value() const { return std::get<0>(state_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Failure& failure() const { return std::get<1>(state_); }

 private:
  std::variant<T, Failure> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Failure failure) : failure_(std::move(failure)) {}

  bool ok() const { return !failure_; }
  explicit operator bool() const { return ok(); }
  const Failure& failure() const { return *failure_; }

 private:
  std::optional<Failure> failure_;
};

}  // namespace codebox
