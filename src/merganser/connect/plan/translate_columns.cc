#include <string>
#include <utility>

#include "merganser/connect/plan/literal.h"
#include "merganser/connect/plan/refusal.h"
#include "merganser/connect/plan/relation_translator.h"

namespace merganser::connect {

Result<plan::RelationPtr> RelationTranslator::Aggregate(const proto::Aggregate& aggregate) {
  if (!aggregate.has_input())
    return Error(ErrorClass::CONNECT_INVALID_PLAN, {}, "AGGREGATE_NEEDS_PLAN_INPUT");
  MERGANSER_ASSIGN_OR_RETURN(auto keys, Expressions(aggregate.grouping_expressions()));
  MERGANSER_ASSIGN_OR_RETURN(auto values, Expressions(aggregate.aggregate_expressions()));
  if (aggregate.group_type() == proto::Aggregate::GROUP_TYPE_PIVOT)
    return Pivot(aggregate, std::move(keys), std::move(values));
  plan::Aggregate translated;
  switch (aggregate.group_type()) {
    case proto::Aggregate::GROUP_TYPE_GROUPBY:
      translated.kind = plan::GroupingKind::kGroupBy;
      break;
    case proto::Aggregate::GROUP_TYPE_ROLLUP:
      translated.kind = plan::GroupingKind::kRollup;
      break;
    case proto::Aggregate::GROUP_TYPE_CUBE:
      translated.kind = plan::GroupingKind::kCube;
      break;
    case proto::Aggregate::GROUP_TYPE_GROUPING_SETS:
      translated.kind = plan::GroupingKind::kGroupingSets;
      break;
    default:
      return RefuseEnum(aggregate, "group_type");
  }
  if (keys.empty() && translated.kind != plan::GroupingKind::kGroupingSets)
    translated.kind = plan::GroupingKind::kGroupBy;
  MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(aggregate));
  for (const auto& set : aggregate.grouping_sets()) {
    MERGANSER_ASSIGN_OR_RETURN(auto members, Expressions(set.grouping_set()));
    translated.grouping_sets.push_back(std::move(members));
  }
  for (const plan::ExpressionPtr& key : keys) {
    const auto* alias = key->As<plan::Alias>();
    translated.group_by.push_back(alias == nullptr ? key : alias->child);
  }
  translated.expressions = std::move(keys);
  translated.expressions.insert(translated.expressions.end(), values.begin(), values.end());
  return plan::MakeRelation(std::move(translated));
}

Result<plan::RelationPtr> RelationTranslator::WithColumns(const proto::WithColumns& with) {
  plan::WithColumns translated;
  MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(with));
  for (const proto::Expression::Alias& alias : with.aliases()) {
    if (alias.name_size() != 1) {
      std::string names;
      for (const std::string& name : alias.name()) names += (names.empty() ? "" : ", ") + name;
      return Error(ErrorClass::CONNECT_INVALID_PLAN, {{"got", names}},
                   "WITH_COLUMNS_REQUIRE_SINGLE_NAME_PART");
    }
    MERGANSER_ASSIGN_OR_RETURN(plan::Alias column, TranslateAlias(alias, context_));
    translated.columns.push_back(std::move(column));
  }
  return plan::MakeRelation(std::move(translated));
}

Result<plan::RelationPtr> RelationTranslator::WithColumnsRenamed(
    const proto::WithColumnsRenamed& renamed) {
  plan::WithColumnsRenamed translated;
  MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(renamed));
  for (const auto& rename : renamed.renames())
    translated.names.emplace_back(rename.col_name(), rename.new_col_name());
  if (renamed.renames().empty()) {
    for (const auto& [from, to] : ToOptions(renamed.rename_columns_map()))
      translated.names.emplace_back(from, to);
  }
  return plan::MakeRelation(std::move(translated));
}

Result<plan::RelationPtr> RelationTranslator::Drop(const proto::Drop& drop) {
  plan::DropColumns translated;
  MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(drop));
  translated.names.assign(drop.column_names().begin(), drop.column_names().end());
  MERGANSER_ASSIGN_OR_RETURN(translated.columns, Expressions(drop.columns()));
  return plan::MakeRelation(std::move(translated));
}

Result<plan::RelationPtr> RelationTranslator::ToDF(const proto::ToDF& frame) {
  plan::ToDataFrame translated;
  MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(frame));
  translated.names.assign(frame.column_names().begin(), frame.column_names().end());
  return plan::MakeRelation(std::move(translated));
}

