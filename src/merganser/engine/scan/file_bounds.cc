#include "merganser/engine/scan/file_bounds.h"

#include <utility>

#include "merganser/engine/engine_value.h"

namespace merganser::engine {

std::optional<SchemaLeaf> FindLeaf(const ScanSource& source, size_t column,
                                   const std::vector<duckdb::idx_t>& fields) {
  const StructField* field = &source.schema[column];
  SchemaLeaf leaf;
  leaf.physical_path.push_back(PhysicalName(*field, source.column_mapping));
  for (const duckdb::idx_t position : fields) {
    if (!field->type.is(TypeId::kStruct) || position >= field->type.fields().size())
      return std::nullopt;
    field = &field->type.fields()[position];
    leaf.physical_path.push_back(PhysicalName(*field, source.column_mapping));
  }
  if (field->type.is_nested()) return std::nullopt;
  leaf.type = field->type;
  return leaf;
}

ColumnBounds BoundsFromStatistics(const ScanFile& file, const SchemaLeaf& leaf) {
  ColumnBounds bounds;
  if (file.statistics.empty()) return bounds;
  const auto statistics =
      ParseStatistics(file.statistics, {StatisticsColumn{leaf.physical_path, leaf.type}});
  if (!statistics) return bounds;
  const ColumnStatistics* column = statistics->Find(leaf.physical_path);
  if (column == nullptr) return bounds;
  if (column->min) bounds.min = ToEngineValue(*column->min, leaf.type);
  if (column->max) bounds.max = ToEngineValue(*column->max, leaf.type);
  // Deleted rows count in both numbers, so that only the extremes tell something.
  if (column->null_count) {
    bounds.may_be_null = *column->null_count > 0;
    bounds.may_have_value =
        !statistics->num_records || *column->null_count < *statistics->num_records;
  }
  return bounds;
}

}  // namespace merganser::engine
