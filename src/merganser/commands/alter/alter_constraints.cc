#include "merganser/commands/alter/alter_constraints.h"

#include <utility>

#include <fmt/format.h>

#include "merganser/commands/check_constraints.h"
#include "merganser/commands/statement_scans.h"
#include "merganser/engine/lowering/lowering.h"

namespace merganser {
namespace {

/// Rows for which the condition is false or unknown.
Result<int64_t> CountViolations(StatementContext& context, const BoundExpression& condition,
                                const BoundScan& scan, const std::vector<BoundColumn>& columns) {
  StatementScans scans(context);
  const BoundRelationPtr rows = MakeBoundRelation(scan, columns);
  MERGANSER_ASSIGN_OR_RETURN(const std::string select, LowerRelation(*rows, scans.lowering()));
  MERGANSER_ASSIGN_OR_RETURN(const std::string sql, LowerExpression(condition, scans.lowering()));
  MERGANSER_ASSIGN_OR_RETURN(
      const engine::RowTable count,
      context.connection->QueryTable(
          fmt::format("SELECT count(*) FROM ({}) AS rows WHERE ({}) IS NOT TRUE", select, sql)));
  return count.Int64(0, 0);
}

}  // namespace

Status AddConstraint(TableChange change, const plan::AlterAddConstraint& action) {
  const plan::TableConstraint& constraint = action.constraint;
  const std::string property = ConstraintProperty(constraint.name);
  StringMap& configuration = change.metadata().configuration;
  if (const auto known = configuration.find(property); known != configuration.end()) {
    return Error(ErrorClass::DELTA_CONSTRAINT_ALREADY_EXISTS,
                 {{"constraintName", constraint.name}, {"oldConstraint", known->second}});
  }
  BoundScan scan{.snapshot = change.target().snapshot, .columns = {}};
  std::vector<BoundColumn> columns;
  Scope scope;
  for (const StructField& field : change.schema()) {
    scan.columns.push_back(field.name);
    columns.push_back({change.analyzer().NextId(), field.name, field.type, field.nullable, {}});
    ScopeColumn column{.column = columns.back()};
    if (change.target().table.identifier)
      column.qualifier = change.target().table.identifier->parts();
    column.identity = column.column.id;
    scope.Add(std::move(column));
  }
  MERGANSER_ASSIGN_OR_RETURN(const BoundExpressionPtr condition,
                             BindCheckConstraint(change.analyzer(), constraint, scope));
  change.transaction().ReadWholeTable();
  MERGANSER_ASSIGN_OR_RETURN(const int64_t violations,
                             CountViolations(change.context(), *condition, scan, columns));
  if (violations > 0) {
    return Error(ErrorClass::DELTA_NEW_CHECK_CONSTRAINT_VIOLATION,
                 {{"numRows", std::to_string(violations)},
                  {"tableName", change.target().name},
                  {"checkConstraint", constraint.check.text}});
  }
  configuration[property] = constraint.check.text;
  Operation operation;
  operation.name = "ADD CONSTRAINT";
  operation.Text("name", constraint.name).Text("expr", constraint.check.text);
  return std::move(change).Commit(std::move(operation));
}

Status DropConstraint(TableChange change, const plan::AlterDropConstraint& action) {
  StringMap& configuration = change.metadata().configuration;
  const auto known = configuration.find(ConstraintProperty(action.name));
  Operation operation;
  operation.name = "DROP CONSTRAINT";
  operation.Text("name", action.name);
  if (known == configuration.end()) {
    if (!action.if_exists) {
      const auto& identifier = change.target().table.identifier;
      return Error(ErrorClass::DELTA_CONSTRAINT_DOES_NOT_EXIST,
                   {{"constraintName", action.name},
                    {"tableName", identifier ? identifier->Quoted() : change.target().name},
                    {"config", "spark.databricks.delta.constraints.assumesDropIfExists.enabled"},
                    {"confValue", "true"}});
    }
    operation.Boolean("existed", false);
  } else {
    operation.Text("expr", known->second).Boolean("existed", true);
    configuration.erase(known);
  }
  return std::move(change).Commit(std::move(operation));
}

}  // namespace merganser
