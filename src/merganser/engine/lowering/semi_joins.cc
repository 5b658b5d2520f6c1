#include "merganser/engine/lowering/semi_joins.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "merganser/engine/lowering/evaluation_order.h"
#include "merganser/spark/analysis/file_predicates.h"
#include "merganser/spark/analysis/relation_walk.h"
#include "merganser/spark/functions/resolve.h"

namespace merganser {
namespace {

/// The subquery of EXISTS, and whether there must be no row.
struct Existence {
  const BoundSubquery* subquery;
  bool is_negated;
};

std::optional<Existence> FindExistence(const BoundExpression& conjunct) {
  if (const auto* call = conjunct.As<BoundCall>();
      call != nullptr && (call->function == "not" || call->function == "!")) {
    const auto inner = FindExistence(*call->arguments[0]);
    return inner ? std::optional(Existence{inner->subquery, !inner->is_negated}) : std::nullopt;
  }
  const auto* subquery = conjunct.As<BoundSubquery>();
  if (subquery == nullptr || subquery->kind != plan::SubqueryKind::kExists) return std::nullopt;
  return Existence{subquery, false};
}

bool UsesAny(const BoundRelation& relation, const std::vector<BoundColumnRef>& columns) {
  return AnyRelation(relation, [&](const BoundRelation& node) {
    bool uses = false;
    ForEachExpression(node, [&](const BoundExpression& expression) {
      std::vector<ColumnId> ids;
      CollectColumns(expression, ids);
      uses |= std::ranges::any_of(columns, [&](const BoundColumnRef& column) {
        return std::ranges::find(ids, column.id) != ids.end();
      });
    });
    return uses;
  });
}

/// The WHERE of the subquery, if it is what makes a join with `rows`. What the subquery selects
/// does not matter.
const BoundFilter* FindMatches(const BoundSubquery& subquery, const BoundRelation& rows,
                               bool ansi) {
  const BoundRelation* query = subquery.query.get();
  while (const auto* project = query->As<BoundProject>()) query = project->child.get();
  const auto* matches = query->As<BoundFilter>();
  if (matches == nullptr || subquery.outer.empty()) return nullptr;
  const bool is_of_rows = std::ranges::all_of(subquery.outer, [&](const BoundColumnRef& column) {
    return std::ranges::find(rows.columns, column.id, &BoundColumn::id) != rows.columns.end();
  });
  const BoundExpression& condition = *matches->condition;
  if (!is_of_rows || UsesAny(*matches->child, subquery.outer) || ContainsSubquery(condition) ||
      !IsDeterministic(condition) || !CanFail(condition, ansi)) {
    return nullptr;
  }
  return matches;
}

BoundExpressionPtr All(const std::vector<BoundExpressionPtr>& conjuncts) {
  BoundExpressionPtr all;
  for (const BoundExpressionPtr& conjunct : conjuncts) {
    all = all == nullptr ? conjunct
                         : MakeBound(BoundCall{"and", {all, conjunct}, true}, DataType::Boolean(),
                                     all->nullable || conjunct->nullable);
  }
  return all;
}

}  // namespace

BoundRelationPtr WithSemiJoin(const BoundFilter& filter, bool ansi) {
  std::vector<BoundExpressionPtr> rest = SplitConjuncts(filter.condition);
  for (auto conjunct = rest.begin(); conjunct != rest.end(); ++conjunct) {
    const auto existence = FindExistence(**conjunct);
    if (!existence) continue;
    const BoundFilter* matches = FindMatches(*existence->subquery, *filter.child, ansi);
    if (matches == nullptr) continue;
    BoundJoin join;
    join.type = existence->is_negated ? plan::JoinType::kLeftAnti : plan::JoinType::kLeftSemi;
    join.condition = matches->condition;
    join.right = matches->child;
    rest.erase(conjunct);
    join.left = rest.empty() ? filter.child
                             : MakeBoundRelation(BoundFilter{filter.child, All(rest)},
                                                 filter.child->columns);
    return MakeBoundRelation(std::move(join), filter.child->columns);
  }
  return nullptr;
}

}  // namespace merganser