Result<plan::RelationPtr> RelationTranslator::ToSchema(const proto::ToSchema& to) {
  plan::ToSchema translated;
  MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(to));
  MERGANSER_ASSIGN_OR_RETURN(translated.schema, FieldsOf(to.schema()));
  return plan::MakeRelation(std::move(translated));
}

Result<plan::RelationPtr> RelationTranslator::Unpivot(const proto::Unpivot& unpivot) {
  plan::Unpivot translated;
  MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(unpivot));
  MERGANSER_ASSIGN_OR_RETURN(translated.ids, Expressions(unpivot.ids()));
  if (unpivot.has_values()) {
    MERGANSER_ASSIGN_OR_RETURN(auto values, Expressions(unpivot.values().values()));
    for (plan::ExpressionPtr& value : values) translated.values.push_back({std::move(value)});
  } else {
    plan::Star others;
    for (const plan::ExpressionPtr& id : *translated.ids) {
      if (const auto* column = id->As<plan::Attribute>()) others.except.push_back(column->parts);
    }
    translated.values.push_back({plan::MakeExpression(std::move(others))});
  }
  translated.variable_column = unpivot.variable_column_name();
  translated.value_columns = {unpivot.value_column_name()};
  translated.include_nulls = true;
  return plan::MakeRelation(std::move(translated));
}

Result<plan::RelationPtr> RelationTranslator::FillNulls(const proto::NAFill& fill) {
  if (fill.values().empty())
    return Error(ErrorClass::CONNECT_INVALID_PLAN, {}, "NA_FILL_VALUES_EMPTY");
  if (fill.values_size() > 1 && fill.values_size() != fill.cols_size())
    return Error(ErrorClass::CONNECT_INVALID_PLAN, {}, "NA_FILL_VALUES_LENGTH_MISMATCH");
  plan::FillNulls translated;
  MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(fill));
  translated.columns.assign(fill.cols().begin(), fill.cols().end());
  for (const auto& value : fill.values()) {
    MERGANSER_ASSIGN_OR_RETURN(plan::Literal literal, TranslateScalar(value, context_.parser));
    translated.values.push_back(std::move(literal));
  }
  return plan::MakeRelation(std::move(translated));
}

Result<plan::RelationPtr> RelationTranslator::DropNulls(const proto::NADrop& drop) {
  plan::DropNulls translated;
  MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(drop));
  translated.columns.assign(drop.cols().begin(), drop.cols().end());
  if (drop.has_min_non_nulls()) translated.least = drop.min_non_nulls();
  return plan::MakeRelation(std::move(translated));
}

Result<plan::RelationPtr> RelationTranslator::ReplaceValues(const proto::NAReplace& replace) {
  plan::ReplaceValues translated;
  MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(replace));
  translated.columns.assign(replace.cols().begin(), replace.cols().end());
  for (const auto& pair : replace.replacements()) {
    MERGANSER_ASSIGN_OR_RETURN(plan::Literal from,
                               TranslateScalar(pair.old_value(), context_.parser));
    MERGANSER_ASSIGN_OR_RETURN(plan::Literal to,
                               TranslateScalar(pair.new_value(), context_.parser));
    translated.replacements.emplace_back(std::move(from), std::move(to));
  }
  return plan::MakeRelation(std::move(translated));
}

Result<plan::RelationPtr> RelationTranslator::Transpose(const proto::Transpose& transpose) {
  if (transpose.index_columns_size() > 1)
    return InvalidPlan("a transposition takes its names from one column");
  plan::Transpose translated;
  MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(transpose));
  if (transpose.index_columns_size() == 1) {
    MERGANSER_ASSIGN_OR_RETURN(translated.index,
                               TranslateExpression(transpose.index_columns(0), context_));
  }
  return plan::MakeRelation(std::move(translated));
}

Result<plan::RelationPtr> RelationTranslator::Pivot(const proto::Aggregate& aggregate,
                                                    std::vector<plan::ExpressionPtr> keys,
                                                    std::vector<plan::ExpressionPtr> values) {
  if (!aggregate.has_pivot())
    return Error(ErrorClass::CONNECT_INVALID_PLAN, {}, "AGGREGATE_WITH_PIVOT_REQUIRES_PIVOT");
  plan::Pivot translated;
  MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(aggregate));
  translated.aggregates = std::move(values);
  MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr column,
                             TranslateExpression(aggregate.pivot().col(), context_));
  translated.columns.push_back(std::move(column));
  for (const auto& value : aggregate.pivot().values()) {
    MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr one, TranslateLiteral(value, context_.parser));
    translated.values.push_back(std::move(one));
  }
  translated.group_by = std::move(keys);
  return plan::MakeRelation(std::move(translated));
}

}  // namespace merganser::connect
