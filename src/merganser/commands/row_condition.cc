#include "merganser/commands/row_condition.h"

#include "merganser/spark/functions/resolve.h"

namespace merganser {
namespace {

std::string Shown(const BoundExpression& expression) {
  return "\"" + GeneratedName(expression) + "\"";
}

}  // namespace

Status CheckRowExpressions(const BoundMerge& change, const std::string& operation) {
  if (change.condition != nullptr && ContainsSubquery(*change.condition)) {
    return Error(ErrorClass::DELTA_UNSUPPORTED_SUBQUERY,
                 {{"operation", operation}, {"cond", Shown(*change.condition)}});
  }
  std::string changing;
  const auto check = [&](const BoundExpressionPtr& expression) {
    if (expression == nullptr || IsDeterministic(*expression)) return;
    changing += (changing.empty() ? "" : ", ") + Shown(*expression);
  };
  check(change.condition);
  for (const BoundClause& clause : change.matched) {
    for (const BoundExpressionPtr& value : clause.values) check(value);
  }
  if (changing.empty()) return Status::Ok();
  return Error(ErrorClass::INVALID_NON_DETERMINISTIC_EXPRESSIONS, {{"sqlExprs", changing}});
}

}  // namespace merganser
