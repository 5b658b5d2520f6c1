#include <string>
#include <utility>

#include "merganser/spark/analysis/binder.h"

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

}  // namespace

Result<Binding> Binder::Bind(const plan::Transpose& transpose, const plan::Relation& relation) {
  MERGANSER_ASSIGN_OR_RETURN(const Binding child, BindRelation(transpose.child));
  std::vector<std::string> others;
  for (const BoundColumn& column : Finish(child)->columns) others.push_back(column.name);
  plan::ExpressionPtr index = transpose.index;
  if (index == nullptr && !others.empty()) index = OldColumn(others[0]);
  const auto* named = index == nullptr ? nullptr : index->As<plan::Attribute>();
  if (named == nullptr || named->parts.size() != 1) {
    return Error(ErrorClass::UNPIVOT_REQUIRES_ATTRIBUTES,
                 {{"given", "id"}, {"empty", "value"}, {"expressions", "\"transpose\""}});
  }
  MERGANSER_ASSIGN_OR_RETURN(const std::vector<size_t> positions,
                             ColumnsCalled(child.scope, named->parts[0], relation.origin));
  const std::string name = child.scope.columns()[positions[0]].column.name;
  std::erase(others, name);

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
    return BindRelation(plan::MakeRelation(plan::Project{
        plan::MakeRelation(plan::Filter{
            transpose.child, plan::MakeExpression(plan::Literal{DataType::Boolean(), false})}),
        {plan::MakeExpression(plan::Alias{OldText(""), {kKeyColumn}})}}));
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
