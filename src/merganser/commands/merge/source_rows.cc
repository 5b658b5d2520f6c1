#include "merganser/commands/merge/source_rows.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "merganser/commands/constant_value.h"
#include "merganser/commands/merge/match_phase.h"
#include "merganser/spark/analysis/file_predicates.h"

namespace merganser {
namespace {

void CollectClause(const BoundClause& clause, std::vector<ColumnId>& ids) {
  if (clause.condition != nullptr) CollectColumns(*clause.condition, ids);
  for (const BoundExpressionPtr& value : clause.values) CollectColumns(*value, ids);
}

std::set<ColumnId> UsedColumns(const BoundMerge& merge) {
  std::vector<ColumnId> ids;
  if (merge.condition != nullptr) CollectColumns(*merge.condition, ids);
  for (const auto* family : {&merge.matched, &merge.not_matched, &merge.not_matched_by_source}) {
    for (const BoundClause& clause : *family) CollectClause(clause, ids);
  }
  return {ids.begin(), ids.end()};
}

/// A conjunct `target column = expression over the source`.
struct KeyEquality {
  const BoundColumn* target;
  BoundExpressionPtr source;
};

bool OnlySource(const BoundExpression& expression, const BoundRelation& source) {
  std::vector<ColumnId> ids;
  CollectColumns(expression, ids);
  return !ids.empty() && std::ranges::all_of(ids, [&](ColumnId id) {
    return std::ranges::any_of(source.columns,
                               [id](const BoundColumn& column) { return column.id == id; });
  });
}

std::optional<KeyEquality> AsKeyEquality(const BoundExpression& conjunct, const BoundMerge& merge) {
  const auto* call = conjunct.As<BoundCall>();
  if (call == nullptr || call->function != "=" || call->arguments.size() != 2) return std::nullopt;
  for (const int side : {0, 1}) {
    const BoundExpression* target = call->arguments[static_cast<size_t>(side)].get();
    // A widening cast of an integer keeps order and identity of its values.
    if (const auto* cast = target->As<BoundCast>();
        cast != nullptr && cast->child->type.is_integral() && target->type.is_integral()) {
      target = cast->child.get();
    }
    const auto* reference = target->As<BoundColumnRef>();
    if (reference == nullptr) continue;
    const auto column = std::ranges::find_if(merge.target_columns,
                                             [&](const auto& c) { return c.id == reference->id; });
    const BoundExpressionPtr& source = call->arguments[static_cast<size_t>(1 - side)];
    if (column != merge.target_columns.end() && OnlySource(*source, *merge.source))
      return KeyEquality{&*column, source};
  }
  return std::nullopt;
}

bool HasBounds(const DataType& type) {
  return type.is_integral() || type.is_string() || type.is(TypeId::kDate) ||
         type.is(TypeId::kTimestamp) || type.is(TypeId::kTimestampNtz) || type.is(TypeId::kDecimal);
}

}  // namespace

Result<int64_t> MaterializeSource(StatementContext& context, StatementScans& scans,
                                  const BoundMerge& merge) {
  MERGANSER_ASSIGN_OR_RETURN(const std::string query,
                             LowerRelation(*merge.source, scans.lowering()));
  const std::set<ColumnId> used = UsedColumns(merge);
  std::string columns;
  for (const BoundColumn& column : merge.source->columns) {
    if (used.contains(column.id))
      columns += (columns.empty() ? "" : ", ") + EngineColumn(column.id);
  }
  if (columns.empty()) columns = "TRUE AS present";
  MERGANSER_RETURN_IF_ERROR(context.connection->Execute(
      fmt::format("CREATE OR REPLACE TEMP TABLE {} AS SELECT {} FROM ({}) AS source", kSourceRows,
                  columns, query)));
  MERGANSER_ASSIGN_OR_RETURN(
      const engine::RowTable count,
      context.connection->QueryTable(fmt::format("SELECT count(*) FROM {}", kSourceRows)));
  return count.Int64(0, 0);
}

Result<FilePredicate> SourceKeyBounds(StatementContext& context, StatementScans& scans,
                                      const BoundMerge& merge) {
  FilePredicate predicate;
  const LoweringContext lowering = scans.lowering();
  for (const BoundExpressionPtr& conjunct : SplitConjuncts(merge.condition)) {
    const auto key = AsKeyEquality(*conjunct, merge);
    if (!key || !HasBounds(key->source->type)) continue;
    MERGANSER_ASSIGN_OR_RETURN(const std::string value, LowerExpression(*key->source, lowering));
    const std::string column = key->target->name;
    for (const bool upper : {false, true}) {
      MERGANSER_ASSIGN_OR_RETURN(
          const engine::RowTable bound,
          context.connection->QueryTable(
              fmt::format("SELECT {}({}) FROM {}", upper ? "max" : "min", value, kSourceRows)));
      MERGANSER_ASSIGN_OR_RETURN(const plan::Literal literal,
                                 ConstantValue(bound, key->source->type));
      if (literal.is_null()) continue;
      // A bound that the column's type cannot hold says nothing about its files here.
      const auto scalar = ToScalar(literal, key->target->type);
      if (!scalar) continue;
      predicate.conjuncts.push_back(
          {{column},
           upper ? PredicateOperator::kLessOrEqual : PredicateOperator::kGreaterOrEqual,
           {*scalar}});
    }
  }
  return predicate;
}

}  // namespace merganser
