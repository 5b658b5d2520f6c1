#include "merganser/spark/analysis/file_predicates.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "merganser/spark/functions/resolve.h"

namespace merganser {
namespace {

/// A column of the table, seen through casts that keep the order of its values.
struct ColumnSide {
  std::vector<std::string> path;
  DataType type;
};

bool IsWideningCast(const DataType& from, const DataType& to) {
  return from.is_integral() && to.is_integral() && from.id() <= to.id();
}

std::optional<ColumnSide> AsColumn(const BoundExpression& expression, const ColumnNames& names) {
  if (const auto* reference = expression.As<BoundColumnRef>()) {
    std::vector<std::string> path = names(reference->id);
    if (path.empty()) return std::nullopt;
    return ColumnSide{std::move(path), expression.type};
  }
  if (const auto* field = expression.As<BoundField>()) {
    auto parent = AsColumn(*field->child, names);
    if (!parent) return std::nullopt;
    parent->path.push_back(field->name);
    parent->type = expression.type;
    return parent;
  }
  if (const auto* cast = expression.As<BoundCast>();
      cast && IsWideningCast(cast->child->type, expression.type)) {
    return AsColumn(*cast->child, names);
  }
  return std::nullopt;
}

std::optional<PredicateOperator> OperatorOf(std::string_view symbol) {
  if (symbol == "=") return PredicateOperator::kEqual;
  if (symbol == "<>") return PredicateOperator::kNotEqual;
  if (symbol == "<") return PredicateOperator::kLess;
  if (symbol == "<=") return PredicateOperator::kLessOrEqual;
  if (symbol == ">") return PredicateOperator::kGreater;
  if (symbol == ">=") return PredicateOperator::kGreaterOrEqual;
  if (symbol == "<=>") return PredicateOperator::kNullSafeEqual;
  return std::nullopt;
}

PredicateOperator Mirrored(PredicateOperator op) {
  switch (op) {
    case PredicateOperator::kLess:
      return PredicateOperator::kGreater;
    case PredicateOperator::kLessOrEqual:
      return PredicateOperator::kGreaterOrEqual;
    case PredicateOperator::kGreater:
      return PredicateOperator::kLess;
    case PredicateOperator::kGreaterOrEqual:
      return PredicateOperator::kLessOrEqual;
    default:
      return op;
  }
}

std::optional<ColumnPredicate> Comparison(const BoundCall& call, const ColumnNames& names) {
  const auto op = OperatorOf(call.function);
  if (!op || call.arguments.size() != 2) return std::nullopt;
  for (const bool mirrored : {false, true}) {
    const auto column = AsColumn(*call.arguments[mirrored ? 1 : 0], names);
    if (!column) continue;
    const auto literal = FoldLiteral(*call.arguments[mirrored ? 0 : 1]);
    if (!literal || (literal->is_null() && op != PredicateOperator::kNullSafeEqual)) continue;
    if (literal->is_null()) return ColumnPredicate{column->path, PredicateOperator::kIsNull, {}};
    auto value = ToScalar(*literal, column->type);
    if (!value) continue;
    return ColumnPredicate{column->path, mirrored ? Mirrored(*op) : *op, {*std::move(value)}};
  }
  return std::nullopt;
}

std::optional<ColumnPredicate> Membership(const BoundCall& call, const ColumnNames& names) {
  const auto column = AsColumn(*call.arguments[0], names);
  if (!column) return std::nullopt;
  ColumnPredicate predicate{column->path, PredicateOperator::kIn, {}};
  for (size_t i = 1; i < call.arguments.size(); ++i) {
    const auto literal = FoldLiteral(*call.arguments[i]);
    if (!literal) return std::nullopt;
    if (literal->is_null()) continue;
    auto value = ToScalar(*literal, column->type);
    if (!value) return std::nullopt;
    predicate.values.push_back(*std::move(value));
  }
  std::ranges::sort(predicate.values,
                    [](const Scalar& a, const Scalar& b) { return Compare(a, b) < 0; });
  return predicate;
}

std::optional<ColumnPredicate> AsPredicate(const BoundExpression& condition,
                                           const ColumnNames& names) {
  const auto* call = condition.As<BoundCall>();
  if (call == nullptr || call->arguments.empty()) return std::nullopt;
  if (call->function == "in") return Membership(*call, names);
  if (call->function == "isnull" || call->function == "isnotnull") {
    const auto column = AsColumn(*call->arguments[0], names);
    if (!column) return std::nullopt;
    return ColumnPredicate{
        column->path,
        call->function == "isnull" ? PredicateOperator::kIsNull : PredicateOperator::kIsNotNull,
        {}};
  }
  return Comparison(*call, names);
}

bool FitsInteger(int64_t value, const DataType& type) {
  switch (type.id()) {
    case TypeId::kByte:
      return value >= std::numeric_limits<int8_t>::min() &&
             value <= std::numeric_limits<int8_t>::max();
    case TypeId::kShort:
      return value >= std::numeric_limits<int16_t>::min() &&
             value <= std::numeric_limits<int16_t>::max();
    case TypeId::kInteger:
      return value >= std::numeric_limits<int32_t>::min() &&
             value <= std::numeric_limits<int32_t>::max();
    default:
      return type.is(TypeId::kLong);
  }
}

}  // namespace

std::vector<BoundExpressionPtr> SplitConjuncts(const BoundExpressionPtr& condition) {
  std::vector<BoundExpressionPtr> conjuncts;
  if (condition == nullptr) return conjuncts;
  const auto* call = condition->As<BoundCall>();
  if (call == nullptr || call->function != "and") return {condition};
  for (const BoundExpressionPtr& argument : call->arguments) {
    auto parts = SplitConjuncts(argument);
    conjuncts.insert(conjuncts.end(), parts.begin(), parts.end());
  }
  return conjuncts;
}

std::optional<Scalar> ToScalar(const plan::Literal& literal, const DataType& type) {
  if (const auto* number = std::get_if<int64_t>(&literal.value)) {
    if (literal.type.is_integral() && type.is_integral()) {
      if (!FitsInteger(*number, type)) return std::nullopt;
      return Scalar::Integral(type, *number);
    }
    if (literal.type.SameType(type)) return Scalar::Integral(type, *number);
    return std::nullopt;
  }
  if (!literal.type.SameType(type) && !(literal.type.is_string() && type.is_string()))
    return std::nullopt;
  if (const auto* flag = std::get_if<bool>(&literal.value)) return Scalar::Boolean(*flag);
  if (const auto* number = std::get_if<double>(&literal.value)) {
    return type.is(TypeId::kFloat) ? Scalar::Float(static_cast<float>(*number))
                                   : Scalar::Double(*number);
  }
  if (const auto* decimal = std::get_if<plan::DecimalValue>(&literal.value)) {
    return Scalar::Decimal(type, decimal->unscaled);
  }
  if (const auto* text = std::get_if<std::string>(&literal.value)) {
    return type.is(TypeId::kBinary) ? Scalar::Binary(*text) : Scalar::String(*text);
  }
  return std::nullopt;
}

FilePredicate ToFilePredicate(const std::vector<BoundExpressionPtr>& conjuncts,
                              const ColumnNames& names) {
  FilePredicate predicate;
  for (const BoundExpressionPtr& conjunct : conjuncts) {
    if (auto part = AsPredicate(*conjunct, names)) predicate.conjuncts.push_back(*std::move(part));
  }
  return predicate;
}

}  // namespace merganser
