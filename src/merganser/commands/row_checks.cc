#include "merganser/commands/row_checks.h"

#include <utility>

#include <fmt/format.h>

#include "merganser/base/json.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/commands/generated_columns.h"
#include "merganser/delta/schema/char_varchar.h"
#include "merganser/engine/lowering/lowering.h"
#include "merganser/engine/sql_text.h"
#include "merganser/spark/analysis/bound_forms.h"
#include "merganser/spark/analysis/clause_values.h"
#include "merganser/spark/analysis/store_assignment.h"
#include "merganser/spark/sql/parser.h"

namespace merganser {
namespace {

Error NullViolation(const std::string& path) {
  return Error(ErrorClass::DELTA_NOT_NULL_CONSTRAINT_VIOLATED, {{"columnName", path}});
}

std::string FieldSql(const std::string& parent, const StructField& field) {
  return fmt::format("struct_extract({}, {})", parent, engine::QuoteString(field.name));
}

/// NOT NULL of fields inside structs. A NULL struct has NULL fields, so it violates them.
void CheckNestedNulls(const std::string& sql, const std::string& path, const DataType& type,
                      std::vector<std::string>& checks) {
  if (!type.is(TypeId::kStruct)) return;
  for (const StructField& field : type.fields()) {
    const std::string child = FieldSql(sql, field);
    const std::string child_path = path + "." + field.name;
    if (!field.nullable)
      checks.push_back(RaiseUnless(child + " IS NOT NULL", NullViolation(child_path)));
    CheckNestedNulls(child, child_path, field.type, checks);
  }
}

bool HasLength(const DataType& type) {
  switch (type.id()) {
    case TypeId::kChar:
    case TypeId::kVarchar:
      return true;
    case TypeId::kArray:
      return HasLength(type.element());
    case TypeId::kMap:
      return HasLength(type.key()) || HasLength(type.value());
    case TypeId::kStruct:
      for (const StructField& field : type.fields()) {
        if (HasLength(field.type)) return true;
      }
      return false;
    default:
      return false;
  }
}

/// A condition that no text in the value is longer than its type says; `depth` keeps lambda
/// parameters apart.
std::string FitsLength(const std::string& sql, const DataType& type, int depth = 0) {
  const auto every = [&](const std::string& list, const DataType& element) {
    const std::string parameter = fmt::format("e{}", depth);
    return fmt::format("({0} IS NULL OR len(list_filter({0}, lambda {1} : NOT ({2}))) = 0)", list,
                       parameter, FitsLength(parameter, element, depth + 1));
  };
  switch (type.id()) {
    case TypeId::kChar:
    case TypeId::kVarchar:
      return fmt::format("({0} IS NULL OR length({0}) <= {1})", sql, type.length());
    case TypeId::kArray:
      return HasLength(type.element()) ? every(sql, type.element()) : "TRUE";
    case TypeId::kMap: {
      std::string condition = "TRUE";
      if (HasLength(type.key()))
        condition += " AND " + every(fmt::format("map_keys({})", sql), type.key());
      if (HasLength(type.value()))
        condition += " AND " + every(fmt::format("map_values({})", sql), type.value());
      return condition;
    }
    case TypeId::kStruct: {
      std::string condition = "TRUE";
      for (const StructField& field : type.fields()) {
        if (HasLength(field.type))
          condition += " AND " + FitsLength(FieldSql(sql, field), field.type, depth);
      }
      return "(" + condition + ")";
    }
    default:
      return "TRUE";
  }
}

void CheckLength(const std::string& sql, const StructField& field,
                 std::vector<std::string>& checks) {
  const DataType declared = DeclaredType(field);
  if (!HasLength(declared)) return;
  std::string expression = QuotedIdentifier(field.name);
  if (declared.is(TypeId::kChar) || declared.is(TypeId::kVarchar)) {
    expression =
        fmt::format("(({0} IS NULL) OR (length({0}) <= {1}))", field.name, declared.length());
  }
  const Error error(ErrorClass::DELTA_EXCEED_CHAR_VARCHAR_LIMIT,
                    {{"value", declared.CatalogString()}, {"expr", std::move(expression)}});
  checks.push_back(RaiseUnless(FitsLength(sql, declared), error));
}

/// A condition of a table by name: a constraint, an invariant, what a generated column must hold.
struct NamedCheck {
  std::string name;
  std::string text;
  BoundExpressionPtr condition;
};

/// The expression of a column's invariant: {"expression":{"expression":"x > 3"}} ("Column
/// Invariants" in PROTOCOL.md).
std::string InvariantText(const StructField& field) {
  const auto json = Json::Parse(MetadataText(field, "delta.invariants"));
  if (!json.ok()) return {};
  const Json* rule = json->find("expression");
  return rule == nullptr ? std::string() : rule->string_or("expression");
}

Result<BoundExpressionPtr> BindText(Analyzer& analyzer, const std::string& text,
                                    const Scope& scope) {
  MERGANSER_ASSIGN_OR_RETURN(const plan::ExpressionPtr parsed, ParseExpression(text));
  return analyzer.BindExpression(parsed, scope);
}

Result<std::vector<NamedCheck>> NamedChecks(Analyzer& analyzer, const WriteTarget& target,
                                            const std::vector<BoundColumn>& columns,
                                            const std::set<std::string>& computed) {
  const Scope scope = TableScope(target.schema, columns);
  std::vector<NamedCheck> checks;
  for (size_t i = 0; i < columns.size(); ++i) {
    const StructField& field = target.schema[i];
    if (std::string text = InvariantText(field); !text.empty()) {
      MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr condition, BindText(analyzer, text, scope));
      checks.push_back(
          {fmt::format("EXPRESSION({})", text), std::move(text), std::move(condition)});
    }
    if (!IsGenerated(field) || computed.contains(field.name)) continue;
    MERGANSER_ASSIGN_OR_RETURN(const BoundExpressionPtr expected,
                               GenerationExpression(analyzer, field, scope));
    const BoundExpressionPtr condition =
        MakeBound(BoundCall{"<=>", {ColumnReference(columns[i]), expected}, true},
                  DataType::Boolean(), false);
    const std::string text = fmt::format("{} <=> {}", QuotedIfNeeded(field.name),
                                         MetadataText(field, "delta.generationExpression"));
    checks.push_back({"Generated Column", text, condition});
  }
  for (const auto& [name, text] : target.properties.constraints()) {
    MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr condition, BindText(analyzer, text, scope));
    checks.push_back({name, text, std::move(condition)});
  }
  return checks;
}

}  // namespace

