#pragma once

#include <string>

#include "merganser/spark/functions/resolve.h"

/// Texts of literals, as Spark's generated names and SQL show them.
namespace merganser {

/// As generated names show a literal: strings as they are, numbers without suffix, `DATE
/// '2024-01-01'`, `X'31'`, `INTERVAL '1' DAY`, `NULL`.
std::string LiteralName(const plan::Literal& literal, const NameFormat& format);

/// As SQL: `'it\'s'`, `1L`, `1.5D`, `1.5BD`, `CAST(NULL AS INT)`.
std::string LiteralSql(const plan::Literal& literal, const NameFormat& format);

/// `unscaled` with `scale` digits after the point; no exponent.
std::string DecimalText(__int128 unscaled, int scale);

}  // namespace merganser
