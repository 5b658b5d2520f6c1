#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "merganser/delta/schema/scalar.h"

namespace merganser::engine {

/// A whole number and the bytes of its type, which hexadecimal and octal forms of negatives show.
struct FormatInteger {
  int64_t value;
  int bytes;
};
/// An exact decimal.
struct FormatDecimal {
  Int128 unscaled;
  int scale;
};
/// An argument of a format; monostate is NULL, `std::string` any other type's text.
using FormatArgument =
    std::variant<std::monostate, bool, FormatInteger, double, FormatDecimal, std::string>;

/// What Java's String.format(Locale.US, format, arguments) gives; nullopt where that throws.
std::optional<std::string> JavaFormat(std::string_view format,
                                      const std::vector<FormatArgument>& arguments);

}  // namespace merganser::engine
