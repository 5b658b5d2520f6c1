#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <duckdb.hpp>

#include "merganser/base/result.h"
#include "merganser/delta/schema/data_type.h"
#include "merganser/engine/functions/decimal_math.h"
#include "merganser/engine/functions/json_tape.h"
#include "merganser/engine/functions/number_text.h"
#include "merganser/engine/functions/time_zone.h"

/// VARIANT values, carried as JSON text: members sorted by name, decimals with their scale.
namespace merganser::engine {

/// The variant of a document's value: members sorted, numbers in the form of their variant type
/// (whole numbers and decimals of up to 38 digits exactly, others as doubles). nullopt if a member
/// is repeated.
std::optional<std::string> NormalizeVariant(const JsonTape& tape, uint32_t node);

/// A variant value as to_json and casts to STRING show it: decimals without trailing zeros.
void AppendVariantJson(const JsonTape& tape, uint32_t node, std::string* out);

/// Set a row of `out` to a value of a variant, converted as CAST does. False if it cannot be, and
/// then the row is NULL.
bool WriteVariantValue(const DataType& type, const JsonTape& tape, uint32_t node,
                       const TimeZone& zone, duckdb::Vector& out, duckdb::idx_t row);

/// Append the variant of a cell (CAST ... AS VARIANT, to_variant_object).
void AppendCellVariant(const DataType& type, const duckdb::RecursiveUnifiedVectorFormat& column,
                       duckdb::idx_t row, const TimeZone& zone, std::string* out);

/// The number `text` if a variant keeps it exactly: no exponent, at most 38 digits.
std::optional<DecimalText> ExactVariantNumber(std::string_view text);
void StripTrailingZeros(DecimalText* number);

}  // namespace merganser::engine
