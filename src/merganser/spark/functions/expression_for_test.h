#pragma once

#include <string>
#include <utility>
#include <vector>

#include "merganser/spark/functions/resolve.h"

/// Short ways to make bound expressions in tests.
namespace merganser {

inline BoundExpressionPtr IntegerOf(int64_t value, const DataType& type = DataType::Integer()) {
  return MakeBound(plan::Literal{type, value}, type, false);
}

inline BoundExpressionPtr TextOf(std::string value) {
  return MakeBound(plan::Literal{DataType::String(), std::move(value)}, DataType::String(), false);
}

inline BoundExpressionPtr DoubleOf(double value) {
  return MakeBound(plan::Literal{DataType::Double(), value}, DataType::Double(), false);
}

inline BoundExpressionPtr DecimalOf(int64_t unscaled, int precision, int scale) {
  const DataType type = DataType::Decimal(precision, scale);
  return MakeBound(plan::Literal{type, plan::DecimalValue{unscaled}}, type, false);
}

inline BoundExpressionPtr NullOf(const DataType& type = DataType::Null()) {
  return MakeBound(plan::Literal{type, {}}, type, true);
}

inline BoundExpressionPtr ColumnOf(std::string name, DataType type, ColumnId id = 1) {
  return MakeBound(BoundColumnRef{id, std::move(name), {}}, std::move(type), true);
}

/// A call; without lambdas. `ansi` sets the mode.
inline Result<BoundExpressionPtr> CallOf(std::string name,
                                         std::vector<BoundExpressionPtr> arguments,
                                         bool ansi = true, bool is_operator = false) {
  CallRequest request;
  request.name = std::move(name);
  request.lambdas.resize(arguments.size());
  request.arguments = std::move(arguments);
  request.is_operator = is_operator;
  TypingContext context;
  context.ansi = ansi;
  return ResolveCall(request, context, {});
}

/// The type of a call as DESCRIBE prints it, or the class of its error.
inline std::string TypeOfCall(std::string name, std::vector<BoundExpressionPtr> arguments,
                              bool ansi = true) {
  const auto call = CallOf(std::move(name), std::move(arguments), ansi);
  return call.ok() ? (*call)->type.CatalogString() : call.error().full_name();
}

/// The generated name of a call, or the class of its error.
inline std::string NameOfCall(std::string name, std::vector<BoundExpressionPtr> arguments) {
  const auto call = CallOf(std::move(name), std::move(arguments));
  return call.ok() ? GeneratedName(**call) : call.error().full_name();
}

}  // namespace merganser
