#include "merganser/commands/generated_columns.h"

#include <algorithm>
#include <array>
#include <utility>

#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/assignment.h"
#include "merganser/spark/analysis/clause_values.h"
#include "merganser/spark/sql/parser.h"

namespace merganser {
namespace {

constexpr const char* kGenerationKey = "delta.generationExpression";

/// What Spark says about a generation expression that it refuses.
Error Refused(const StructField& field, const std::string& text, const std::string& reason) {
  return Error(ErrorClass::UNSUPPORTED_EXPRESSION_GENERATED_COLUMN,
               {{"fieldName", field.name}, {"expressionStr", text}, {"reason", reason}});
}

/// The first call inside of `expression` whose value depends on when or by whom it is asked; null
/// if there is none.
BoundExpressionPtr FindEnvironmentCall(const BoundExpressionPtr& expression) {
  constexpr std::array<std::string_view, 12> kNames = {"current_catalog",  "current_database",
                                                       "current_date",     "current_schema",
                                                       "current_time",     "current_timestamp",
                                                       "current_timezone", "current_user",
                                                       "localtimestamp",   "now",
                                                       "session_user",     "user"};
  BoundExpressionPtr found;
  Transform(expression, [&](const BoundExpressionPtr& node) -> BoundExpressionPtr {
    const auto* call = node->As<BoundCall>();
    const bool matches =
        call != nullptr && std::ranges::find(kNames, call->function) != kNames.end();
    if (found == nullptr && matches) found = node;
    return nullptr;
  });
  return found;
}

Status CheckGeneratedColumn(Analyzer& analyzer, const StructType& schema,
                            const StructField& field) {
  const std::string text = MetadataText(field, kGenerationKey);
  if (field.type.is(TypeId::kVariant)) {
    return Error(ErrorClass::DELTA_UNSUPPORTED_DATA_TYPE_IN_GENERATED_COLUMN,
                 {{"dataType", field.type.SqlString()}});
  }
  std::vector<BoundColumn> columns;
  for (const StructField& other : schema)
    columns.push_back({analyzer.NextId(), other.name, other.type, true, {}});
  MERGANSER_ASSIGN_OR_RETURN(const plan::ExpressionPtr parsed, ParseExpression(text));
  MERGANSER_ASSIGN_OR_RETURN(const BoundExpressionPtr bound,
                             analyzer.BindExpressionUnchecked(parsed, TableScope(schema, columns)));
  if (ContainsSubquery(*bound))
    return Refused(field, text, "subquery expressions are not allowed for generated columns");
  if (ContainsAggregate(*bound)) {
    return Error(ErrorClass::DELTA_AGGREGATE_IN_GENERATED_COLUMN, {{"sqlExpr", PrintSql(*bound)}});
  }
  if (ContainsWindow(*bound)) {
    return Error(ErrorClass::DELTA_UNSUPPORTED_EXPRESSION_GENERATED_COLUMN,
                 {{"expression", PrintSql(*bound)}});
  }
  if (const BoundExpressionPtr call = FindEnvironmentCall(bound)) {
    return Error(ErrorClass::DELTA_UNSUPPORTED_EXPRESSION_GENERATED_COLUMN,
                 {{"expression", PrintSql(*call)}});
  }
  if (!IsDeterministic(*bound))
    return Refused(field, text, "generation expression is not deterministic");

  std::vector<ColumnId> used;
  CollectColumns(*bound, used);
  for (const ColumnId id : used) {
    const auto column = std::ranges::find(columns, id, &BoundColumn::id);
    if (column == columns.end()) continue;
    const StructField& reference = schema[static_cast<size_t>(column - columns.begin())];
    if (&reference == &field)
      return Refused(field, text, "generation expression cannot reference itself");
    if (IsGenerated(reference))
      return Refused(field, text,
                     "generation expression cannot reference another generated column");
  }
  if (bound->type.SameType(field.type)) return Status::Ok();
  if (!CanStoreAssign(bound->type, field.type, StoreAssignmentPolicy::kStrict)) {
    return Refused(field, text,
                   "generation expression data type " + bound->type.CatalogString() +
                       " is incompatible with column data type " + field.type.CatalogString());
  }
  return Error(ErrorClass::DELTA_GENERATED_COLUMNS_EXPR_TYPE_MISMATCH,
               {{"columnName", field.name},
                {"expressionType", bound->type.SqlString()},
                {"columnType", field.type.SqlString()}});
}

}  // namespace

Scope TableScope(const StructType& schema, const std::vector<BoundColumn>& columns) {
  Scope scope;
  for (size_t i = 0; i < columns.size(); ++i) {
    ScopeColumn column;
    column.column = columns[i];
    column.column.name = schema[i].name;
    column.identity = columns[i].id;
    scope.Add(std::move(column));
  }
  return scope;
}

Result<BoundExpressionPtr> GenerationExpression(Analyzer& analyzer, const StructField& field,
                                                const Scope& scope) {
  MERGANSER_ASSIGN_OR_RETURN(const plan::ExpressionPtr parsed,
                             ParseExpression(MetadataText(field, kGenerationKey)));
  MERGANSER_ASSIGN_OR_RETURN(const BoundExpressionPtr bound,
                             analyzer.BindExpression(parsed, scope));
  return AssignValue(bound, field.type, field.name, nullptr, {}, analyzer.typing());
}

Status CheckGeneratedColumns(Analyzer& analyzer, const StructType& schema) {
  for (const StructField& field : schema) {
    if (IsGenerated(field))
      MERGANSER_RETURN_IF_ERROR(CheckGeneratedColumn(analyzer, schema, field));
  }
  return Status::Ok();
}

}  // namespace merganser
