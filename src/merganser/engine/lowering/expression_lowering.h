#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "merganser/base/json.h"
#include "merganser/base/result.h"
#include "merganser/engine/lowering/lowering.h"
#include "merganser/spark/plan/bound_expression.h"

namespace merganser {

/// Prints bound expressions as the engine's SQL, one node at a time.
///
/// Not thread-safe: keeps the SQL of lambda parameters that are in scope.
class ExpressionLowering {
 public:
  explicit ExpressionLowering(const LoweringContext& context) : context_(context) {}

  /// SQL of engine type EngineType(expression.type).
  Result<std::string> Lower(const BoundExpression& expression);
  Result<std::vector<std::string>> LowerAll(const std::vector<BoundExpressionPtr>& expressions);

  /// The body of `lambda` with each parameter read as the SQL given for it.
  Result<std::string> LowerBody(const BoundLambda& lambda,
                                const std::vector<std::string>& parameters);
  /// A name that no other lambda of the statement uses, made from a parameter's id.
  static std::string LambdaName(const BoundColumnRef& parameter);

  /// An aggregate, followed by `over` ("OVER (...)") when a window computes it.
  Result<std::string> LowerAggregate(const BoundAggregate& aggregate,
                                     const BoundExpression& expression, const std::string& over);

  /// SQL of `call`, the node of `expression`, which computes all arguments, NULL or not.
  Result<std::string> LowerUnguarded(const BoundCall& call, const BoundExpression& expression);
  /// SQL of a value of an inline table, whose errors tell so.
  Result<std::string> LowerInlineValue(const BoundExpression& expression);

  /// The last argument of functions that raise errors: quoted JSON text of the query context of
  /// `expression` and, inside of a value that is cast for a column, of that cast. Empty if neither
  /// is known.
  std::string ErrorContext(const BoundExpression& expression) const;

  const LoweringContext& context() const { return context_; }

 private:
  Result<std::string> LowerNode(const plan::Literal& literal, const BoundExpression& expression);
  Result<std::string> LowerNode(const BoundColumnRef& column, const BoundExpression& expression);
  Result<std::string> LowerNode(const BoundCall& call, const BoundExpression& expression);
  Result<std::string> LowerNode(const BoundCast& cast, const BoundExpression& expression);
  Result<std::string> LowerNode(const BoundLambda& lambda, const BoundExpression& expression);
  Result<std::string> LowerNode(const BoundSubquery& subquery, const BoundExpression& expression);
  Result<std::string> LowerNode(const BoundAggregate& aggregate, const BoundExpression& expression);
  Result<std::string> LowerNode(const BoundWindow& window, const BoundExpression& expression);
  Result<std::string> LowerNode(const BoundField& field, const BoundExpression& expression);

  const LoweringContext& context_;
  std::map<ColumnId, std::string> lambda_parameters_;
  std::optional<Json> assignment_;  ///< The cast for a column that is being lowered.
  std::string inline_value_;        ///< SQL text of the value that is being lowered.
};

/// "c1 ASC NULLS FIRST, ...".
Result<std::string> LowerSortOrders(const std::vector<BoundSortOrder>& orders,
                                    ExpressionLowering& lowering);

}  // namespace merganser
