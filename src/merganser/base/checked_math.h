#pragma once

#include <concepts>
#include <limits>
#include <optional>

namespace merganser {

/// Sum, difference and product, or nothing where the exact result does not fit T.
template <std::integral T>
constexpr std::optional<T> CheckedAdd(T left, T right) {
  T out;
  if (__builtin_add_overflow(left, right, &out)) return std::nullopt;
  return out;
}

template <std::integral T>
constexpr std::optional<T> CheckedSubtract(T left, T right) {
  T out;
  if (__builtin_sub_overflow(left, right, &out)) return std::nullopt;
  return out;
}

template <std::integral T>
constexpr std::optional<T> CheckedMultiply(T left, T right) {
  T out;
  if (__builtin_mul_overflow(left, right, &out)) return std::nullopt;
  return out;
}

/// `value` as To, or nothing where To cannot hold it.
template <std::integral To, std::integral From>
constexpr std::optional<To> CheckedCast(From value) {
  To out;
  if (__builtin_add_overflow(value, From{0}, &out)) return std::nullopt;
  return out;
}

/// The sum, held at the nearest end of T where it does not fit.
template <std::signed_integral T>
constexpr T SaturatingAdd(T left, T right) {
  if (const auto sum = CheckedAdd(left, right)) return *sum;
  return right < 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
}

}  // namespace merganser
