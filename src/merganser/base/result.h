#pragma once

#include <cstdlib>
#include <optional>
#include <utility>
#include <variant>

#include "merganser/base/error.h"

namespace merganser {

/// Success, or the Error that prevented it.
class [[nodiscard]] Status {
 public:
  Status() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): `return error;` does.
  Status(Error error) : error_(std::move(error)) {}

  static Status Ok() { return {}; }
  bool ok() const { return !error_.has_value(); }
  /// Requires `!ok()`.
  const Error& error() const& { return *error_; }
  Error&& error() && { return *std::move(error_); }

 private:
  std::optional<Error> error_;
};

/// A value of type T, or the Error that prevented it.
template <typename T>
class [[nodiscard]] Result {
 public:
  // NOLINTBEGIN(google-explicit-constructor): `return value;` and `return error;` both do.
  Result(T value) : value_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : value_(std::in_place_index<1>, std::move(error)) {}
  /// Any type T can be made from (a unique_ptr to a derived class, a string literal).
  template <typename U>
    requires(std::is_convertible_v<U &&, T> && !std::is_same_v<std::remove_cvref_t<U>, T> &&
             !std::is_same_v<std::remove_cvref_t<U>, Error> &&
             !std::is_same_v<std::remove_cvref_t<U>, Result>)
  Result(U&& value) : value_(std::in_place_index<0>, std::forward<U>(value)) {}
  // NOLINTEND(google-explicit-constructor)

  bool ok() const { return value_.index() == 0; }
  /// Requires `ok()`.
  const T& value() const& { return *std::get_if<0>(&value_); }
  T& value() & { return *std::get_if<0>(&value_); }
  T&& value() && { return std::move(*std::get_if<0>(&value_)); }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return std::get_if<0>(&value_); }
  T* operator->() { return std::get_if<0>(&value_); }
  /// Requires `!ok()`.
  const Error& error() const& { return *std::get_if<1>(&value_); }
  Error&& error() && { return std::move(*std::get_if<1>(&value_)); }

 private:
  std::variant<T, Error> value_;
};

}  // namespace merganser

#define MERGANSER_CONCAT_INNER(a, b) a##b
#define MERGANSER_CONCAT(a, b) MERGANSER_CONCAT_INNER(a, b)

/// Return the error of `expr` (a Status or Result) from the enclosing function, if it has one.
#define MERGANSER_RETURN_IF_ERROR(expr)                                     \
  do {                                                                      \
    auto merganser_status = (expr);                                         \
    if (!merganser_status.ok()) return std::move(merganser_status).error(); \
  } while (false)

/// `lhs = value of rexpr`, or return its error from the enclosing function.
#define MERGANSER_ASSIGN_OR_RETURN(lhs, rexpr) \
  MERGANSER_ASSIGN_OR_RETURN_INNER(MERGANSER_CONCAT(merganser_result_, __LINE__), lhs, rexpr)
#define MERGANSER_ASSIGN_OR_RETURN_INNER(result, lhs, rexpr) \
  auto result = (rexpr);                                     \
  if (!result.ok()) return std::move(result).error();        \
  lhs = std::move(result).value()
