#include <algorithm>
#include <array>
#include <string>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/analysis/built_call.h"
#include "merganser/spark/analysis/expression_check.h"
#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/coercion.h"

namespace merganser {

namespace {

using plan::BoundKind;
using plan::FrameUnit;

/// The name of a window function that is no aggregate, empty for aggregates.
std::string OwnName(const BoundExpression& function) {
  const auto* call = function.As<BoundCall>();
  return call == nullptr ? std::string() : call->function;
}

template <size_t kSize>
bool IsOneOf(const std::string& name, const std::array<const char*, kSize>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::array kRanking = {"row_number",   "rank",  "dense_rank",
                                 "percent_rank", "ntile", "cume_dist"};
constexpr std::array kOffset = {"lag", "lead"};

std::string BoundText(const BoundFrameBound& bound) {
  switch (bound.kind) {
    case BoundKind::kUnboundedPreceding:
      return "UNBOUNDED PRECEDING";
    case BoundKind::kPreceding:
      return GeneratedName(*bound.offset) + " PRECEDING";
    case BoundKind::kCurrentRow:
      return "CURRENT ROW";
    case BoundKind::kFollowing:
      return GeneratedName(*bound.offset) + " FOLLOWING";
    case BoundKind::kUnboundedFollowing:
      return "UNBOUNDED FOLLOWING";
  }
  return {};
}

std::string FrameText(const BoundWindow& window) {
  return std::string(window.unit == FrameUnit::kRows ? "ROWS" : "RANGE") + " BETWEEN " +
         BoundText(window.lower) + " AND " + BoundText(window.upper);
}

/// The whole specification, as `sqlExpr` shows it.
std::string SpecText(const BoundWindow& window) {
  std::string text = "(";
  for (size_t i = 0; i < window.partition_by.size(); ++i) {
    text += (i == 0 ? "PARTITION BY " : ", ") + GeneratedName(*window.partition_by[i]);
  }
  if (!window.partition_by.empty()) text += " ";
  for (size_t i = 0; i < window.order_by.size(); ++i) {
    const BoundSortOrder& order = window.order_by[i];
    text += (i == 0 ? "ORDER BY " : ", ") + GeneratedName(*order.child) +
            (order.ascending ? " ASC" : " DESC") +
            (order.nulls_first ? " NULLS FIRST" : " NULLS LAST");
  }
  if (!window.order_by.empty()) text += " ";
  return text + FrameText(window) + ")";
}

bool HasOffset(const BoundFrameBound& bound) { return bound.offset != nullptr; }

/// May `order BY order RANGE offset PRECEDING` stand as it is?
bool IsRangeOffset(const DataType& order, const DataType& offset) {
  switch (order.id()) {
    case TypeId::kDate:
      return offset.is(TypeId::kInteger) || offset.is_interval();
    case TypeId::kTimestamp:
    case TypeId::kTimestampNtz:
      return offset.is_interval();
    default:
      return order.SameType(offset);
  }
}

}  // namespace

Result<plan::WindowSpec> Binder::ResolveWindowSpec(const plan::WindowSpec& spec) const {
  if (spec.base.empty()) return spec;
  for (auto frame = named_windows_.rbegin(); frame != named_windows_.rend(); ++frame) {
    for (const auto& [name, definition] : **frame) {
      if (!SameName(name, spec.base, case_sensitive())) continue;
      if (!definition.base.empty() && SameName(definition.base, spec.base, case_sensitive())) break;
      return ResolveWindowSpec(definition);
    }
  }
  return Error(ErrorClass::MISSING_WINDOW_SPECIFICATION,
               {{"windowName", spec.base}, {"docroot", "https://spark.apache.org/docs/latest"}});
}

Result<BoundExpressionPtr> Binder::BindNode(const plan::Window& window,
                                            const plan::Expression& expression,
                                            ExpressionScope& scope) {
  const plan::Origin origin = expression.origin;
  MERGANSER_ASSIGN_OR_RETURN(const plan::WindowSpec spec, ResolveWindowSpec(window.spec));
  const auto* call = window.function->As<plan::Call>();
  BoundWindow bound;
  if (call != nullptr) {
    // An aggregate function over a window may itself take aggregates of the query: `sum(sum(a))
    // OVER ()`.
    MERGANSER_ASSIGN_OR_RETURN(bound.function, BindCall(*call, origin, scope, true));
  } else {
    MERGANSER_ASSIGN_OR_RETURN(bound.function, BindExpression(window.function, scope));
  }
  const std::string name = OwnName(*bound.function);
  const bool aggregate = bound.function->As<BoundAggregate>() != nullptr;
  if (!aggregate && FindFunction(name) != FunctionKind::kWindow) {
    return At(Error(ErrorClass::UNSUPPORTED_EXPR_FOR_WINDOW,
                    {{"sqlExpr", QuotedExpression(*bound.function)}}),
              origin);
  }
  for (const plan::ExpressionPtr& key : spec.partition_by) {
    MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr child, BindExpression(key, scope));
    if (!IsOrderable(child->type)) {
      return At(Error(ErrorClass::EXPRESSION_TYPE_IS_NOT_ORDERABLE,
                      {{"expr", QuotedExpression(*child)}, {"exprType", QuotedType(child->type)}}),
                origin);
    }
    bound.partition_by.push_back(std::move(child));
  }
  MERGANSER_ASSIGN_OR_RETURN(bound.order_by, BindSortOrders(spec.order_by, scope));

