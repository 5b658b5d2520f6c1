#include "merganser/engine/scan/list_statistics.h"

#include <optional>

#include <duckdb/storage/statistics/numeric_stats.hpp>

#include "merganser/engine/engine_value.h"
#include "merganser/engine/logical_type.h"
#include "merganser/engine/scan/constant_columns.h"
#include "merganser/engine/scan/file_bounds.h"

namespace merganser::engine {
namespace {

using duckdb::BaseStatistics;
using duckdb::NumericStats;
using duckdb::Value;

/// Statistics of a column that grow by one file after the other.
class WholeColumn {
 public:
  explicit WholeColumn(const DataType& type)
      : statistics_(BaseStatistics::CreateEmpty(ToLogicalType(type))) {}

  void AddNulls() { statistics_.SetHasNull(); }
  void AddValues(const Value& min, const Value& max) {
    statistics_.SetHasNoNull();
    if (!NumericStats::HasMin(statistics_) || min < NumericStats::Min(statistics_))
      NumericStats::SetMin(statistics_, min);
    if (!NumericStats::HasMax(statistics_) || max > NumericStats::Max(statistics_))
      NumericStats::SetMax(statistics_, max);
  }

  duckdb::unique_ptr<BaseStatistics> Take() && { return statistics_.ToUnique(); }

 private:
  BaseStatistics statistics_;
};

/// False if the file's values are not known to the last one.
bool Enlarge(const ScanFile& file, const DataType& type, StatisticsReader& reader,
             FileStatistics& read, WholeColumn& column) {
  if (!reader.Read(file.statistics, &read)) return false;
  const ColumnStatistics& known = read.columns[0];
  const bool is_null = known.null_count && known.null_count == read.num_records;
  if (is_null || known.null_count.value_or(1) > 0) column.AddNulls();
  if (is_null) return true;
  const bool is_exact = file.num_deleted == 0 ? read.is_tight() : read.tight_bounds == true;
  if (!is_exact || !known.min || !known.max) return false;
  column.AddValues(ToEngineValue(*known.min, type), ToEngineValue(*known.max, type));
  return true;
}

}  // namespace

duckdb::unique_ptr<BaseStatistics> ListStatistics::GetColumnStatistics(
    const duckdb::StorageIndex& storage_index) {
  const ScanSource& source = *files_.source();
  const size_t position = storage_index.GetPrimaryIndex();
  if (storage_index.HasChildren() || position >= source.schema.size()) return nullptr;
  const StructField& field = source.schema[position];
  if (!field.type.is_integral() && !field.type.is(TypeId::kDate)) return nullptr;
  const auto leaf = FindLeaf(source, position, {});
  StatisticsReader reader({StatisticsColumn{leaf->physical_path, leaf->type}});
  FileStatistics read;
  WholeColumn column(field.type);
  for (duckdb::idx_t i = 0; i < files_.GetTotalFileCount(); ++i) {
    const ScanFile& file = files_.file(i);
    if (file.num_records == file.num_deleted) continue;
    if (const auto constant = ConstantOf(source, file, field)) {
      if (constant->IsNull()) {
        column.AddNulls();
      } else {
        column.AddValues(*constant, *constant);
      }
    } else if (!Enlarge(file, field.type, reader, read, column)) {
      return nullptr;
    }
  }
  return std::move(column).Take();
}

bool ListStatistics::MinMaxIsExact(const BaseStatistics&, const duckdb::StorageIndex&) {
  return true;
}

}  // namespace merganser::engine
