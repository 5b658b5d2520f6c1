#pragma once

#include <functional>
#include <optional>

#include "merganser/base/result.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/analysis/select_block.h"

namespace merganser {

/// Turns expressions over the input of a GROUP BY into expressions over its groups.
///
/// A grouping expression becomes a reference to its value; an aggregate function is added to what
/// the aggregation computes and becomes a reference to its result; a column that is neither is an
/// error.
class AggregateLift {
 public:
  /// `ungrouped` makes the error for a column that no group has one value of.
  AggregateLift(const Binder& binder, const BoundRelation& input, SelectAggregation& aggregation,
                std::function<Error(const BoundExpression& column)> ungrouped)
      : binder_(binder),
        input_(input),
        aggregation_(aggregation),
        ungrouped_(std::move(ungrouped)) {}

  /// Refuse scalar subqueries that depend on the row, as a SELECT list has to.
  void RefuseCorrelatedScalars() { refuse_correlated_scalars_ = true; }
  /// Refuse columns of enclosing queries: they are in place in conditions only.
  void RefuseOuter() { refuse_outer_ = true; }

  /// Fails with what `ungrouped` gives, UNSUPPORTED_GROUPING_EXPRESSION, GROUPING_COLUMN_MISMATCH,
  /// GROUPING_ID_COLUMN_MISMATCH and SCALAR_SUBQUERY_IS_IN_GROUP_BY_OR_AGGREGATE_FUNCTION.
  Result<BoundExpressionPtr> Lift(const BoundExpressionPtr& expression);

 private:
  BoundExpressionPtr Visit(const BoundExpressionPtr& expression);
  BoundExpressionPtr Replace(const BoundExpressionPtr& node);
  BoundExpressionPtr ReplaceAggregate(const BoundExpressionPtr& node);
  BoundExpressionPtr ReplaceWindow(const BoundExpression& node, const BoundWindow& window);
  BoundExpressionPtr ReplaceGrouping(const BoundExpressionPtr& node, const BoundCall& call);
  BoundExpressionPtr ReplaceSubquery(const BoundExpressionPtr& node, const BoundSubquery& subquery);
  BoundExpressionPtr Compute(BoundExpressionPtr expression);
  BoundExpressionPtr Fail(const BoundExpressionPtr& node, Error error);
  bool IsInput(ColumnId id) const;
  bool IsGrouped(ColumnId id) const;

  const Binder& binder_;
  const BoundRelation& input_;
  SelectAggregation& aggregation_;
  std::function<Error(const BoundExpression&)> ungrouped_;
  bool refuse_correlated_scalars_ = false;
  bool refuse_outer_ = false;
  std::optional<Error> error_;
};

}  // namespace merganser