std::string RaiseUnless(std::string_view condition, const Error& error, std::string_view values) {
  return fmt::format("CASE WHEN {} THEN TRUE ELSE mg_raise({}{}) END", condition,
                     engine::QuoteString(error.ToJson()), values);
}

Result<std::string> ValueArguments(const BoundExpression& condition,
                                   const std::vector<BoundColumn>& columns,
                                   const TypingContext& typing, const LoweringContext& lowering) {
  std::vector<ColumnId> used;
  CollectColumns(condition, used);
  std::string arguments;
  for (const ColumnId id : used) {
    for (const BoundColumn& column : columns) {
      if (column.id != id) continue;
      const auto reference = ColumnReference(column);
      MERGANSER_ASSIGN_OR_RETURN(
          const auto text, ResolveCast(reference, DataType::String(), /*is_try=*/false, typing));
      MERGANSER_ASSIGN_OR_RETURN(const std::string sql, LowerExpression(*text, lowering));
      arguments += fmt::format(", {}, {}", engine::QuoteString(column.name), sql);
    }
  }
  return arguments;
}

Result<std::vector<std::string>> RowChecks(StatementContext& context, StatementScans& scans,
                                           const WriteTarget& target,
                                           const std::vector<BoundColumn>& columns,
                                           const std::set<std::string>& computed) {
  std::vector<std::string> checks;
  for (size_t i = 0; i < columns.size(); ++i) {
    const StructField& field = target.schema[i];
    const std::string sql = EngineColumn(columns[i].id);
    if (!field.nullable)
      checks.push_back(RaiseUnless(sql + " IS NOT NULL", NullViolation(field.name)));
    CheckNestedNulls(sql, field.name, field.type, checks);
    CheckLength(sql, field, checks);
  }
  const auto analyzer = context.MakeAnalyzer();
  const LoweringContext lowering = scans.lowering();
  MERGANSER_ASSIGN_OR_RETURN(const auto named, NamedChecks(*analyzer, target, columns, computed));
  for (const NamedCheck& check : named) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string condition,
                               LowerExpression(*check.condition, lowering));
    MERGANSER_ASSIGN_OR_RETURN(
        const std::string values,
        ValueArguments(*check.condition, columns, analyzer->typing(), lowering));
    const Error error(ErrorClass::DELTA_VIOLATE_CONSTRAINT_WITH_VALUES,
                      {{"constraintName", check.name}, {"expression", check.text}, {"values", ""}});
    checks.push_back(RaiseUnless(condition, error, values));
  }
  return checks;
}

}  // namespace merganser
