#include "merganser/commands/insert_defaults.h"

#include <utility>

#include "merganser/spark/analysis/clause_values.h"
#include "merganser/spark/sql/parser.h"

namespace merganser {
namespace {

using Targets = std::vector<const StructField*>;

/// The values of one row or SELECT list; says whether any was replaced.
Result<bool> ReplaceIn(std::vector<plan::ExpressionPtr>& values, const Targets& targets) {
  bool replaced = false;
  for (size_t i = 0; i < values.size(); ++i) {
    // After a star it is unknown which column a value goes to.
    if (values[i]->As<plan::Star>() != nullptr) break;
    if (values[i]->As<plan::DefaultValue>() == nullptr || i >= targets.size()) continue;
    MERGANSER_ASSIGN_OR_RETURN(values[i], DefaultExpression(*targets[i]));
    if (values[i] == nullptr)
      values[i] = plan::MakeExpression(plan::Literal{DataType::Null(), std::monostate{}});
    replaced = true;
  }
  return replaced;
}

/// The relation with its child's DEFAULTs replaced.
template <typename Node>
Result<plan::RelationPtr> InChild(const Node& node, const plan::RelationPtr& relation,
                                  const Targets& targets) {
  MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr child, ReplaceDefaults(node.child, targets));
  if (child == node.child) return relation;
  Node changed = node;
  changed.child = std::move(child);
  return plan::MakeRelation(std::move(changed), relation->origin);
}

}  // namespace

Result<plan::ExpressionPtr> DefaultExpression(const StructField& field) {
  const std::string text = MetadataText(field, "CURRENT_DEFAULT");
  if (text.empty()) return plan::ExpressionPtr();
  return ParseExpression(text);
}

Result<plan::RelationPtr> ReplaceDefaults(const plan::RelationPtr& query, const Targets& targets) {
  if (const auto* table = query->As<plan::InlineTable>()) {
    plan::InlineTable changed = *table;
    bool replaced = false;
    for (auto& row : changed.rows) {
      MERGANSER_ASSIGN_OR_RETURN(const bool in_row, ReplaceIn(row, targets));
      replaced = replaced || in_row;
    }
    return replaced ? plan::MakeRelation(std::move(changed), query->origin) : query;
  }
  if (const auto* project = query->As<plan::Project>()) {
    plan::Project changed = *project;
    MERGANSER_ASSIGN_OR_RETURN(const bool replaced, ReplaceIn(changed.expressions, targets));
    return replaced ? plan::MakeRelation(std::move(changed), query->origin) : query;
  }
  if (const auto* with = query->As<plan::With>()) return InChild(*with, query, targets);
  if (const auto* alias = query->As<plan::SubqueryAlias>()) return InChild(*alias, query, targets);
  if (const auto* hint = query->As<plan::Hint>()) return InChild(*hint, query, targets);
  if (const auto* set = query->As<plan::SetOperation>();
      set != nullptr && set->op == plan::SetOperator::kUnion) {
    MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr left, ReplaceDefaults(set->left, targets));
    MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr right, ReplaceDefaults(set->right, targets));
    if (left == set->left && right == set->right) return query;
    plan::SetOperation changed = *set;
    changed.left = std::move(left);
    changed.right = std::move(right);
    return plan::MakeRelation(std::move(changed), query->origin);
  }
  return query;
}

}  // namespace merganser
