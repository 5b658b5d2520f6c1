#pragma once

#include <functional>

#include "merganser/spark/analysis/bound_relation.h"

namespace merganser {

/// Call `visit` with the direct inputs of a relation.
void ForEachInput(const BoundRelation& relation,
                  const std::function<void(const BoundRelation&)>& visit);

/// Call `visit` with the expressions that the relation itself holds.
void ForEachExpression(const BoundRelation& relation,
                       const std::function<void(const BoundExpression&)>& visit);

/// True if `test` holds for the relation or any below it, those inside subqueries included.
bool AnyRelation(const BoundRelation& relation,
                 const std::function<bool(const BoundRelation&)>& test);

/// No rand(), uuid(), TABLESAMPLE, ... anywhere inside.
bool IsDeterministicRelation(const BoundRelation& relation);

}  // namespace merganser