  if (aggregate || name == "nth_value") {
    if (spec.frame) {
      MERGANSER_RETURN_IF_ERROR(BindFrame(*spec.frame, &bound, scope, origin));
    } else if (bound.order_by.empty()) {
      bound.unit = FrameUnit::kRows;
      bound.upper.kind = BoundKind::kUnboundedFollowing;
    } else {
      bound.upper.kind = BoundKind::kCurrentRow;
    }
  } else if (IsOneOf(name, kOffset)) {
    if (spec.frame) return Error(ErrorClass::_LEGACY_ERROR_TEMP_1035, {{"prettyName", name}});
  } else {
    bound.unit = name == "cume_dist" ? FrameUnit::kRange : FrameUnit::kRows;
    bound.upper.kind = BoundKind::kCurrentRow;
    if (spec.frame) {
      BoundWindow given = bound;
      MERGANSER_RETURN_IF_ERROR(BindFrame(*spec.frame, &given, scope, origin));
      if (given.unit != bound.unit || given.lower.kind != bound.lower.kind ||
          given.upper.kind != bound.upper.kind) {
        return Error(ErrorClass::_LEGACY_ERROR_TEMP_1036,
                     {{"wf", FrameText(given)}, {"required", FrameText(bound)}});
      }
    }
  }
  if (!aggregate && bound.order_by.empty() &&
      (IsOneOf(name, kRanking) || IsOneOf(name, kOffset) || name == "nth_value")) {
    return Error(ErrorClass::WINDOW_FUNCTION_FRAME_NOT_ORDERED,
                 {{"wf_name", name}, {"wf_expr", PrintSql(*bound.function)}});
  }
  const auto* function = bound.function->As<BoundAggregate>();
  const bool distinct = function != nullptr && function->distinct;
  const DataType type = bound.function->type;
  // A frame may be empty, then there is nothing to aggregate.
  const bool nullable = bound.function->nullable;
  BoundExpressionPtr result = MakeBound(std::move(bound), type, nullable, origin);
  if (distinct) {
    return At(Error(ErrorClass::DISTINCT_WINDOW_FUNCTION_UNSUPPORTED,
                    {{"windowExpr", QuotedExpression(*result)}}),
              origin);
  }
  return result;
}

Status Binder::BindFrame(const plan::WindowFrame& frame, BoundWindow* window,
                         ExpressionScope& scope, const plan::Origin& origin) {
  window->unit = frame.unit;
  const auto bind = [&](const plan::FrameBound& bound, BoundFrameBound* result) -> Status {
    result->kind = bound.kind;
    if (bound.offset == nullptr) return Status::Ok();
    MERGANSER_ASSIGN_OR_RETURN(result->offset, BindExpression(bound.offset, scope));
    std::vector<ColumnId> columns;
    CollectColumns(*result->offset, columns);
    if (!columns.empty() || !IsDeterministic(*result->offset) ||
        ContainsSubquery(*result->offset)) {
      return At(Error(ErrorClass::_LEGACY_ERROR_TEMP_0064,
                      {{"msg", "Frame bound value must be a literal."}}),
                bound.offset->origin);
    }
    // A range is measured in the type of the ORDER BY value; a bound that needs a cast for it
    // prints as the negative number that it then is.
    if (frame.unit == FrameUnit::kRange && window->order_by.size() == 1) {
      const DataType& order = window->order_by[0].child->type;
      const DataType& offset = result->offset->type;
      const bool temporal = order.is(TypeId::kDate) || order.is(TypeId::kTimestamp) ||
                            order.is(TypeId::kTimestampNtz);
      if (!temporal && !offset.SameType(order) && CanCast(offset, order, typing_)) {
        if (bound.kind == BoundKind::kPreceding) {
          MERGANSER_ASSIGN_OR_RETURN(
              result->offset,
              BuiltCall("negative", {result->offset}, typing_, true, result->offset->origin));
          result->kind = BoundKind::kFollowing;
        }
        result->offset = ImplicitCast(result->offset, order, typing_);
      }
    }
    return Status::Ok();
  };
  MERGANSER_RETURN_IF_ERROR(bind(frame.lower, &window->lower));
  MERGANSER_RETURN_IF_ERROR(bind(frame.upper, &window->upper));
  return CheckFrame(*window, origin);
}

Status Binder::CheckFrame(const BoundWindow& window, const plan::Origin& origin) const {
  const auto mismatch = [&](std::string sub_class, const std::string& text,
                            Error::Parameters more = {}) {
    more["sqlExpr"] = "\"" + text + "\"";
    return At(Error(ErrorClass::DATATYPE_MISMATCH, std::move(more), std::move(sub_class)), origin);
  };
  const BoundFrameBound& lower = window.lower;
  const BoundFrameBound& upper = window.upper;
  if (window.unit == FrameUnit::kRange && (HasOffset(lower) || HasOffset(upper))) {
    if (window.order_by.empty()) return mismatch("RANGE_FRAME_WITHOUT_ORDER", SpecText(window));
    if (window.order_by.size() > 1) {
      std::string orders;
      for (const BoundSortOrder& order : window.order_by) {
        orders += (orders.empty() ? "" : ",") + GeneratedName(*order.child) +
                  (order.ascending ? " ASC" : " DESC") +
                  (order.nulls_first ? " NULLS FIRST" : " NULLS LAST");
      }
      return mismatch("RANGE_FRAME_MULTI_ORDER", SpecText(window), {{"orderSpec", orders}});
    }
  }
  for (const bool is_lower : {true, false}) {
    const BoundFrameBound& bound = is_lower ? lower : upper;
    if (!HasOffset(bound)) continue;
    const DataType& type = bound.offset->type;
    const bool fits = window.unit == FrameUnit::kRows ? type.is(TypeId::kInteger)
                                                      : type.is_numeric() || type.is_interval();
    if (fits) continue;
    return mismatch(
        "SPECIFIED_WINDOW_FRAME_UNACCEPTED_TYPE", FrameText(window),
        {{"location", is_lower ? "lower" : "upper"},
         {"exprType", QuotedType(type)},
         {"expectedType",
          window.unit == FrameUnit::kRows
              ? "\"INT\""
              : "(\"NUMERIC\" or \"INTERVAL DAY TO SECOND\" or \"INTERVAL YEAR TO MONTH\" "
                "or \"INTERVAL\")"}});
  }
  if (lower.kind == BoundKind::kUnboundedFollowing ||
      upper.kind == BoundKind::kUnboundedPreceding) {
    return mismatch(
        "SPECIFIED_WINDOW_FRAME_INVALID_BOUND", FrameText(window),
        {{"lower", "\"" + BoundText(lower) + "\""}, {"upper", "\"" + BoundText(upper) + "\""}});
  }
  if (HasOffset(lower) && HasOffset(upper)) {
    if (!lower.offset->type.SameType(upper.offset->type)) {
      return mismatch("SPECIFIED_WINDOW_FRAME_DIFF_TYPES", FrameText(window),
                      {{"lower", QuotedExpression(*lower.offset)},
                       {"upper", QuotedExpression(*upper.offset)},
                       {"lowerType", QuotedType(lower.offset->type)},
                       {"upperType", QuotedType(upper.offset->type)}});
    }
    const auto signed_offset = [](const BoundFrameBound& bound) -> std::optional<int64_t> {
      const std::optional<plan::Literal> value = FoldLiteral(*bound.offset);
      const auto* number = value ? std::get_if<int64_t>(&value->value) : nullptr;
      if (number == nullptr) return std::nullopt;
      return bound.kind == BoundKind::kPreceding ? -*number : *number;
    };
    const std::optional<int64_t> from = signed_offset(lower);
    const std::optional<int64_t> to = signed_offset(upper);
    if (from && to && *from > *to) {
      return mismatch("SPECIFIED_WINDOW_FRAME_WRONG_COMPARISON", FrameText(window),
                      {{"comparison", "less than or equal"}});
    }
  }
  return CheckRangeFrame(window, origin);
}

Status Binder::CheckRangeFrame(const BoundWindow& window, const plan::Origin& origin) const {
  if (window.unit != FrameUnit::kRange || window.order_by.size() != 1) return Status::Ok();
  const DataType& order = window.order_by[0].child->type;
  for (const BoundFrameBound* bound : {&window.lower, &window.upper}) {
    if (!HasOffset(*bound) || IsRangeOffset(order, bound->offset->type)) continue;
    return At(Error(ErrorClass::DATATYPE_MISMATCH,
                    {{"sqlExpr", "\"" + SpecText(window) + "\""},
                     {"orderSpecType", QuotedType(order)},
                     {"valueBoundaryType", QuotedType(bound->offset->type)}},
                    "RANGE_FRAME_INVALID_TYPE"),
              origin);
  }
  return Status::Ok();
}

}  // namespace merganser
