#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "merganser/delta/schema/data_type.h"
#include "merganser/delta/schema/scalar.h"

/// How Spark shows types and values in the parameters of its errors.
namespace merganser::engine {

inline constexpr const char* kAnsiConfig = "\"spark.sql.ansi.enabled\"";

/// "\"INT\"".
std::string QuotedType(const DataType& type);
/// "`name`".
std::string QuotedId(std::string_view name);
/// "'it\\'s'".
std::string QuotedValue(std::string_view text);

/// A number as its literal: 1Y, 2S, 3, 4L, 1.5D, 1.50BD; floats and non-numbers plain.
std::string LiteralText(int64_t value, const DataType& type);
std::string LiteralText(double value, const DataType& type);
std::string LiteralText(Int128 unscaled, const DataType& decimal);

/// Bytes as text: sequences that are no UTF-8 become U+FFFD, one for each that Java's decoder
/// gives.
std::string ValidUtf8(std::string_view bytes);
bool IsValidUtf8(std::string_view bytes);

/// Number of code points; `text` is valid UTF-8.
int64_t CountCodePoints(std::string_view text);

}  // namespace merganser::engine
