#include <string>
#include <utility>

#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/analysis/bound_forms.h"
#include "merganser/spark/functions/coercion.h"

namespace merganser {

namespace {

// Spark's name for the column of the old columns' names.
constexpr const char* kKeyColumn = "key";
constexpr const char* kValueColumn = "value";

plan::ExpressionPtr OldColumn(const std::string& name) {
  return plan::MakeExpression(plan::Attribute{{name}, -1});
}

plan::ExpressionPtr OldText(std::string text) {
  return plan::MakeExpression(plan::Literal{DataType::String(), std::move(text)});
}

plan::ExpressionPtr PlainCall(const char* name, std::vector<plan::ExpressionPtr> arguments) {
  plan::Call call;
  call.name = {name};
  call.arguments = std::move(arguments);
  return plan::MakeExpression(std::move(call));
}

/// Fails with TRANSPOSE_NO_LEAST_COMMON_TYPE unless the columns but `index` go into one.
Status CheckTransposedTypes(const Scope& scope, const std::string& index,
                            const TypingContext& typing) {
  std::optional<DataType> common;
  for (const ScopeColumn& column : scope.columns()) {
    if (column.hidden || column.column.name == index) continue;
    const DataType& type = column.column.type;
    const auto wider = common ? FindWiderTypeWithoutStrings(*common, type, typing) : type;
    if (!wider) {
      return Error(ErrorClass::TRANSPOSE_NO_LEAST_COMMON_TYPE,
                   {{"dt1", QuotedType(*common)}, {"dt2", QuotedType(type)}});
    }
    common = wider;
  }
  return Status::Ok();
}

}  // namespace

Status Binder::CheckTransposedRows(const BoundRelationPtr& child) {
  if (!services_.values) return Error::Internal("nothing counts the rows of a transposition");
  const BoundColumn one{
      .id = NextId(), .name = "one", .type = DataType::Integer(), .nullable = false};
  const auto literal = MakeBound(plan::Literal{one.type, int64_t{1}}, one.type, false);
  BoundRelationPtr rows = MakeBoundRelation(
      BoundProject{.child = child, .outputs = {BoundOutput{literal, one.id}}}, {one});
  rows = MakeBoundRelation(BoundLimit{rows, services_.transpose_limit + 1, 0}, {one});
  MERGANSER_ASSIGN_OR_RETURN(const auto found, services_.values(rows));
  if (static_cast<int64_t>(found.size()) <= services_.transpose_limit) return Status::Ok();
  return Error(ErrorClass::TRANSPOSE_EXCEED_ROW_LIMIT,
               {{"maxValues", std::to_string(services_.transpose_limit)},
                {"config", "spark.sql.transposeMaxValues"}});
}

Result<Binding> Binder::Bind(const plan::Transpose& transpose, const plan::Relation& relation) {
  MERGANSER_ASSIGN_OR_RETURN(const Binding child, BindRelation(transpose.child));
  std::vector<std::string> others;
  const BoundRelationPtr rows = Finish(child);
  for (const BoundColumn& column : rows->columns) others.push_back(column.name);
  plan::ExpressionPtr index = transpose.index;
  if (index == nullptr && !others.empty()) index = OldColumn(others[0]);
  const auto* named = index == nullptr ? nullptr : index->As<plan::Attribute>();
  if (named == nullptr || named->parts.size() != 1) {
    return Error(ErrorClass::TRANSPOSE_INVALID_INDEX_COLUMN,
                 {{"reason", "Index column must be an atomic attribute"}});
  }
  MERGANSER_ASSIGN_OR_RETURN(const std::vector<size_t> positions,
                             ColumnsCalled(child.scope, named->parts[0], relation.origin));
  const BoundColumn& by = child.scope.columns()[positions[0]].column;
  const std::string name = by.name;
  if (by.type.is_nested()) {
    return Error(
        ErrorClass::TRANSPOSE_INVALID_INDEX_COLUMN,
        {{"reason", "Index column must be of atomic type, but found: " + by.type.SqlString()}});
  }
  std::erase(others, name);
  MERGANSER_RETURN_IF_ERROR(CheckTransposedTypes(child.scope, name, typing_));
  MERGANSER_RETURN_IF_ERROR(CheckTransposedRows(rows));

  // Rows of old columns, then a column for each value of the index.
  plan::Unpivot unpivot{.child = plan::MakeRelation(plan::Filter{
                            transpose.child, PlainCall("isnotnull", {OldColumn(name)})}),
                        .ids = std::vector{OldColumn(name)},
                        .values = {},
                        .value_aliases = {},
                        .variable_column = kKeyColumn,
                        .value_columns = {kValueColumn},
                        .include_nulls = true};
  std::vector<plan::ExpressionPtr> order;
  for (const std::string& other : others) {
    unpivot.values.push_back({OldColumn(other)});
    order.push_back(OldText(other));
  }
  if (others.empty()) {
    MERGANSER_ASSIGN_OR_RETURN(const Binding turned, BindRelation(unpivot.child));
    MERGANSER_ASSIGN_OR_RETURN(
        const auto values, PivotValues(Finish(turned), ReferTo(turned.scope.columns()[0].column)));
    std::vector<plan::ExpressionPtr> columns = {
        plan::MakeExpression(plan::Alias{OldText(""), {kKeyColumn}})};
    for (const plan::ExpressionPtr& value : values) {
      MERGANSER_ASSIGN_OR_RETURN(const BoundExpressionPtr bound, BindOver(value, Scope()));
      MERGANSER_ASSIGN_OR_RETURN(std::string text, PivotValueName(*bound));
      columns.push_back(plan::MakeExpression(plan::Alias{OldText(""), {std::move(text)}}));
    }
    return BindRelation(plan::MakeRelation(plan::Project{
        plan::MakeRelation(plan::Filter{
            transpose.child, plan::MakeExpression(plan::Literal{DataType::Boolean(), false})}),
        std::move(columns)}));
  }
  plan::Pivot pivot{.child = plan::MakeRelation(std::move(unpivot)),
                    .aggregates = {PlainCall("first", {OldColumn(kValueColumn)})},
                    .columns = {OldColumn(name)},
                    .values = {},
                    .group_by = std::vector{OldColumn(kKeyColumn)}};
  plan::ExpressionPtr place =
      PlainCall("array_position", {PlainCall("array", std::move(order)), OldColumn(kKeyColumn)});
  plan::Sort sort{.child = plan::MakeRelation(std::move(pivot)),
                  .order_by = {plan::MakeExpression(plan::SortOrder{std::move(place), true, {}})}};
  return BindRelation(plan::MakeRelation(std::move(sort)));
}

}  // namespace merganser
