#include "merganser/engine/lowering/cast_sql.h"

#include <fmt/format.h>

#include "merganser/engine/lowering/call_lowering.h"
#include "merganser/engine/lowering/sql_quoting.h"
#include "merganser/spark/functions/numeric_types.h"

namespace merganser {
namespace {

bool IsUtc(const std::string& zone) { return zone == "UTC" || zone == "Etc/UTC" || zone == "Z"; }

/// Values that both have the same engine type and mean the same: strings, and nested types that
/// differ in nullability.
bool IsSameValue(const DataType& from, const DataType& to) {
  if (from.SameType(to)) return true;
  return from.is_string() && to.is(TypeId::kString);
}

/// True if the engine's CAST gives what Spark gives, for every value.
bool CastsAlike(const DataType& from, const DataType& to, bool utc) {
  if (from.is_integral()) {
    if (to.is_integral()) return from.id() < to.id();
    if (to.is(TypeId::kDecimal)) return DecimalHolds(to, from);
    return to.is_floating() || to.is(TypeId::kString);
  }
  switch (from.id()) {
    case TypeId::kNull:
      return true;
    case TypeId::kBoolean:
      return to.is_integral() || to.is(TypeId::kString);
    case TypeId::kFloat:
      return to.is(TypeId::kDouble);
    case TypeId::kDecimal:
      return to.is(TypeId::kDecimal) && DecimalHolds(to, from);
    case TypeId::kDate:
      return to.is(TypeId::kTimestampNtz) || (to.is(TypeId::kTimestamp) && utc);
    case TypeId::kTimestamp:
      return utc && (to.is(TypeId::kDate) || to.is(TypeId::kTimestampNtz));
    case TypeId::kTimestampNtz:
      return to.is(TypeId::kDate) || (to.is(TypeId::kTimestamp) && utc);
    default:
      return false;
  }
}

std::string ModeOf(CastMode mode) {
  switch (mode) {
    case CastMode::kAnsi:
      return "'ansi'";
    case CastMode::kTry:
      return "'try'";
    case CastMode::kLegacy:
      return "'legacy'";
  }
  return "'ansi'";
}

}  // namespace

std::string CastToSparkType(const std::string& value, const BoundCast& cast,
                            const BoundExpression& expression, const std::string& error_context,
                            const LoweringContext& context) {
  const DataType& from = cast.child->type;
  const DataType& to = expression.type;
  if (IsSameValue(from, to)) return value;
  if (CastsAlike(from, to, IsUtc(context.session_time_zone))) return CastSql(value, EngineType(to));
  if (from.is_string() && to.is(TypeId::kBinary)) return fmt::format("encode({})", value);
  return fmt::format("mg_cast({}, {}, {}, {}, {}, {})", value, QuoteText(from.SqlString()),
                     QuoteText(to.SqlString()), ModeOf(cast.mode),
                     QuoteText(context.session_time_zone), error_context);
}

}  // namespace merganser
