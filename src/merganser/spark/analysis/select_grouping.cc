#include <algorithm>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/expression_check.h"
#include "merganser/spark/analysis/select_binder.h"
#include "merganser/spark/functions/call_binder.h"

namespace merganser {

namespace {

/// The position that a literal in GROUP BY or ORDER BY stands for.
const int64_t* OrdinalOf(const plan::Expression& expression) {
  const auto* literal = expression.As<plan::Literal>();
  if (literal == nullptr || !literal->type.is(TypeId::kInteger)) return nullptr;
  return std::get_if<int64_t>(&literal->value);
}

std::vector<std::vector<int>> Prefixes(int size) {
  std::vector<std::vector<int>> sets;
  for (int length = size; length >= 0; --length) {
    sets.emplace_back();
    for (int i = 0; i < length; ++i) sets.back().push_back(i);
  }
  return sets;
}

std::vector<std::vector<int>> Subsets(int size) {
  std::vector<std::vector<int>> sets;
  for (uint32_t mask = 0; mask < (1U << size); ++mask) {
    sets.emplace_back();
    for (int i = 0; i < size; ++i) {
      if ((mask & (1U << i)) == 0) sets.back().push_back(i);
    }
  }
  return sets;
}

}  // namespace

Result<BoundExpressionPtr> SelectBinder::GroupingOrdinal(int64_t position,
                                                         const plan::Origin& origin) {
  const auto size = static_cast<int64_t>(entries_.size());
  if (position < 1 || position > size) {
    return binder_.At(Error(ErrorClass::GROUP_BY_POS_OUT_OF_RANGE,
                            {{"index", std::to_string(position)}, {"size", std::to_string(size)}}),
                      origin);
  }
  const auto index = static_cast<size_t>(position - 1);
  MERGANSER_RETURN_IF_ERROR(BindEntry(index));
  const Entry& entry = entries_[index];
  if (entry.bound == nullptr || FindAggregate(*entry.bound) != nullptr) {
    const std::string text = entry.bound == nullptr ? entry.name : PrintSql(*entry.bound);
    return binder_.At(Error(ErrorClass::GROUP_BY_POS_AGGREGATE,
                            {{"index", std::to_string(position)},
                             {"aggExpr", text + " AS " + QuotedIfNeeded(entry.name)}}),
                      origin);
  }
  return entry.bound;
}

Result<BoundExpressionPtr> SelectBinder::BindGroupingExpression(
    const plan::ExpressionPtr& expression) {
  if (const int64_t* position = OrdinalOf(*expression))
    return GroupingOrdinal(*position, expression->origin);
  ExpressionScope scope{.scopes = {&input_->scope}};
  scope.operator_name = "Aggregate";
  scope.operator_origin = origin_;
  // GROUP BY may name an expression of the list by its alias, if no column has that name.
  scope.aliases = [this](const std::vector<std::string>& parts,
                         const plan::Origin& origin) -> Result<BoundExpressionPtr> {
    for (size_t i = 0; i < entries_.size(); ++i) {
      Entry& entry = entries_[i];
      if (entry.generator || entry.binding || entry.aliases.size() != 1) continue;
      if (!SameName(entry.aliases[0], parts[0], binder_.case_sensitive())) continue;
      entry.binding = true;
      const Status status = BindEntry(i);
      entry.binding = false;
      MERGANSER_RETURN_IF_ERROR(status);
      return binder_.ExtractFields(entry.bound, {parts.begin() + 1, parts.end()}, origin);
    }
    return BoundExpressionPtr();
  };
  MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr bound, binder_.BindExpression(expression, scope));
  if (const BoundExpression* aggregate = FindAggregate(*bound)) {
    return binder_.At(Error(ErrorClass::GROUP_BY_AGGREGATE, {{"sqlExpr", PrintSql(*aggregate)}}),
                      aggregate->origin);
  }
  const BoundExpression* misplaced = FindWindow(*bound);
  if (misplaced == nullptr) misplaced = FindGenerator(*bound);
  if (misplaced != nullptr) {
    return binder_.At(Error(ErrorClass::UNSUPPORTED_EXPR_FOR_OPERATOR,
                            {{"invalidExprSqls", QuotedExpression(*misplaced)}}),
                      origin_);
  }
  std::vector<ColumnId> used;
  CollectColumns(*bound, used);
  for (const ColumnId id : used) {
    if (binder_.IsOuter(id)) return binder_.CorrelatedReference(*bound);
  }
  return bound;
}

