#include <algorithm>

#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/functions/call_binder.h"

namespace merganser {

namespace {

/// Do replacement values of type `value` apply to columns of type `column`?
bool AppliesTo(const DataType& value, const DataType& column) {
  if (value.is_numeric()) return column.is_numeric();
  if (value.is_string()) return column.is_string();
  return value.is(TypeId::kBoolean) && column.is(TypeId::kBoolean);
}

BoundExpressionPtr Constant(const plan::Literal& literal) {
  return MakeBound(literal, literal.type, literal.is_null());
}

BoundExpressionPtr Number(int64_t value) {
  const DataType type = DataType::Integer();
  return MakeBound(plan::Literal{type, value}, type, false);
}

/// na.fill looks at the columns that are named, and leaves alone what is of another kind.
struct Filling {
  size_t position;
  const plan::Literal* value;
};

}  // namespace

Result<Binding> Binder::Bind(const plan::FillNulls& fill, const plan::Relation& relation) {
  MERGANSER_ASSIGN_OR_RETURN(Binding child, BindRelation(fill.child));
  std::vector<Filling> fillings;
  for (size_t i = 0; i < std::max<size_t>(fill.columns.size(), 1); ++i) {
    const plan::Literal& value = fill.values[std::min(i, fill.values.size() - 1)];
    MERGANSER_ASSIGN_OR_RETURN(
        const auto positions,
        ColumnsCalled(child.scope,
                      fill.columns.empty() ? std::vector<std::string>()
                                           : std::vector<std::string>{fill.columns[i]},
                      relation.origin));
    for (const size_t position : positions) fillings.push_back({position, &value});
  }
  std::map<size_t, BoundExpressionPtr> values;
  for (const Filling& filling : fillings) {
    const ScopeColumn& column = child.scope.columns()[filling.position];
    const DataType& type = column.column.type;
    // A map of values names its columns, so a value that is none of the column's kind is cast.
    if (fill.values.size() == 1 && !AppliesTo(filling.value->type, type)) continue;
    BoundExpressionPtr present = ReferTo(column.column, column.qualifier);
    if (type.is_floating()) {
      const BoundExpressionPtr null = MakeBound(plan::Literal{type, {}}, type, true);
      MERGANSER_ASSIGN_OR_RETURN(present, CallOf("nanvl", {present, null}));
    }
    MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr value,
                               ResolveCast(Constant(*filling.value), type, false, typing_));
    MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr filled,
                               CallOf("coalesce", {std::move(present), std::move(value)}));
    values[filling.position] = ImplicitCast(std::move(filled), type, typing_);
  }
  return Recomputed(std::move(child), values, relation.origin);
}

Result<Binding> Binder::Bind(const plan::DropNulls& drop, const plan::Relation& relation) {
  MERGANSER_ASSIGN_OR_RETURN(Binding child, BindRelation(drop.child));
  MERGANSER_ASSIGN_OR_RETURN(const auto positions,
                             ColumnsCalled(child.scope, drop.columns, relation.origin));
  std::vector<BoundExpressionPtr> present;
  for (const size_t position : positions) {
    const ScopeColumn& column = child.scope.columns()[position];
    const BoundExpressionPtr value = ReferTo(column.column, column.qualifier);
    MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr there, CallOf("isnotnull", {value}));
    if (column.column.type.is_floating()) {
      MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr is_nan, CallOf("isnan", {value}));
      MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr is_number, CallOf("not", {is_nan}));
      MERGANSER_ASSIGN_OR_RETURN(there, CallOf("and", {there, is_number}));
    }
    present.push_back(std::move(there));
  }
  if (present.empty()) return child;
  BoundExpressionPtr condition;
  const auto least = drop.least.value_or(static_cast<int64_t>(present.size()));
  if (least >= static_cast<int64_t>(present.size())) {
    for (const BoundExpressionPtr& there : present) {
      if (condition == nullptr) {
        condition = there;
      } else {
        MERGANSER_ASSIGN_OR_RETURN(condition, CallOf("and", {condition, there}));
      }
    }
    if (least > static_cast<int64_t>(present.size()))
      condition = MakeBound(plan::Literal{DataType::Boolean(), false}, DataType::Boolean(), false);
  } else {
    BoundExpressionPtr count = Number(0);
    for (const BoundExpressionPtr& there : present) {
      MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr one,
                                 CallOf("if", {there, Number(1), Number(0)}));
      MERGANSER_ASSIGN_OR_RETURN(count, CallOf("+", {count, one}));
    }
    MERGANSER_ASSIGN_OR_RETURN(condition, CallOf(">=", {count, Number(least)}));
  }
  Binding binding{
      .relation = nullptr, .scope = child.scope, .below = std::make_shared<Binding>(child)};
  std::vector<BoundColumn> columns = child.relation->columns;
  binding.relation =
      MakeBoundRelation(BoundFilter{child.relation, std::move(condition)}, std::move(columns));
  return binding;
}

Result<Binding> Binder::Bind(const plan::ReplaceValues& replace, const plan::Relation& relation) {
  MERGANSER_ASSIGN_OR_RETURN(Binding child, BindRelation(replace.child));
  if (replace.replacements.empty()) return child;
  MERGANSER_ASSIGN_OR_RETURN(const auto positions,
                             ColumnsCalled(child.scope, replace.columns, relation.origin));
  // NULL stands for no kind of its own: what is replaced, or its replacements, tells.
  DataType kind;
  for (const auto& [old_value, new_value] : replace.replacements) {
    if (!old_value.is_null()) kind = old_value.type;
    if (kind.is(TypeId::kNull) && !new_value.is_null()) kind = new_value.type;
  }
  std::map<size_t, BoundExpressionPtr> values;
  for (const size_t position : positions) {
    const ScopeColumn& column = child.scope.columns()[position];
    const DataType& type = column.column.type;
    if (!AppliesTo(kind, type)) continue;
    const BoundExpressionPtr value = ReferTo(column.column, column.qualifier);
    std::vector<BoundExpressionPtr> cases;
    for (const auto& [old_value, new_value] : replace.replacements) {
      MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr key,
                                 ResolveCast(Constant(old_value), type, false, typing_));
      MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr same, CallOf("=", {value, key}));
      MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr result,
                                 ResolveCast(Constant(new_value), type, false, typing_));
      cases.push_back(std::move(same));
      cases.push_back(std::move(result));
    }
    cases.push_back(value);
    MERGANSER_ASSIGN_OR_RETURN(values[position], CallOf("when", std::move(cases)));
  }
  return Recomputed(std::move(child), values, relation.origin);
}

}  // namespace merganser
