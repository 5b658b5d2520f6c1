#include "merganser/engine/lowering/window_lowering.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "merganser/engine/lowering/sql_quoting.h"

namespace merganser {
namespace {

using plan::BoundKind;

constexpr std::string_view kRankings[] = {"cume_dist",    "dense_rank", "ntile",
                                          "percent_rank", "rank",       "row_number"};
constexpr std::string_view kOffsets[] = {"lag", "lead"};

bool Contains(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Does the constant `offset` count backwards? Its sign is read where it is written: in a literal
/// or in the negations around it.
bool IsNegative(const BoundExpression& offset) {
  if (const auto* literal = offset.As<plan::Literal>()) {
    if (const auto* integer = std::get_if<int64_t>(&literal->value)) return *integer < 0;
    if (const auto* number = std::get_if<double>(&literal->value)) return *number < 0;
    const auto* decimal = std::get_if<plan::DecimalValue>(&literal->value);
    return decimal != nullptr && decimal->unscaled < 0;
  }
  if (const auto* cast = offset.As<BoundCast>()) return IsNegative(*cast->child);
  const auto* call = offset.As<BoundCall>();
  if (call == nullptr) return false;
  if (call->replacement) return IsNegative(*call->replacement);
  if (call->function == "negative") return !IsNegative(*call->arguments[0]);
  return call->function == "positive" && IsNegative(*call->arguments[0]);
}

/// The side of the current row that a bound is on: the engine takes no negative offsets.
BoundKind SideOf(const BoundFrameBound& bound) {
  if (bound.offset == nullptr || !IsNegative(*bound.offset)) return bound.kind;
  return bound.kind == BoundKind::kPreceding ? BoundKind::kFollowing : BoundKind::kPreceding;
}

/// The offset `sql` of a RANGE bound as what the engine adds to the ORDER BY key: days and months
/// to dates, microseconds and months to timestamps, a number of the key's own type to numbers.
std::string RangeOffset(const std::string& sql, const DataType& type, const DataType& key) {
  const bool moment =
      key.is(TypeId::kDate) || key.is(TypeId::kTimestamp) || key.is(TypeId::kTimestampNtz);
  if (!moment) return type.SameType(key) ? sql : CastSql(sql, EngineType(key));
  if (type.is(TypeId::kYearMonthInterval)) return fmt::format("to_months({})", sql);
  if (type.is(TypeId::kDayTimeInterval)) return fmt::format("to_microseconds({})", sql);
  if (type.is(TypeId::kCalendarInterval)) return sql;
  return fmt::format("to_days(CAST({} AS INTEGER))", sql);
}

/// `other`: the frame's other bound. Beside an offset on the wrong side of it the current row is
/// an offset of zero: the engine knows that such a frame is empty only if both are offsets.
Result<std::string> LowerBound(const BoundFrameBound& bound, const BoundFrameBound& other,
                               const BoundWindow& window, ExpressionLowering& lowering) {
  const bool is_lower = &bound == &window.lower;
  const BoundKind wrong_side = is_lower ? BoundKind::kPreceding : BoundKind::kFollowing;
  BoundKind side = SideOf(bound);
  std::string offset;
  DataType type = DataType::Integer();
  switch (side) {
    case BoundKind::kUnboundedPreceding:
      return "UNBOUNDED PRECEDING";
    case BoundKind::kUnboundedFollowing:
      return "UNBOUNDED FOLLOWING";
    case BoundKind::kCurrentRow:
      if (other.offset == nullptr || SideOf(other) != wrong_side) return "CURRENT ROW";
      side = wrong_side;
      offset = "0";
      break;
    case BoundKind::kPreceding:
    case BoundKind::kFollowing: {
      MERGANSER_ASSIGN_OR_RETURN(offset, lowering.Lower(*bound.offset));
      if (side != bound.kind) offset = "(- " + offset + ")";
      type = bound.offset->type;
      break;
    }
  }
  if (window.unit == plan::FrameUnit::kRange && !window.order_by.empty())
    offset = RangeOffset(offset, type, window.order_by[0].child->type);
  return offset + (side == BoundKind::kPreceding ? " PRECEDING" : " FOLLOWING");
}

Result<std::string> LowerOver(const BoundWindow& window, bool with_frame,
                              ExpressionLowering& lowering) {
  std::string sql;
  if (!window.partition_by.empty()) {
    MERGANSER_ASSIGN_OR_RETURN(const auto keys, lowering.LowerAll(window.partition_by));
    sql += fmt::format("PARTITION BY {}", fmt::join(keys, ", "));
  }
  if (!window.order_by.empty()) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string orders,
                               LowerSortOrders(window.order_by, lowering));
    sql += fmt::format("{}ORDER BY {}", sql.empty() ? "" : " ", orders);
  }
  if (with_frame) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string lower,
                               LowerBound(window.lower, window.upper, window, lowering));
    MERGANSER_ASSIGN_OR_RETURN(const std::string upper,
                               LowerBound(window.upper, window.lower, window, lowering));
    sql += fmt::format("{}{} BETWEEN {} AND {}", sql.empty() ? "" : " ",
                       window.unit == plan::FrameUnit::kRows ? "ROWS" : "RANGE", lower, upper);
  }
  return fmt::format("OVER ({})", sql);
}

/// A fourth argument of lag and lead, and a third one of nth_value, says IGNORE NULLS.
Result<std::string> LowerOffsetFunction(const BoundCall& call, size_t arguments,
                                        ExpressionLowering& lowering) {
  std::vector<BoundExpressionPtr> values(
      call.arguments.begin(), call.arguments.begin() + static_cast<std::ptrdiff_t>(arguments));
  MERGANSER_ASSIGN_OR_RETURN(const auto sql, lowering.LowerAll(values));
  return fmt::format("{}({}{})", call.function, fmt::join(sql, ", "),
                     call.arguments.size() > arguments ? " IGNORE NULLS" : "");
}

}  // namespace

bool HasWindowLowering(std::string_view name) {
  return Contains(kRankings, name) || Contains(kOffsets, name) || name == "nth_value";
}

Result<std::string> LowerWindow(const BoundWindow& window, const BoundExpression& expression,
                                ExpressionLowering& lowering) {
  if (const auto* aggregate = window.function->As<BoundAggregate>()) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string over, LowerOver(window, true, lowering));
    return lowering.LowerAggregate(*aggregate, *window.function, over);
  }
  const auto* call = window.function->As<BoundCall>();
  if (call == nullptr || !HasWindowLowering(call->function)) {
    return Error::Internal("a window over something that is no window function");
  }
  std::string function;
  if (Contains(kOffsets, call->function)) {
    MERGANSER_ASSIGN_OR_RETURN(function, LowerOffsetFunction(*call, 3, lowering));
  } else if (call->function == "nth_value") {
    MERGANSER_ASSIGN_OR_RETURN(function, LowerOffsetFunction(*call, 2, lowering));
  } else {
    MERGANSER_ASSIGN_OR_RETURN(const auto arguments, lowering.LowerAll(call->arguments));
    function = fmt::format("{}({})", call->function, fmt::join(arguments, ", "));
  }
  MERGANSER_ASSIGN_OR_RETURN(const std::string over,
                             LowerOver(window, call->function == "nth_value", lowering));
  return CastSql(function + " " + over, EngineType(expression.type));
}

}  // namespace merganser
