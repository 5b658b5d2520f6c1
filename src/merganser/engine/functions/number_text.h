#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace merganser::engine {

/// `text` without leading and trailing whitespace and control characters (UTF8String.trimAll).
std::string_view TrimAll(std::string_view text);

/// `text` without leading and trailing characters up to U+0020 (Java's String.trim).
std::string_view TrimJava(std::string_view text);

/// Read a whole number as Spark's casts do: blanks around, a sign, digits. `allow_fraction` accepts
/// and drops a fraction ("1.5", ".", "2."), which only the legacy mode does. nullopt if malformed
/// or out of the range of T. T is int8_t to int64_t.
template <typename T>
std::optional<T> ParseInteger(std::string_view text, bool allow_fraction);

/// Read a double or float as Java's parseDouble, and Spark's special literals (inf, nan) in any
/// case.
template <typename T>
std::optional<T> ParseFloating(std::string_view text);

/// Read a boolean: t, true, y, yes, 1 and their opposites, in any case, blanks around.
std::optional<bool> ParseBoolean(std::string_view text);

/// Appends the decimal digits of `value`.
void AppendInteger(int64_t value, std::string* out);
/// Appends `value` with at least `width` digits, zero padded. Requires value >= 0.
void AppendPadded(int64_t value, int width, std::string* out);

}  // namespace merganser::engine
