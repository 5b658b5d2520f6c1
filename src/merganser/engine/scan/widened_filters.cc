#include "merganser/engine/scan/widened_filters.h"

#include <algorithm>
#include <utility>

#include <duckdb/planner/expression/bound_reference_expression.hpp>
#include <duckdb/planner/filter/conjunction_filter.hpp>
#include <duckdb/planner/filter/expression_filter.hpp>

namespace merganser::engine {
namespace {

using duckdb::LogicalType;
using duckdb::TableFilter;
using duckdb::TableFilterType;
using FilterPtr = duckdb::unique_ptr<TableFilter>;

bool IsInteger(const LogicalType& type) {
  return type.IsIntegral() && type.id() != duckdb::LogicalTypeId::HUGEINT &&
         type.id() != duckdb::LogicalTypeId::UHUGEINT;
}

// Does the filter's constant keep its meaning in the file's type, or fail to convert at all?
bool ConvertsExactly(const LogicalType& from_table, const LogicalType& to_file) {
  return from_table == to_file || (IsInteger(from_table) && IsInteger(to_file));
}

// The filter without the parts that need not be applied; null if nothing is left.
FilterPtr Mandatory(const TableFilter& filter) {
  switch (filter.filter_type) {
    case TableFilterType::OPTIONAL_FILTER:
    case TableFilterType::DYNAMIC_FILTER:
    case TableFilterType::BLOOM_FILTER:
      return nullptr;
    case TableFilterType::CONJUNCTION_AND: {
      auto kept = duckdb::make_uniq<duckdb::ConjunctionAndFilter>();
      for (const auto& child : filter.Cast<duckdb::ConjunctionAndFilter>().child_filters) {
        if (auto part = Mandatory(*child)) kept->child_filters.push_back(std::move(part));
      }
      if (kept->child_filters.empty()) return nullptr;
      if (kept->child_filters.size() == 1) return std::move(kept->child_filters.front());
      return kept;
    }
    default:
      return filter.Copy();
  }
}

FilterPtr Fit(const TableFilter& filter, const LogicalType& table_type,
              const LogicalType& file_type) {
  auto mandatory = Mandatory(filter);
  const bool convertible = ConvertsExactly(table_type, file_type) && mandatory &&
                           mandatory->filter_type != TableFilterType::STRUCT_EXTRACT;
  if (!mandatory || convertible) return mandatory;
  const duckdb::BoundReferenceExpression column(table_type, 0);
  return duckdb::make_uniq<duckdb::ExpressionFilter>(mandatory->ToExpression(column));
}

}  // namespace

duckdb::unique_ptr<duckdb::TableFilterSet> FitFilters(
    const duckdb::TableFilterSet& filters, const duckdb::vector<duckdb::ColumnIndex>& column_ids,
    const duckdb::vector<duckdb::MultiFileColumnDefinition>& table_columns,
    const duckdb::vector<duckdb::MultiFileColumnDefinition>& file_columns) {
  auto fitted = duckdb::make_uniq<duckdb::TableFilterSet>();
  for (const auto& [position, filter] : filters.filters) {
    const duckdb::column_t column = column_ids[position].GetPrimaryIndex();
    FilterPtr kept;
    if (column < table_columns.size()) {
      const auto& table_column = table_columns[column];
      const auto stored =
          std::find_if(file_columns.begin(), file_columns.end(), [&](const auto& file_column) {
            return file_column.identifier == table_column.identifier;
          });
      const bool same = stored == file_columns.end() || stored->type == table_column.type;
      kept = same ? filter->Copy() : Fit(*filter, table_column.type, stored->type);
    } else {
      kept = filter->Copy();
    }
    if (kept) fitted->filters.emplace(position, std::move(kept));
  }
  return fitted;
}

}  // namespace merganser::engine
