#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>

namespace merganser {

/// The number of a commit: 0 creates the table, each commit adds one.
class Version {
 public:
  /// The version before the first, for tables that do not exist yet.
  static constexpr Version None() { return Version(-1); }

  constexpr explicit Version(int64_t value) : value_(value) {}

  constexpr int64_t value() const { return value_; }
  constexpr Version next() const { return Version(value_ + 1); }
  constexpr Version previous() const { return Version(value_ - 1); }
  constexpr bool is_none() const { return value_ < 0; }
  std::string ToString() const { return std::to_string(value_); }

  friend constexpr auto operator<=>(Version, Version) = default;
  /// How many commits lie between the two.
  friend constexpr int64_t operator-(Version left, Version right) {
    return left.value_ - right.value_;
  }
  friend std::ostream& operator<<(std::ostream& out, Version version) {
    return out << version.value_;
  }

 private:
  int64_t value_;
};

}  // namespace merganser

template <>
struct std::hash<merganser::Version> {
  size_t operator()(merganser::Version version) const noexcept {
    return std::hash<int64_t>()(version.value());
  }
};
