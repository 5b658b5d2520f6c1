#include <algorithm>
#include <utility>

#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/clause_values.h"
#include "merganser/spark/analysis/dml_binding.h"
#include "merganser/spark/analysis/dml_target.h"

namespace merganser {
namespace {

/// A merge without a source: the target alone, unchanged in schema.
BoundMerge WithoutSource(const DmlTarget& target) {
  BoundMerge merge;
  merge.snapshot = target.snapshot;
  merge.target_columns = target.columns;
  merge.schema = target.snapshot->schema();
  for (const BoundColumn& column : target.columns) {
    merge.unchanged.push_back(
        MakeBound(BoundColumnRef{column.id, column.name, {}}, column.type, column.nullable));
  }
  return merge;
}

Result<BoundExpressionPtr> BindWhere(Analyzer& analyzer, const plan::ExpressionPtr& condition,
                                     const Scope& scope) {
  if (condition == nullptr) return BoundExpressionPtr();
  MERGANSER_ASSIGN_OR_RETURN(const BoundExpressionPtr bound,
                             analyzer.BindExpression(condition, scope));
  if (bound->type.is(TypeId::kNull))
    return ImplicitCast(bound, DataType::Boolean(), analyzer.typing());
  if (!bound->type.is(TypeId::kBoolean)) {
    return Error(ErrorClass::DATATYPE_MISMATCH,
                 {{"sqlExpr", "\"" + GeneratedName(*bound) + "\""},
                  {"filter", "\"" + GeneratedName(*bound) + "\""},
                  {"type", "\"" + bound->type.SqlString() + "\""}},
                 "FILTER_NOT_BOOLEAN");
  }
  return bound;
}

/// The target's path that an assignment's key names.
Result<std::vector<std::string>> KeyPath(Analyzer& analyzer, const DmlTarget& target,
                                         const plan::MultipartName& key) {
  MERGANSER_ASSIGN_OR_RETURN(const auto parts, analyzer.NameParts(key));
  const NameMatch match = MatchName(target.scope, parts, analyzer.typing().case_sensitive);
  if (match.columns.empty()) return analyzer.UnresolvedColumn(parts, target.scope, key.origin);
  const ColumnId id = match.columns[0]->column.id;
  const auto column =
      std::ranges::find_if(target.columns, [id](const auto& c) { return c.id == id; });
  std::vector<std::string> path = {column->name};
  const DataType* type = &column->type;
  for (const std::string& name : match.fields) {
    const StructField* field = type->is(TypeId::kStruct)
                                   ? type->fields().Find(name, analyzer.typing().case_sensitive)
                                   : nullptr;
    if (field == nullptr) return NoFieldToSet(analyzer, parts, target.scope, key.origin);
    path.push_back(field->name);
    type = &field->type;
  }
  return path;
}

}  // namespace

Result<BoundMerge> BindUpdate(Analyzer& analyzer, const plan::Update& update,
                              const SessionConf& conf) {
  MERGANSER_RETURN_IF_ERROR(analyzer.AddCommonTables(update.with));
  MERGANSER_ASSIGN_OR_RETURN(const DmlTarget target, BindWholeTarget(analyzer, update.target,
                                                                     update.alias, "UPDATE TABLE"));
  BoundMerge merge = WithoutSource(target);
  RowBuilder rows(analyzer, merge);
  std::vector<FieldAssignment> assignments;
  for (const plan::Assignment& assignment : update.assignments) {
    FieldAssignment own;
    MERGANSER_ASSIGN_OR_RETURN(own.path, KeyPath(analyzer, target, assignment.key));
    if (assignment.value->As<plan::DefaultValue>() != nullptr) {
      MERGANSER_ASSIGN_OR_RETURN(own.value, rows.DefaultOf(*merge.schema.Find(own.path[0])));
    } else {
      MERGANSER_ASSIGN_OR_RETURN(own.value,
                                 analyzer.BindExpression(assignment.value, target.scope));
    }
    own.rules.policy = conf.store_assignment_policy();
    own.rules.follows_ansi_flag = conf.update_and_merge_casting_follows_ansi();
    assignments.push_back(std::move(own));
  }
  MERGANSER_ASSIGN_OR_RETURN(merge.condition, BindWhere(analyzer, update.condition, target.scope));
  BoundClause clause;
  clause.action = plan::MergeActionKind::kUpdate;
  MERGANSER_ASSIGN_OR_RETURN(clause.values, rows.UpdatedRow(assignments));
  merge.matched.push_back(std::move(clause));
  return merge;
}

Result<BoundMerge> BindDelete(Analyzer& analyzer, const plan::Delete& command, const SessionConf&) {
  MERGANSER_RETURN_IF_ERROR(analyzer.AddCommonTables(command.with));
  MERGANSER_ASSIGN_OR_RETURN(const DmlTarget target,
                             BindWholeTarget(analyzer, command.target, command.alias, "DELETE"));
  BoundMerge merge = WithoutSource(target);
  MERGANSER_ASSIGN_OR_RETURN(merge.condition, BindWhere(analyzer, command.condition, target.scope));
  BoundClause clause;
  clause.action = plan::MergeActionKind::kDelete;
  merge.matched.push_back(std::move(clause));
  return merge;
}

}  // namespace merganser
