#include <algorithm>
#include <string>

#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/analysis/built_call.h"
#include "merganser/spark/analysis/wider_type.h"
#include "merganser/spark/functions/call_binder.h"

namespace merganser {

namespace {

/// One source of a row: a column for each value column.
struct UnpivotEntry {
  std::string name;
  std::vector<BoundExpressionPtr> values;
};

BoundExpressionPtr Text(const std::string& text) {
  const DataType type = DataType::String();
  return MakeBound(plan::Literal{type, text}, type, false);
}

std::string ColumnName(const BoundExpression& expression) {
  const auto* column = expression.As<BoundColumnRef>();
  return column != nullptr ? column->name : GeneratedName(expression);
}

}  // namespace

Result<Binding> Binder::Bind(const plan::Unpivot& unpivot, const plan::Relation& relation) {
  MERGANSER_ASSIGN_OR_RETURN(Binding child, BindRelation(unpivot.child));
  ExpressionScope scope{.scopes = {&child.scope}};
  scope.operator_name = "Unpivot";
  scope.operator_origin = relation.origin;

  std::vector<UnpivotEntry> entries;
  std::vector<ColumnId> used;
  for (size_t i = 0; i < unpivot.values.size(); ++i) {
    const auto* star =
        unpivot.values[i].size() == 1 ? unpivot.values[i][0]->As<plan::Star>() : nullptr;
    if (star != nullptr) {
      MERGANSER_ASSIGN_OR_RETURN(const auto columns,
                                 ExpandStar(*star, child.scope, unpivot.values[i][0]->origin));
      for (const StarColumn& column : columns)
        entries.push_back({column.name, {column.expression}});
      continue;
    }
    UnpivotEntry entry;
    for (const plan::ExpressionPtr& expression : unpivot.values[i]) {
      MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr value, BindExpression(expression, scope));
      entry.name += (entry.name.empty() ? "" : "_") + ColumnName(*value);
      entry.values.push_back(std::move(value));
    }
    if (i < unpivot.value_aliases.size() && !unpivot.value_aliases[i].empty())
      entry.name = unpivot.value_aliases[i];
    entries.push_back(std::move(entry));
  }
  if (entries.empty()) return Error(ErrorClass::UNPIVOT_REQUIRES_VALUE_COLUMNS);
  const size_t width = unpivot.value_columns.size();
  for (const UnpivotEntry& entry : entries) {
    for (const BoundExpressionPtr& value : entry.values) CollectColumns(*value, used);
    if (entry.values.size() == width) continue;
    std::string names;
    for (const std::string& name : unpivot.value_columns)
      names += (names.empty() ? "" : ", ") + QuotedIdentifier(name);
    return Error(ErrorClass::UNPIVOT_VALUE_SIZE_MISMATCH, {{"names", names}});
  }

  std::vector<BoundColumn> generated = {{.id = NextId(),
                                         .name = unpivot.variable_column,
                                         .type = DataType::String(),
                                         .nullable = false}};
  for (size_t i = 0; i < width; ++i) {
    BoundColumn column;
    column.id = NextId();
    column.name = unpivot.value_columns[i];
    column.nullable = false;
    std::vector<DataType> types;
    std::string shown;
    for (const UnpivotEntry& entry : entries) {
      const BoundExpression& value = *entry.values[i];
      types.push_back(value.type);
      column.nullable = column.nullable || value.nullable;
      shown += (shown.empty() ? "" : ", ") + QuotedType(value.type) + " (" +
               QuotedIdentifier(ColumnName(value)) + ")";
    }
    const std::optional<DataType> common = FindWiderTypeWithoutStrings(types, typing_);
    if (!common) return Error(ErrorClass::UNPIVOT_VALUE_DATA_TYPE_MISMATCH, {{"types", shown}});
    column.type = *common;
    for (UnpivotEntry& entry : entries)
      entry.values[i] = ImplicitCast(entry.values[i], *common, typing_);
    generated.push_back(std::move(column));
  }

  // One struct an entry, unfolded beside each row of the input.
  std::vector<BoundExpressionPtr> rows;
  for (const UnpivotEntry& entry : entries) {
    std::vector<BoundExpressionPtr> fields = {Text("c0"), Text(entry.name)};
    for (size_t i = 0; i < width; ++i) {
      fields.push_back(Text("c" + std::to_string(i + 1)));
      fields.push_back(entry.values[i]);
    }
    MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr row,
                               BuiltCall("named_struct", std::move(fields), typing_, false));
    rows.push_back(std::move(row));
  }
  MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr array,
                             BuiltCall("array", std::move(rows), typing_, false));

  Scope output;
  if (unpivot.ids) {
    for (const plan::ExpressionPtr& expression : *unpivot.ids) {
      const auto* star = expression->As<plan::Star>();
      std::vector<StarColumn> columns;
      if (star != nullptr) {
        MERGANSER_ASSIGN_OR_RETURN(columns, ExpandStar(*star, child.scope, expression->origin));
      } else {
        MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr id, BindExpression(expression, scope));
        columns.push_back({ColumnName(*id), std::move(id)});
      }
      for (const StarColumn& column : columns) {
        const auto* reference = column.expression->As<BoundColumnRef>();
        if (reference == nullptr) {
          return At(Error(ErrorClass::UNPIVOT_REQUIRES_ATTRIBUTES,
                          {{"given", "id"},
                           {"empty", "value"},
                           {"expressions", QuotedExpression(*column.expression)}}),
                    relation.origin);
        }
        for (const ScopeColumn& source : child.scope.columns()) {
          if (source.column.id == reference->id) output.Add(source);
        }
      }
    }
  } else {
    for (const ScopeColumn& column : child.scope.columns()) {
      const bool unpivoted = std::find(used.begin(), used.end(), column.column.id) != used.end();
      if (!column.hidden && !unpivoted) output.Add(column);
    }
  }
  Binding binding = AddGenerator(
      std::move(child), {.function = "inline", .arguments = {array}, .columns = generated}, {});
  for (const BoundColumn& column : generated) output.Add({.column = column, .identity = column.id});
  output.InheritPlans(binding.scope);
  binding.scope = std::move(output);
  if (unpivot.include_nulls) return binding;

  BoundExpressionPtr condition;
  for (size_t i = 1; i < generated.size(); ++i) {
    MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr present,
                               BuiltCall("isnotnull", {ReferTo(generated[i])}, typing_, true));
    if (condition == nullptr) {
      condition = std::move(present);
    } else {
      MERGANSER_ASSIGN_OR_RETURN(condition, BuiltCall("or", {condition, present}, typing_, true));
    }
  }
  std::vector<BoundColumn> columns = binding.relation->columns;
  binding.relation =
      MakeBoundRelation(BoundFilter{binding.relation, std::move(condition)}, std::move(columns));
  return binding;
}

}  // namespace merganser
