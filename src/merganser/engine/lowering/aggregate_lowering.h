#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "merganser/engine/lowering/expression_lowering.h"

namespace merganser {

/// An aggregate whose arguments, filter and order are SQL already.
struct LoweredAggregate {
  const BoundAggregate& aggregate;
  const BoundExpression& expression;
  const std::vector<std::string>& arguments;
  std::string filter;  ///< Empty for none.
  std::string order;   ///< WITHIN GROUP order, "c1 ASC NULLS FIRST"; empty for none.
  std::vector<std::string> order_keys;
  std::string over;           ///< "OVER (...)" of a window; empty for none.
  std::string error_context;  ///< As ExpressionLowering gives it.
  const LoweringContext& context;

  const DataType& type() const { return expression.type; }
  const DataType& type(size_t i) const { return aggregate.arguments[i]->type; }

  /// `function([DISTINCT] arguments) FILTER (...) OVER (...)`; `condition` narrows the filter.
  std::string Apply(std::string_view function, std::string_view arguments_sql,
                    std::string_view condition = {}) const;
};

/// SQL of an aggregate, of engine type EngineType(type()). Fails with UNRESOLVED_ROUTINE for a name
/// without lowering.
Result<std::string> LowerAggregateCall(const LoweredAggregate& call);

/// True if LowerAggregateCall knows the canonical name.
bool HasAggregateLowering(std::string_view name);

}  // namespace merganser
