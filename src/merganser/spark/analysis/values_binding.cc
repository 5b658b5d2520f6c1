#include <algorithm>
#include <string>

#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/analysis/expression_check.h"
#include "merganser/spark/analysis/wider_type.h"
#include "merganser/spark/functions/call_binder.h"

namespace merganser {

Result<Binding> Binder::Bind(const plan::InlineTable& table, const plan::Relation& relation) {
  return BindInlineTable(table, {}, relation.origin);
}

Result<Binding> Binder::BindInlineTable(const plan::InlineTable& table,
                                        const std::vector<std::string>& names,
                                        const plan::Origin& origin) {
  const auto invalid = [&](std::string sub_class, Error::Parameters parameters,
                           const plan::Origin& place) {
    return At(Error(ErrorClass::INVALID_INLINE_TABLE, std::move(parameters), std::move(sub_class)),
              place);
  };
  const size_t width = !names.empty() || table.rows.empty() ? names.size() : table.rows[0].size();
  BoundValues values;
  for (size_t row = 0; row < table.rows.size(); ++row) {
    if (table.rows[row].size() != width) {
      return invalid("NUM_COLUMNS_MISMATCH",
                     {{"expectedNumCols", std::to_string(width)},
                      {"actualNumCols", std::to_string(table.rows[row].size())},
                      {"rowIndex", std::to_string(row)}},
                     origin);
    }
    values.rows.emplace_back();
    for (const plan::ExpressionPtr& expression : table.rows[row]) {
      ExpressionScope nothing;
      MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr value, BindExpression(expression, nothing));
      if (ContainsSubquery(*value)) {
        return At(Error(ErrorClass::UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY, {},
                        "SCALAR_SUBQUERY_IN_VALUES"),
                  origin);
      }
      if (!IsDeterministic(*value) || FindAggregate(*value) != nullptr ||
          FindWindow(*value) != nullptr || FindGenerator(*value) != nullptr) {
        return invalid("CANNOT_EVALUATE_EXPRESSION_IN_INLINE_TABLE",
                       {{"expr", QuotedExpression(*value)}}, expression->origin);
      }
      values.rows.back().push_back(std::move(value));
    }
  }
  std::vector<BoundColumn> columns;
  for (size_t i = 0; i < width; ++i) {
    BoundColumn column;
    column.id = NextId();
    column.name = names.empty() ? "col" + std::to_string(i + 1) : names[i];
    column.nullable = false;
    std::vector<DataType> types;
    for (const auto& row : values.rows) {
      const DataType& type = row[i]->type;
      const bool known =
          std::any_of(types.begin(), types.end(), [&](const auto& other) { return other == type; });
      if (!known) types.push_back(type);
      column.nullable = column.nullable || row[i]->nullable;
    }
    const std::optional<DataType> common = FindWiderTypeWithoutStrings(types, typing_);
    if (!common) {
      return invalid("INCOMPATIBLE_TYPES_IN_INLINE_TABLE",
                     {{"colName", QuotedIdentifier(column.name)}}, origin);
    }
    column.type = *common;
    for (auto& row : values.rows) row[i] = ImplicitCast(row[i], *common, typing_);
    columns.push_back(std::move(column));
  }
  Binding binding;
  binding.relation = MakeBoundRelation(std::move(values), std::move(columns));
  binding.scope = ScopeOf(*binding.relation, {});
  return binding;
}

}  // namespace merganser
