#include <limits>

#include "merganser/spark/functions/resolve.h"

namespace merganser {
namespace {

bool FitsInteger(const DataType& type, int64_t value) {
  switch (type.id()) {
    case TypeId::kByte:
      return value >= INT8_MIN && value <= INT8_MAX;
    case TypeId::kShort:
      return value >= INT16_MIN && value <= INT16_MAX;
    case TypeId::kInteger:
      return value >= INT32_MIN && value <= INT32_MAX;
    default:
      return type.is(TypeId::kLong);
  }
}

/// `value` times ten to the power of `scale`, if it has no more than `precision` digits.
std::optional<__int128> Rescale(__int128 value, int scale, int precision) {
  __int128 limit = 1;
  for (int i = 0; i < precision; ++i) limit *= 10;
  for (int i = 0; i < scale; ++i) {
    if (value >= limit || value <= -limit) return std::nullopt;
    value *= 10;
  }
  if (value >= limit || value <= -limit) return std::nullopt;
  return value;
}

std::optional<plan::Literal> FoldCast(const plan::Literal& literal, const DataType& type) {
  if (literal.is_null()) return plan::Literal{type, {}};
  if (literal.type.SameType(type)) return plan::Literal{type, literal.value};
  if (literal.type.is_string() && type.is_string()) return plan::Literal{type, literal.value};
  if (literal.type.is_integral()) {
    const int64_t value = std::get<int64_t>(literal.value);
    if (type.is_integral() && FitsInteger(type, value)) return plan::Literal{type, value};
    if (type.is(TypeId::kDouble)) return plan::Literal{type, static_cast<double>(value)};
    if (type.is(TypeId::kDecimal)) {
      const auto unscaled = Rescale(value, type.scale(), type.precision());
      if (unscaled) return plan::Literal{type, plan::DecimalValue{*unscaled}};
    }
  }
  if (literal.type.is(TypeId::kDecimal) && type.is(TypeId::kDecimal) &&
      type.scale() >= literal.type.scale()) {
    const __int128 value = std::get<plan::DecimalValue>(literal.value).unscaled;
    const auto unscaled = Rescale(value, type.scale() - literal.type.scale(), type.precision());
    if (unscaled) return plan::Literal{type, plan::DecimalValue{*unscaled}};
  }
  if (literal.type.is(TypeId::kFloat) && type.is(TypeId::kDouble))
    return plan::Literal{type, literal.value};
  return std::nullopt;
}

std::optional<plan::Literal> FoldNegation(const plan::Literal& literal) {
  if (literal.is_null()) return literal;
  plan::Literal negated = literal;
  if (auto* integer = std::get_if<int64_t>(&negated.value);
      integer != nullptr && literal.type.is_integral()) {
    if (*integer == std::numeric_limits<int64_t>::min() || !FitsInteger(literal.type, -*integer))
      return std::nullopt;
    *integer = -*integer;
    return negated;
  }
  if (auto* decimal = std::get_if<plan::DecimalValue>(&negated.value)) {
    decimal->unscaled = -decimal->unscaled;
    return negated;
  }
  if (auto* number = std::get_if<double>(&negated.value)) {
    *number = -*number;
    return negated;
  }
  return std::nullopt;
}

}  // namespace

std::optional<plan::Literal> FoldLiteral(const BoundExpression& expression) {
  if (const auto* literal = expression.As<plan::Literal>()) return *literal;
  if (const auto* cast = expression.As<BoundCast>()) {
    const auto child = FoldLiteral(*cast->child);
    return child ? FoldCast(*child, expression.type) : std::nullopt;
  }
  const auto* call = expression.As<BoundCall>();
  if (call == nullptr) return std::nullopt;
  if (call->replacement) return FoldLiteral(*call->replacement);
  if (call->function == "alias") return FoldLiteral(*call->arguments[0]);
  if (call->function == "negative" || call->function == "positive") {
    auto child = FoldLiteral(*call->arguments[0]);
    if (!child || call->function == "positive") return child;
    return FoldNegation(*child);
  }
  return std::nullopt;
}

}  // namespace merganser
