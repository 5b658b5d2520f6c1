#include <algorithm>
#include <string>
#include <utility>

#include <fmt/ranges.h>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/analysis/store_assignment.h"
#include "merganser/spark/functions/cast_rules.h"
#include "merganser/spark/functions/resolve.h"

namespace merganser {

namespace {

/// The statement that makes the view anew.
std::string CreateAgain(const WarehouseEntry& view, const std::vector<std::string>& name) {
  std::vector<std::string> columns;
  for (const StructField& field : *view.schema) columns.push_back(field.name);
  const std::string list = columns == view.view_query_columns
                               ? std::string()
                               : fmt::format("({}) ", fmt::join(columns, ", "));
  return fmt::format("CREATE OR REPLACE VIEW {} {}AS {}", fmt::join(name, "."), list,
                     view.view_text);
}

Result<BoundExpressionPtr> CastTo(BoundExpressionPtr value, const DataType& type,
                                  plan::ViewSchemaMode mode, TypingContext typing) {
  if (mode == plan::ViewSchemaMode::kTypeEvolution || value->type.SameType(type)) return value;
  if (mode == plan::ViewSchemaMode::kBinding && !CanUpCast(value->type, type))
    return NoUpCast(PrintSql(*value), value->type, type);
  typing.ansi = true;
  return ResolveCast(std::move(value), type, /*is_try=*/false, typing);
}

}  // namespace

Result<Binding> Binder::PickViewColumns(const Binding& query, const WarehouseEntry& view,
                                        const std::vector<std::string>& name) const {
  const std::vector<BoundColumn>& given = query.relation->columns;
  const std::vector<std::string>& names = view.view_query_columns;
  BoundProject project{.child = query.relation, .outputs = {}};
  std::vector<BoundColumn> columns;
  for (size_t i = 0; i < names.size(); ++i) {
    const StructField& field = (*view.schema)[i];
    const auto is_called = [&](std::string_view other) {
      return SameName(other, names[i], typing_.case_sensitive);
    };
    std::vector<BoundColumn> candidates;
    std::ranges::copy_if(given, std::back_inserter(candidates), is_called, &BoundColumn::name);
    const auto expected = std::ranges::count_if(names, is_called);
    if (std::ssize(candidates) != expected) {
      std::vector<std::string> found;
      for (const BoundColumn& column : candidates) found.push_back(column.name);
      return Error(ErrorClass::INCOMPATIBLE_VIEW_SCHEMA_CHANGE,
                   {{"viewName", QuotedIdentifier(name)},
                    {"colName", names[i]},
                    {"expectedNum", std::to_string(expected)},
                    {"actualCols", fmt::format("[{}]", fmt::join(found, ","))},
                    {"suggestion", CreateAgain(view, name)}});
    }
    // Columns of the same name are told apart by their order.
    const auto earlier =
        std::count_if(names.begin(), names.begin() + std::ssize(columns), is_called);
    MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr value,
                               CastTo(ColumnReference(candidates[static_cast<size_t>(earlier)]),
                                      field.type, view.view_schema_mode, typing_));
    columns.push_back({.id = NextId(),
                       .name = field.name,
                       .type = value->type,
                       .nullable = value->nullable,
                       .metadata = field.metadata});
    project.outputs.push_back({std::move(value), columns.back().id});
  }
  Binding binding;
  binding.relation = MakeBoundRelation(std::move(project), std::move(columns));
  binding.scope = ScopeOf(*binding.relation, {});
  return binding;
}

}  // namespace merganser
