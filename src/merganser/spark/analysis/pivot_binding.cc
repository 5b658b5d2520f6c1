#include <algorithm>
#include <set>
#include <string>

#include "merganser/spark/analysis/aggregate_lift.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/analysis/built_call.h"
#include "merganser/spark/analysis/expression_check.h"
#include "merganser/spark/functions/call_binder.h"

namespace merganser {

namespace {

/// A value of PIVOT ... IN (...): one literal for each pivot column.
struct PivotValue {
  std::string name;
  BoundExpressionPtr condition;  ///< True for the rows that have the value.
};

BoundExpressionPtr One() {
  const DataType type = DataType::Integer();
  return MakeBound(plan::Literal{type, int64_t{1}}, type, false);
}

/// `expression` with its aggregate functions over the rows of `condition` only.
Result<BoundExpressionPtr> Filtered(const BoundExpressionPtr& expression,
                                    const BoundExpressionPtr& condition,
                                    const TypingContext& typing) {
  std::optional<Error> error;
  BoundExpressionPtr filtered =
      Transform(expression, [&](const BoundExpressionPtr& node) -> BoundExpressionPtr {
        const auto* aggregate = node->As<BoundAggregate>();
        if (aggregate == nullptr || error) return nullptr;
        BoundAggregate copy = *aggregate;
        copy.filter = condition;
        if (aggregate->filter != nullptr) {
          auto both = BuiltCall("and", {aggregate->filter, condition}, typing, true);
          if (!both.ok()) {
            error = std::move(both).error();
            return nullptr;
          }
          copy.filter = *std::move(both);
        }
        return MakeBound(std::move(copy), node->type, node->nullable, node->origin);
      });
  if (error) return *std::move(error);
  return filtered;
}

}  // namespace

Result<std::string> Binder::PivotValueName(const BoundExpression& value) {
  MERGANSER_ASSIGN_OR_RETURN(const BoundExpressionPtr text,
                             ResolveCast(std::make_shared<const BoundExpression>(value),
                                         DataType::String(), false, typing_));
  if (const std::optional<plan::Literal> literal = FoldLiteral(value)) {
    if (literal->is_null()) return std::string("null");
    if (const auto* string = std::get_if<std::string>(&literal->value)) return *string;
    const auto* number = std::get_if<int64_t>(&literal->value);
    if (number != nullptr && literal->type.is_integral()) return std::to_string(*number);
  }
  MERGANSER_ASSIGN_OR_RETURN(const plan::Literal evaluated, EvaluateConstant(*text));
  return evaluated.is_null() ? std::string("null") : std::get<std::string>(evaluated.value);
}

Result<std::vector<plan::ExpressionPtr>> Binder::PivotValues(const BoundRelationPtr& child,
                                                             const BoundExpressionPtr& column) {
  if (!services_.values) return Error::Internal("nothing finds the values of a pivot");
  const BoundColumn value{
      .id = NextId(), .name = "value", .type = column->type, .nullable = column->nullable};
  const auto over = [&](auto node) {
    return MakeBoundRelation(std::move(node), std::vector<BoundColumn>{value});
  };
  BoundRelationPtr rows =
      over(BoundProject{.child = child, .outputs = {BoundOutput{column, value.id}}});
  rows = over(BoundDistinct{rows, {}});
  rows = over(BoundSort{rows, {BoundSortOrder{ReferTo(value), true, true}}});
  rows = over(BoundLimit{rows, services_.pivot_limit + 1, 0});
  MERGANSER_ASSIGN_OR_RETURN(const std::vector<plan::Literal> found, services_.values(rows));
  if (static_cast<int64_t>(found.size()) > services_.pivot_limit) {
    return Error(ErrorClass::_LEGACY_ERROR_TEMP_1324,
                 {{"pivotColumn", GeneratedName(*column)},
                  {"maxValues", std::to_string(services_.pivot_limit)},
                  {"config", "spark.sql.pivotMaxValues"}});
  }
  std::vector<plan::ExpressionPtr> values;
  for (const plan::Literal& literal : found) values.push_back(plan::MakeExpression(literal));
  return values;
}

Result<Binding> Binder::Bind(const plan::Pivot& pivot, const plan::Relation& relation) {
  MERGANSER_ASSIGN_OR_RETURN(Binding child, BindRelation(pivot.child));
  ExpressionScope scope{.scopes = {&child.scope}};
  scope.operator_name = "Pivot";
  scope.operator_origin = relation.origin;

  std::vector<ColumnId> used;
  std::vector<BoundExpressionPtr> columns;
  for (const plan::ExpressionPtr& expression : pivot.columns) {
    MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr column, BindExpression(expression, scope));
    CollectColumns(*column, used);
    columns.push_back(std::move(column));
  }
  std::vector<std::pair<std::string, BoundExpressionPtr>> aggregates;
  for (const plan::ExpressionPtr& expression : pivot.aggregates) {
    const auto* alias = expression->As<plan::Alias>();
    MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr aggregate,
                               BindExpression(alias == nullptr ? expression : alias->child, scope));
    if (FindAggregate(*aggregate) == nullptr) {
      return Error(ErrorClass::_LEGACY_ERROR_TEMP_1006, {{"sql", PrintSql(*aggregate)}});
    }
    CollectColumns(*aggregate, used);
    std::string name =
        alias == nullptr ? GeneratedName(*aggregate, services_.name_format) : alias->names[0];
    aggregates.emplace_back(std::move(name), std::move(aggregate));
  }

  std::vector<plan::ExpressionPtr> written_values = pivot.values;
  if (written_values.empty()) {
    MERGANSER_ASSIGN_OR_RETURN(written_values, PivotValues(child.relation, columns[0]));
  }
  std::vector<PivotValue> values;
  for (const plan::ExpressionPtr& expression : written_values) {
    MERGANSER_ASSIGN_OR_RETURN(
        PivotValue value, ([&]() -> Result<PivotValue> {
          const auto* alias = expression->As<plan::Alias>();
          const plan::ExpressionPtr& written = alias == nullptr ? expression : alias->child;
          const auto* row = written->As<plan::Call>();
          std::vector<plan::ExpressionPtr> parts = {written};
          if (columns.size() > 1 && row != nullptr && row->name.back() == "struct")
            parts = row->arguments;
          PivotValue result;
          for (size_t i = 0; i < parts.size() && i < columns.size(); ++i) {
            const auto* part_alias = parts[i]->As<plan::Alias>();
            ExpressionScope nothing;
            auto bound =
                BindExpression(part_alias == nullptr ? parts[i] : part_alias->child, nothing);
            const auto* attribute = parts[i]->As<plan::Attribute>();
            if (!bound.ok() && attribute == nullptr) return std::move(bound).error();
            if (!bound.ok()) {
              return Error(ErrorClass::NON_LITERAL_PIVOT_VALUES,
                           {{"expression", "\"" + attribute->parts.back() + "\""}});
            }
            const DataType& type = columns[i]->type;
            if (!(*bound)->type.is(TypeId::kNull) && !CanCast((*bound)->type, type, typing_)) {
              return Error(ErrorClass::PIVOT_VALUE_DATA_TYPE_MISMATCH,
                           {{"value", PrintSql(**bound)},
                            {"valueType", (*bound)->type.CatalogString()},
                            {"pivotType", type.CatalogString()}});
            }
            const BoundExpressionPtr cast = ImplicitCast(*bound, type, typing_);
            auto value = PivotValueName(*cast);
            if (!value.ok()) return std::move(value).error();
            MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr same,
                                       BuiltCall("<=>", {columns[i], cast}, typing_, true));
            if (result.condition == nullptr) {
              result.condition = std::move(same);
            } else {
              MERGANSER_ASSIGN_OR_RETURN(result.condition,
                                         BuiltCall("and", {result.condition, same}, typing_, true));
            }
            MERGANSER_ASSIGN_OR_RETURN(const std::string name, PivotValueName(**bound));
            result.name += (i == 0 ? "" : ", ") + name;
          }
          if (parts.size() > 1) result.name = "{" + result.name + "}";
          if (alias != nullptr) result.name = alias->names[0];
          return result;
        }()));
    values.push_back(std::move(value));
  }

  SelectBlock block;
  block.input = std::make_shared<Binding>(child);
  block.aggregation.emplace();
  SelectAggregation& aggregation = *block.aggregation;
  const auto add_group = [&](std::string name, BoundExpressionPtr key) {
    const auto* column = key->As<BoundColumnRef>();
    const ColumnId id = column != nullptr ? column->id : NextId();
    SelectItem item{.name = std::move(name), .expression = key, .id = id, .identity = id};
    if (column != nullptr) {
      item.qualifier = column->qualifier;
    } else {
      item.expression =
          ReferTo({.id = id, .name = item.name, .type = key->type, .nullable = key->nullable});
      item.id = NextId();
      item.identity = item.id;
    }
    aggregation.group_by.push_back(std::move(key));
    aggregation.ids.push_back(id);
    block.items.push_back(std::move(item));
  };
  if (pivot.group_by) {
    for (const plan::ExpressionPtr& expression : *pivot.group_by) {
      const auto* alias = expression->As<plan::Alias>();
      MERGANSER_ASSIGN_OR_RETURN(
          BoundExpressionPtr key,
          BindExpression(alias == nullptr ? expression : alias->child, scope));
      const auto* attribute = expression->As<plan::Attribute>();
      std::string name = alias != nullptr       ? alias->names[0]
                         : attribute != nullptr ? attribute->parts.back()
                                                : GeneratedName(*key, services_.name_format);
      add_group(std::move(name), std::move(key));
    }
  } else {
    for (const ScopeColumn& column : child.scope.columns()) {
      if (column.hidden || std::find(used.begin(), used.end(), column.column.id) != used.end())
        continue;
      add_group(column.column.name, ReferTo(column.column, column.qualifier));
    }
  }

  AggregateLift lift(*this, *block.input->relation, aggregation, [](const BoundExpression& column) {
    const std::string name = GeneratedName(column);
    return Error(ErrorClass::MISSING_AGGREGATION,
                 {{"expression", "\"" + name + "\""},
                  {"expressionAnyValue", "\"any_value(" + name + ")\""}});
  });
  for (const PivotValue& value : values) {
    // A value without rows gives NULL, whatever the function gives for no rows.
    MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr count,
                               BuiltCall("count", {One()}, typing_, false));
    MERGANSER_ASSIGN_OR_RETURN(count, Filtered(count, value.condition, typing_));
    MERGANSER_ASSIGN_OR_RETURN(const BoundExpressionPtr exists,
                               BuiltCall(">=", {count, One()}, typing_, true));
    for (const auto& [aggregate_name, aggregate] : aggregates) {
      MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr result,
                                 Filtered(aggregate, value.condition, typing_));
      MERGANSER_ASSIGN_OR_RETURN(result, BuiltCall("when", {exists, result}, typing_, true));
      MERGANSER_ASSIGN_OR_RETURN(result, lift.Lift(result));
      const ColumnId id = NextId();
      const std::string name =
          aggregates.size() == 1 ? value.name : value.name + "_" + aggregate_name;
      block.items.push_back(
          {.name = name, .expression = std::move(result), .id = id, .identity = id});
    }
  }
  Binding binding;
  binding.relation = BuildSelect(block, typing_.next_id);
  binding.scope = block.OutputScope();
  return binding;
}

}  // namespace merganser
