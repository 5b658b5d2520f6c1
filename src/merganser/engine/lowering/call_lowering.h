#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/engine/lowering/expression_lowering.h"

/// How calls of built-in functions become SQL: one table a family.
namespace merganser {

/// A call whose arguments are SQL already (lambdas have none).
struct LoweredCall {
  const BoundCall& call;
  const BoundExpression& expression;
  const std::vector<std::string>& arguments;
  ExpressionLowering& lowering;

  const DataType& type() const { return expression.type; }
  const DataType& type(size_t i) const { return call.arguments[i]->type; }
  const BoundLambda& lambda(size_t i) const { return *call.arguments[i]->As<BoundLambda>(); }
  const LoweringContext& context() const { return lowering.context(); }
  std::string error_context() const { return lowering.ErrorContext(expression); }
};

using CallLowerer = Result<std::string> (*)(const LoweredCall& call);

/// `sql` is a pattern:
///   {0} {1} ...     arguments            {*} {1*}    all, or all but the first, comma-separated
///   {mode}          'ansi', 'legacy', or 'try' for functions called try_...
///   {zone}          the session's zone   {context}   query context of errors, as JSON text
///   {type}          the result's engine type     {spark}   its Spark name, quoted     {spark0}
///   that of argument 0 {p} {s}         precision and scale of a decimal result
/// A result is cast to its engine type, as the engine types some results by its own rules (even a
/// list function of a constant NULL). Not cast: functions of ours ("mg_..."), a pattern that starts
/// with "=", and what `lower` gives in parentheses.
struct CallLowering {
  std::string_view name;
  std::string_view sql = {};
  CallLowerer lower = nullptr;
};

/// The lowering of a canonical function name; null if there is none.
const CallLowering* FindCallLowering(std::string_view name);

/// `call` by `lowering`.
Result<std::string> LowerCall(const LoweredCall& call, const CallLowering& lowering);

/// `pattern` filled in for `call`. It holds no text of the call's: that may have braces of its own.
std::string FillCallPattern(std::string_view pattern, const LoweredCall& call);

/// "'ansi'" or "'legacy'".
std::string ModeSql(const LoweringContext& context);

// One table a family.
std::span<const CallLowering> ArithmeticLowerings();
std::span<const CallLowering> PredicateLowerings();
std::span<const CallLowering> MathLowerings();
std::span<const CallLowering> StringLowerings();
std::span<const CallLowering> TimeLowerings();
std::span<const CallLowering> CollectionLowerings();
std::span<const CallLowering> HigherOrderLowerings();
std::span<const CallLowering> DocumentLowerings();
std::span<const CallLowering> MiscellaneousLowerings();

}  // namespace merganser
