#include "merganser/engine/lowering/literal_sql.h"

#include <cmath>

#include <fmt/format.h>

#include "merganser/base/time_units.h"
#include "merganser/delta/schema/calendar_text.h"
#include "merganser/engine/lowering/lowering.h"
#include "merganser/engine/lowering/sql_quoting.h"
#include "merganser/spark/functions/literal_text.h"

namespace merganser {
namespace {

// Years that the engine's own date syntax takes without a suffix.
constexpr int64_t kFirstPlainDay = -719162;  // 0001-01-01
constexpr int64_t kLastPlainDay = 2932896;   // 9999-12-31

std::string DateSql(int64_t days) {
  if (days >= kFirstPlainDay && days <= kLastPlainDay)
    return fmt::format("DATE '{}'", FormatDate(days));
  return fmt::format("CAST(DATE '1970-01-01' + CAST({} AS INTEGER) AS DATE)", days);
}

std::string TimestampSql(int64_t micros, bool instant) {
  if (micros >= kFirstPlainDay * kMicrosPerDay && micros < (kLastPlainDay + 1) * kMicrosPerDay) {
    const std::string text = FormatTimestamp(micros, ' ', FractionDigits::kShortest);
    return instant ? fmt::format("TIMESTAMPTZ '{}+00'", text) : fmt::format("TIMESTAMP '{}'", text);
  }
  return fmt::format("{}(CAST({} AS BIGINT))", instant ? "make_timestamptz" : "make_timestamp",
                     micros);
}

std::string BlobSql(const std::string& bytes) {
  std::string hex;
  for (const unsigned char byte : bytes) hex += fmt::format("{:02X}", byte);
  return fmt::format("from_hex('{}')", hex);
}

std::string NumberSql(const plan::Literal& literal, const std::string& type) {
  if (const auto* integer = std::get_if<int64_t>(&literal.value)) {
    // The engine reads -9223372036854775808 as a negated HUGEINT; the cast brings it back.
    return fmt::format("CAST({} AS {})", *integer, type);
  }
  if (const auto* decimal = std::get_if<plan::DecimalValue>(&literal.value)) {
    return fmt::format("CAST('{}' AS {})", DecimalText(decimal->unscaled, literal.type.scale()),
                       type);
  }
  const double value = std::get<double>(literal.value);
  if (!std::isfinite(value)) {
    return fmt::format("CAST('{}' AS {})",
                       std::isnan(value) ? "NaN" : (value > 0 ? "Infinity" : "-Infinity"), type);
  }
  return fmt::format("CAST('{}' AS {})", value, type);
}

}  // namespace

std::string LiteralSqlText(const plan::Literal& literal) {
  const std::string type = EngineType(literal.type);
  if (literal.is_null()) return CastSql("NULL", type);
  switch (literal.type.id()) {
    case TypeId::kBoolean:
      return std::get<bool>(literal.value) ? "true" : "false";
    case TypeId::kString:
    case TypeId::kChar:
    case TypeId::kVarchar:
    case TypeId::kVariant:
      return CastSql(QuoteText(std::get<std::string>(literal.value)), type);
    case TypeId::kBinary:
      return BlobSql(std::get<std::string>(literal.value));
    case TypeId::kDate:
      return DateSql(std::get<int64_t>(literal.value));
    case TypeId::kTimestamp:
      return TimestampSql(std::get<int64_t>(literal.value), true);
    case TypeId::kTimestampNtz:
      return TimestampSql(std::get<int64_t>(literal.value), false);
    default:
      return NumberSql(literal, type);
  }
}

}  // namespace merganser
