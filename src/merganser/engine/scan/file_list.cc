#include "merganser/engine/scan/file_list.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <duckdb/common/multi_file/multi_file_reader.hpp>

#include "merganser/engine/scan/column_bounds.h"
#include "merganser/engine/scan/constant_columns.h"
#include "merganser/engine/scan/file_bounds.h"
#include "merganser/engine/scan/key_set_filter.h"

namespace merganser::engine {
namespace {

using duckdb::MultiFileReader;
using duckdb::Value;

bool MeetsKeySets(const ScanSource& source, const ScanFile& file) {
  return std::all_of(source.key_sets.begin(), source.key_sets.end(), [&](const auto& entry) {
    const int column = source.schema.IndexOf(entry.first);
    if (column < 0) return true;
    const StructField& field = source.schema[static_cast<size_t>(column)];
    if (const auto constant = ConstantOf(source, file, field))
      return MayHoldKey(entry.second, *constant, *constant);
    const auto leaf = FindLeaf(source, static_cast<size_t>(column), {});
    if (!leaf) return true;
    const ColumnBounds bounds = BoundsFromStatistics(file, *leaf);
    return MayHoldKey(entry.second, bounds.min, bounds.max);
  });
}

// A local file by its plain path, whichever way its URI is written.
duckdb::string PlainPath(const std::string& path) {
  if (path.starts_with("file:///")) return path.substr(7);
  if (path.starts_with("file:/")) return path.substr(5);
  return path;
}

duckdb::OpenFileInfo Describe(const ScanFile& file) {
  duckdb::OpenFileInfo info(PlainPath(file.path));
  info.extended_info = duckdb::make_shared_ptr<duckdb::ExtendedOpenFileInfo>();
  auto& options = info.extended_info->options;
  if (file.size >= 0) options["file_size"] = Value::UBIGINT(static_cast<uint64_t>(file.size));
  // Data files never change, so nobody has to ask the store whether they have.
  options["validate_external_file_cache"] = Value::BOOLEAN(false);
  options["has_deletes"] = Value::BOOLEAN(file.deleted_rows || file.selected_rows);
  return info;
}

duckdb::idx_t EstimatedRows(const ScanFile& file) {
  constexpr int64_t kUnknownFile = 100000;
  const int64_t rows = file.num_records < 0 ? kUnknownFile : file.num_records - file.num_deleted;
  return static_cast<duckdb::idx_t>(std::max<int64_t>(rows, 0));
}

}  // namespace

ScanFileList::ScanFileList(std::shared_ptr<const ScanSource> source) : source_(std::move(source)) {
  for (size_t i = 0; i < source_->files.size(); ++i) {
    if (MeetsKeySets(*source_, source_->files[i])) kept_.push_back(i);
  }
}

std::optional<duckdb::idx_t> ScanFileList::ExactRowCount() const {
  if (!source_->key_sets.empty()) return std::nullopt;
  duckdb::idx_t rows = 0;
  for (duckdb::idx_t i = 0; i < kept_.size(); ++i) {
    if (file(i).num_records < 0 || file(i).selected_rows) return std::nullopt;
    rows += EstimatedRows(file(i));
  }
  return rows;
}

bool ScanFileList::MayMatchFile(duckdb::ClientContext& context, size_t index,
                                duckdb::column_t column, const duckdb::TableFilter& filter) const {
  const ScanFile& file = source_->files[index];
  const auto constant = [&](Value value) {
    return MayMatch(context, filter, [&](const auto&) { return ColumnBounds::Constant(value); });
  };
  if (column == MultiFileReader::COLUMN_IDENTIFIER_FILE_INDEX)
    return constant(Value::UBIGINT(source_->FileNumber(index)));
  if (column == MultiFileReader::COLUMN_IDENTIFIER_FILENAME) return constant(Value(file.path));
  if (duckdb::IsVirtualColumn(column) || column >= source_->schema.size()) return true;
  const StructField& field = source_->schema[column];
  if (auto value = ConstantOf(*source_, file, field)) return constant(*std::move(value));
  return MayMatch(context, filter, [&](const std::vector<duckdb::idx_t>& fields) {
    const auto leaf = FindLeaf(*source_, column, fields);
    return leaf ? BoundsFromStatistics(file, *leaf) : ColumnBounds();
  });
}

duckdb::unique_ptr<duckdb::MultiFileList> ScanFileList::DynamicFilterPushdown(
    duckdb::ClientContext& context, const duckdb::MultiFileOptions&,
    const duckdb::vector<duckdb::string>&, const duckdb::vector<duckdb::LogicalType>&,
    const duckdb::vector<duckdb::column_t>& column_ids, duckdb::TableFilterSet& filters) const {
  std::vector<size_t> kept;
  for (const size_t index : kept_) {
    const bool may_match =
        std::all_of(filters.filters.begin(), filters.filters.end(), [&](const auto& entry) {
          return MayMatchFile(context, index, column_ids[entry.first], *entry.second);
        });
    if (may_match) kept.push_back(index);
  }
  return duckdb::unique_ptr<duckdb::MultiFileList>(new ScanFileList(source_, std::move(kept)));
}

duckdb::vector<duckdb::OpenFileInfo> ScanFileList::GetAllFiles() const {
  duckdb::vector<duckdb::OpenFileInfo> files;
  for (duckdb::idx_t i = 0; i < kept_.size(); ++i) files.push_back(Describe(file(i)));
  return files;
}

duckdb::FileExpandResult ScanFileList::GetExpandResult() const {
  return kept_.empty() ? duckdb::FileExpandResult::NO_FILES
                       : duckdb::FileExpandResult::MULTIPLE_FILES;
}

duckdb::unique_ptr<duckdb::NodeStatistics> ScanFileList::GetCardinality(
    duckdb::ClientContext&) const {
  duckdb::idx_t rows = 0;
  for (duckdb::idx_t i = 0; i < kept_.size(); ++i) rows += EstimatedRows(file(i));
  return duckdb::make_uniq<duckdb::NodeStatistics>(rows, rows);
}

duckdb::unique_ptr<duckdb::MultiFileList> ScanFileList::Copy() const {
  return duckdb::unique_ptr<duckdb::MultiFileList>(new ScanFileList(source_, kept_));
}

duckdb::OpenFileInfo ScanFileList::GetFile(duckdb::idx_t i) const {
  return i < kept_.size() ? Describe(file(i)) : duckdb::OpenFileInfo();
}

}  // namespace merganser::engine
