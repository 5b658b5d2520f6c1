#pragma once

#include <functional>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/spark/analysis/scope.h"
#include "merganser/spark/plan/bound_expression.h"

namespace merganser {

/// The parameters of a lambda around the expression being bound.
struct LambdaFrame {
  std::vector<std::string> names;
  std::vector<BoundExpressionPtr> parameters;
};

/// What the names of an expression may mean. Names of enclosing queries come last and are known to
/// the Binder.
struct ExpressionScope {
  /// Tried in order; the first that knows a name wins.
  std::vector<const Scope*> scopes;
  /// Tried before `scopes` inside aggregate functions (ORDER BY sum(a), where the list has `b AS
  /// a`); may be null.
  const Scope* aggregate_input = nullptr;
  /// Asked for a name that no scope knows: aliases of the SELECT list. Gives null if it does not
  /// know it either.
  std::function<Result<BoundExpressionPtr>(const std::vector<std::string>& parts,
                                           const plan::Origin& origin)>
      aliases = {};
  /// Candidates for the suggestions of UNRESOLVED_COLUMN; null means the columns of `scopes[0]`.
  const Scope* suggested = nullptr;
  /// In ORDER BY a name that is ambiguous in one scope counts as unknown there.
  bool ambiguous_is_unknown = false;
  /// Spark's name of the operator, for messages about a misplaced star.
  const char* operator_name = "Filter";
  plan::Origin operator_origin = {};

  // While binding.
  std::vector<LambdaFrame> lambdas = {};
  int aggregate_depth = 0;
};

}  // namespace merganser
