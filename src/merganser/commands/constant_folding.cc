#include "merganser/commands/constant_folding.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/commands/statement_scans.h"
#include "merganser/engine/lowering/evaluation_order.h"
#include "merganser/engine/lowering/null_constant.h"
#include "merganser/spark/analysis/relation_walk.h"
#include "merganser/spark/functions/expression_tree.h"

namespace merganser {
namespace {

// Calls whose arguments wait for rows, each between spaces.
constexpr std::string_view kConditional = " case coalesce if nanvl when ";
// Calls without columns that are for rows all the same: they fail on purpose, or tell what a row is
// grouped by.
constexpr std::string_view kForRows = " assert_true grouping grouping_id raise_error ";

bool IsFoldable(const BoundExpression& expression) {
  if (expression.As<BoundLambda>()) return false;
  std::vector<ColumnId> columns;
  CollectColumns(expression, columns);
  return columns.empty() && IsDeterministic(expression) &&
         !AnyNode(expression, [](const BoundExpression& node) {
           const auto* call = node.As<BoundCall>();
           return node.As<BoundSubquery>() || node.As<BoundAggregate>() || node.As<BoundWindow>() ||
                  (call != nullptr &&
                   kForRows.find(" " + call->function + " ") != std::string_view::npos);
         });
}

/// Rows written in the statement, possibly filtered and projected.
bool IsInline(const BoundRelation& relation) {
  if (relation.As<BoundValues>()) return true;
  if (const auto* project = relation.As<BoundProject>()) return IsInline(*project->child);
  if (const auto* filter = relation.As<BoundFilter>()) return IsInline(*filter->child);
  if (const auto* sort = relation.As<BoundSort>()) return IsInline(*sort->child);
  if (const auto* limit = relation.As<BoundLimit>()) return IsInline(*limit->child);
  return false;
}

/// Ids of columns that are used from above; nullopt for all.
using Needed = std::optional<std::set<ColumnId>>;

/// Collects the largest constants that can fail.
class ConstantCollector {
 public:
  explicit ConstantCollector(bool ansi) : ansi_(ansi) {}

  const std::vector<const BoundExpression*>& constants() const { return constants_; }

  void Collect(const BoundExpression& expression) {
    if (IsNullConstant(expression)) return;
    if (IsFoldable(expression)) {
      if (CanFail(expression, ansi_)) constants_.push_back(&expression);
      return;
    }
    if (expression.As<BoundWindow>()) return;  // Its function has no value by itself.
    const auto* call = expression.As<BoundCall>();
    if (call != nullptr && call->replacement != nullptr) return Collect(*call->replacement);
    if (call != nullptr && kConditional.find(" " + call->function + " ") != std::string_view::npos)
      return;
    if (const auto* subquery = expression.As<BoundSubquery>())
      Collect(*subquery->query, std::nullopt);
    ForEachChild(expression, [&](const BoundExpression& child) { Collect(child); });
  }

  void Collect(const BoundRelation& relation, Needed needed) {
    if (IsInline(relation)) return;
    if (const auto* project = relation.As<BoundProject>()) {
      Needed below = std::set<ColumnId>();
      for (const BoundOutput& output : project->outputs) {
        if (needed && !needed->contains(output.id)) continue;
        Collect(*output.expression);
        Use(*output.expression, below);
      }
      return Collect(*project->child, std::move(below));
    }
    if (const auto* limit = relation.As<BoundLimit>(); limit != nullptr && limit->limit == 0)
      return;
    if (const auto* aggregation = relation.As<BoundAggregation>()) {
      Needed below = std::set<ColumnId>();
      for (const BoundOutput& output : aggregation->outputs) {
        if (!needed || needed->contains(output.id)) Collect(*output.expression);
        Use(*output.expression, below);
      }
      for (const BoundExpressionPtr& key : aggregation->group_by) {
        if (!IsFoldable(*key)) Collect(*key);
        Use(*key, below);
      }
      return Collect(*aggregation->child, std::move(below));
    }
    const bool passes = relation.As<BoundFilter>() || relation.As<BoundSort>() ||
                        relation.As<BoundLimit>() || relation.As<BoundJoin>();
    if (!passes) needed.reset();
    ForEachExpression(relation, [&](const BoundExpression& expression) {
      Collect(expression);
      Use(expression, needed);
    });
    ForEachInput(relation, [&](const BoundRelation& input) { Collect(input, needed); });
  }

 private:
  static void Use(const BoundExpression& expression, Needed& needed) {
    if (!needed) return;
    std::vector<ColumnId> columns;
    CollectColumns(expression, columns);
    needed->insert(columns.begin(), columns.end());
  }

  bool ansi_;
  std::vector<const BoundExpression*> constants_;
};

Status Evaluate(StatementContext& context, const std::vector<const BoundExpression*>& constants) {
  if (constants.empty()) return Status::Ok();
  StatementScans scans(context);
  std::string list;
  for (const BoundExpression* constant : constants) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string value,
                               LowerExpression(*constant, scans.lowering()));
    list += (list.empty() ? "SELECT " : ", ") + value;
  }
  // A connection of its own: the statement's may be busy with a query.
  MERGANSER_ASSIGN_OR_RETURN(const auto connection,
                             engine::Connection::Open(context.connection->database()));
  const auto values = connection->QueryTable(list);
  return values.ok() ? Status::Ok() : Status(values.error());
}

}  // namespace

Status FoldConstants(StatementContext& context, const BoundRelation& query) {
  ConstantCollector collector(context.conf.ansi_enabled());
  collector.Collect(query, std::nullopt);
  return Evaluate(context, collector.constants());
}

Status FoldMatchConstants(StatementContext& context, const BoundMerge& merge) {
  ConstantCollector collector(context.conf.ansi_enabled());
  if (merge.source != nullptr) collector.Collect(*merge.source, std::nullopt);
  if (merge.condition != nullptr) collector.Collect(*merge.condition);
  for (const BoundClause& clause : merge.matched) {
    if (clause.condition != nullptr) collector.Collect(*clause.condition);
  }
  return Evaluate(context, collector.constants());
}

Status FoldWriteConstants(StatementContext& context, const BoundMerge& merge) {
  ConstantCollector collector(context.conf.ansi_enabled());
  for (const auto* clauses : {&merge.matched, &merge.not_matched, &merge.not_matched_by_source}) {
    for (const BoundClause& clause : *clauses) {
      if (clause.condition != nullptr) collector.Collect(*clause.condition);
      for (const BoundExpressionPtr& value : clause.values) {
        if (value != nullptr) collector.Collect(*value);
      }
    }
  }
  return Evaluate(context, collector.constants());
}

}  // namespace merganser
