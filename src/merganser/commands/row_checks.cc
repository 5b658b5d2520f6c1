#include <fmt/format.h>

#include <utility>

#include "merganser/base/json.h"
#include "merganser/commands/table_writer.h"
#include "merganser/delta/schema/char_varchar.h"
#include "merganser/engine/sql_text.h"
#include "merganser/spark/sql/parser.h"

namespace merganser {
namespace {

/// Engine SQL that is TRUE where `condition` is, and raises `error` elsewhere. `values` adds names and text expressions
/// that the error's parameter `values` lists.
std::string Enforce(std::string_view condition, const Error& error, std::string_view values = {}) {
  return fmt::format("CASE WHEN {} THEN TRUE ELSE mg_raise({}{}) END", condition, engine::QuoteString(error.ToJson()),
                     values);
}

Error NullViolation(const std::string& path) {
  return Error(ErrorClass::DELTA_NOT_NULL_CONSTRAINT_VIOLATED, {{"columnName", path}});
}

/// NOT NULL of fields inside structs; a NULL parent has no fields to be NULL.
void CheckNestedNulls(const std::string& sql, const std::string& path, const DataType& type,
                      std::vector<std::string>& checks) {
  if (!type.is(TypeId::kStruct)) return;
  for (const StructField& field : type.fields()) {
    const std::string child = fmt::format("struct_extract({}, {})", sql, engine::QuoteString(field.name));
    const std::string child_path = path + "." + field.name;
    if (!field.nullable) {
      checks.push_back(Enforce(fmt::format("({} IS NULL OR {} IS NOT NULL)", sql, child), NullViolation(child_path)));
    }
    CheckNestedNulls(child, child_path, field.type, checks);
  }
}

void CheckLength(const std::string& sql, const StructField& field, std::vector<std::string>& checks) {
  const DataType declared = DeclaredType(field);
  if (!declared.is(TypeId::kChar) && !declared.is(TypeId::kVarchar)) return;
  const Error error(ErrorClass::DELTA_EXCEED_CHAR_VARCHAR_LIMIT,
                    {{"value", ""}, {"expr", fmt::format("((`{0}` IS NULL) OR (length(`{0}`) <= {1}))", field.name,
                                                         declared.length())}});
  checks.push_back(Enforce(fmt::format("({0} IS NULL OR length({0}) <= {1})", sql, declared.length()), error));
}

/// Names and text of the columns that a constraint looks at, as arguments of mg_raise.
Result<std::string> ValueArguments(const BoundExpression& condition, const std::vector<BoundColumn>& columns,
                                   const TypingContext& typing, const LoweringContext& lowering) {
  std::vector<ColumnId> used;
  CollectColumns(condition, used);
  std::string arguments;
  for (const ColumnId id : used) {
    for (const BoundColumn& column : columns) {
      if (column.id != id) continue;
      const auto reference = MakeBound(BoundColumnRef{id, column.name, {}}, column.type, column.nullable);
      MERGANSER_ASSIGN_OR_RETURN(const auto text, ResolveCast(reference, DataType::String(), /*is_try=*/false, typing));
      MERGANSER_ASSIGN_OR_RETURN(const std::string sql, LowerExpression(*text, lowering));
      arguments += fmt::format(", {}, {}", engine::QuoteString(column.name), sql);
    }
  }
  return arguments;
}

Scope ColumnScope(const WriteTarget& target, const std::vector<BoundColumn>& columns) {
  Scope scope;
  for (size_t i = 0; i < columns.size(); ++i) {
    ScopeColumn column;
    column.column = columns[i];
    column.column.name = target.schema[i].name;
    column.identity = columns[i].id;
    scope.Add(std::move(column));
  }
  return scope;
}

}  // namespace

Result<std::vector<std::string>> RowChecks(StatementContext& context, StatementScans& scans, const WriteTarget& target,
                                           const std::vector<BoundColumn>& columns) {
  std::vector<std::string> checks;
  for (size_t i = 0; i < columns.size(); ++i) {
    const StructField& field = target.schema[i];
    const std::string sql = EngineColumn(columns[i].id);
    if (!field.nullable) checks.push_back(Enforce(sql + " IS NOT NULL", NullViolation(field.name)));
    CheckNestedNulls(sql, field.name, field.type, checks);
    CheckLength(sql, field, checks);
  }
  const auto constraints = target.properties.constraints();
  if (constraints.empty()) return checks;

  const auto analyzer = context.MakeAnalyzer();
  const LoweringContext lowering = scans.lowering();
  const Scope scope = ColumnScope(target, columns);
  for (const auto& [name, text] : constraints) {
    MERGANSER_ASSIGN_OR_RETURN(const plan::ExpressionPtr parsed, ParseExpression(text));
    MERGANSER_ASSIGN_OR_RETURN(const BoundExpressionPtr bound, analyzer->BindExpression(parsed, scope));
    MERGANSER_ASSIGN_OR_RETURN(const std::string condition, LowerExpression(*bound, lowering));
    MERGANSER_ASSIGN_OR_RETURN(const std::string values,
                               ValueArguments(*bound, columns, analyzer->typing(), lowering));
    const Error error(ErrorClass::DELTA_VIOLATE_CONSTRAINT_WITH_VALUES,
                      {{"constraintName", name}, {"expression", text}, {"values", ""}});
    checks.push_back(Enforce(condition, error, values));
  }
  return checks;
}

}  // namespace merganser