size_t SelectBinder::AddGroupingExpression(BoundExpressionPtr expression, bool keep_duplicate) {
  SelectAggregation& aggregation = *aggregation_;
  for (size_t i = 0; i < aggregation.group_by.size(); ++i) {
    if (!keep_duplicate && Equivalent(*aggregation.group_by[i], *expression)) return i;
  }
  // A grouping column is known above by the id that it has below.
  ColumnId id = binder_.NextId();
  if (const auto* column = expression->As<BoundColumnRef>()) {
    const auto& columns = input_->relation->columns;
    const bool is_input =
        std::any_of(columns.begin(), columns.end(),
                    [&](const BoundColumn& other) { return other.id == column->id; });
    const bool used = std::find(aggregation.ids.begin(), aggregation.ids.end(), column->id) !=
                      aggregation.ids.end();
    if (is_input && !used) id = column->id;
  }
  aggregation.group_by.push_back(std::move(expression));
  aggregation.ids.push_back(id);
  return aggregation.group_by.size() - 1;
}

Status SelectBinder::AddGroupingSets(const plan::Aggregate& aggregate) {
  SelectAggregation& aggregation = *aggregation_;
  const int size = static_cast<int>(aggregation.group_by.size());
  switch (aggregate.kind) {
    case plan::GroupingKind::kGroupBy:
      break;
    case plan::GroupingKind::kRollup:
      aggregation.sets = Prefixes(size);
      break;
    case plan::GroupingKind::kCube:
      if (size > 16) {
        return binder_.At(Error(ErrorClass::GROUPING_SIZE_LIMIT_EXCEEDED, {{"maxSize", "16"}}),
                          origin_);
      }
      aggregation.sets = Subsets(size);
      break;
    case plan::GroupingKind::kGroupingSets:
      for (const std::vector<plan::ExpressionPtr>& set : aggregate.grouping_sets) {
        std::vector<int> positions;
        for (const plan::ExpressionPtr& expression : set) {
          MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr bound, BindGroupingExpression(expression));
          const int position = static_cast<int>(AddGroupingExpression(std::move(bound), false));
          if (std::find(positions.begin(), positions.end(), position) == positions.end())
            positions.push_back(position);
        }
        aggregation_->sets.push_back(std::move(positions));
      }
      break;
  }
  return Status::Ok();
}

Status SelectBinder::GroupBy(const plan::Aggregate& aggregate) {
  aggregation_.emplace();
  if (aggregate.group_by_all) {
    MERGANSER_RETURN_IF_ERROR(BindEntries());
    for (const Entry& entry : entries_) {
      if (entry.generator || FindAggregate(*entry.bound) != nullptr) continue;
      AddGroupingExpression(entry.bound, false);
    }
    return LiftItems();
  }
  const bool keep_duplicates =
      aggregate.kind == plan::GroupingKind::kRollup || aggregate.kind == plan::GroupingKind::kCube;
  for (const plan::ExpressionPtr& expression : aggregate.group_by) {
    MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr bound, BindGroupingExpression(expression));
    AddGroupingExpression(std::move(bound), keep_duplicates);
  }
  MERGANSER_RETURN_IF_ERROR(AddGroupingSets(aggregate));
  MERGANSER_RETURN_IF_ERROR(BindEntries());
  return LiftItems();
}

}  // namespace merganser
