#include "merganser/engine/scan/data_file_reader.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <duckdb/planner/filter/conjunction_filter.hpp>

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/native.h"
#include "merganser/engine/scan/column_conversion.h"
#include "merganser/engine/scan/constant_columns.h"
#include "merganser/engine/scan/file_columns.h"
#include "merganser/engine/scan/file_list.h"
#include "merganser/engine/scan/file_read_error.h"
#include "merganser/engine/scan/key_set_filter.h"
#include "merganser/engine/scan/row_filter.h"
#include "merganser/engine/scan/scan_handle.h"
#include "merganser/engine/scan/widened_filters.h"

namespace merganser::engine {
namespace {

using duckdb::MultiFileGlobalIndex;
using duckdb::MultiFileLocalIndex;
using duckdb::ReaderInitializeType;
using duckdb::Value;

std::shared_ptr<const DeletionVector> Load(const RowSetLoader& loader, const std::string& path) {
  if (!loader) return nullptr;
  auto rows = loader();
  if (rows.ok()) return *std::move(rows);
  // That a file is gone is said of data files alone: this one is there, and cannot be read.
  if (rows.error().error_class() == ErrorClass::FAILED_READ_FILE) {
    ThrowError(Error(ErrorClass::FAILED_READ_FILE, {{"path", path}}, "NO_HINT")
                   .CausedBy(std::move(rows).error()));
  }
  ThrowError(rows.error());
}

// Columns that the engine's reader must not convert itself.
std::vector<ConvertedColumn> FindConversions(
    const ScanSource& source,
    const duckdb::vector<duckdb::MultiFileColumnDefinition>& table_columns,
    const duckdb::vector<duckdb::MultiFileColumnDefinition>& file_columns) {
  std::vector<ConvertedColumn> converted;
  for (size_t i = 0; i < table_columns.size(); ++i) {
    for (size_t k = 0; k < file_columns.size(); ++k) {
      if (file_columns[k].identifier != table_columns[i].identifier) continue;
      auto conversion = FindConversion(source.schema[i].type, table_columns[i], file_columns[k]);
      if (conversion) converted.push_back({i, k, std::move(conversion)});
    }
  }
  return converted;
}

void AddKeySets(const std::shared_ptr<const ScanSource>& source,
                const duckdb::vector<duckdb::MultiFileColumnDefinition>& table_columns,
                duckdb::BaseFileReader& reader) {
  for (const auto& [name, keys] : source->key_sets) {
    const int column = source->schema.IndexOf(name);
    if (column < 0) continue;
    const auto& table_column = table_columns[static_cast<size_t>(column)];
    for (duckdb::idx_t i = 0; i < reader.column_ids.size(); ++i) {
      const duckdb::idx_t file_column = reader.column_ids[MultiFileLocalIndex(i)];
      if (file_column >= reader.columns.size()) continue;
      const auto& stored = reader.columns[file_column];
      // Row numbers, which the reader puts among the file's columns, have no number of ours.
      if (stored.identifier.IsNull() || stored.identifier != table_column.identifier ||
          stored.type != table_column.type)
        continue;
      if (!reader.filters) reader.filters = duckdb::make_uniq<duckdb::TableFilterSet>();
      auto& filter = reader.filters->filters[i];
      auto both = duckdb::make_uniq<duckdb::ConjunctionAndFilter>();
      if (filter) both->child_filters.push_back(std::move(filter));
      both->child_filters.push_back(duckdb::make_uniq<KeySetFilter>(source, keys));
      if (both->child_filters.size() == 1) {
        filter = std::move(both->child_filters[0]);
      } else {
        filter = std::move(both);
      }
    }
  }
}

}  // namespace

duckdb::unique_ptr<duckdb::MultiFileReader> DataFileReader::Create(const duckdb::TableFunction&) {
  return duckdb::make_uniq<DataFileReader>();
}

duckdb::unique_ptr<duckdb::MultiFileReader> DataFileReader::Copy() const {
  return duckdb::make_uniq<DataFileReader>();
}

duckdb::shared_ptr<duckdb::MultiFileList> DataFileReader::CreateFileList(
    duckdb::ClientContext&, const duckdb::vector<duckdb::string>& paths,
    const duckdb::FileGlobInput&) {
  auto source = paths.empty() ? nullptr : FindScan(paths[0]);
  if (!source) ThrowError(Error::Internal("A statement refers to a scan that has been released"));
  return duckdb::make_shared_ptr<ScanFileList>(std::move(source));
}

bool DataFileReader::Bind(duckdb::MultiFileOptions&, duckdb::MultiFileList& files,
                          duckdb::vector<duckdb::LogicalType>& types,
                          duckdb::vector<duckdb::string>& names,
                          duckdb::MultiFileReaderBindData& bind_data) {
  for (const auto& column : TableColumns(*files.Cast<ScanFileList>().source())) {
    types.push_back(column.type);
    names.push_back(column.name);
  }
  bind_data.mapping = duckdb::MultiFileColumnMappingMode::BY_FIELD_ID;
  return true;
}

void DataFileReader::BindOptions(duckdb::MultiFileOptions& options, duckdb::MultiFileList& files,
                                 duckdb::vector<duckdb::LogicalType>& types,
                                 duckdb::vector<duckdb::string>& names,
                                 duckdb::MultiFileReaderBindData& bind_data) {
  options.auto_detect_hive_partitioning = false;
  options.hive_partitioning = false;
  options.union_by_name = false;
  MultiFileReader::BindOptions(options, files, types, names, bind_data);
  bind_data.schema = TableColumns(*files.Cast<ScanFileList>().source());
}

duckdb::unique_ptr<duckdb::MultiFileReaderGlobalState> DataFileReader::InitializeGlobalState(
    duckdb::ClientContext&, const duckdb::MultiFileOptions&, const duckdb::MultiFileReaderBindData&,
    const duckdb::MultiFileList& files, const duckdb::vector<duckdb::MultiFileColumnDefinition>&,
    const duckdb::vector<duckdb::ColumnIndex>&) {
  return duckdb::make_uniq<duckdb::MultiFileReaderGlobalState>(
      duckdb::vector<duckdb::LogicalType>(), &files);
}

duckdb::shared_ptr<duckdb::BaseFileReader> DataFileReader::CreateReader(
    duckdb::ClientContext& context, duckdb::GlobalTableFunctionState& state,
    const duckdb::OpenFileInfo& file, duckdb::idx_t file_number,
    const duckdb::MultiFileBindData& bind_data) {
  try {
    auto reader = MultiFileReader::CreateReader(context, state, file, file_number, bind_data);
    const auto size = file.extended_info->options.find("file_size");
    if (size != file.extended_info->options.end()) {
      StatementCounters::Of(context).bytes_opened += size->second.GetValue<uint64_t>();
    }
    return reader;
  } catch (const std::exception& exception) {
    RethrowOpenError(context, file.path, exception);
  }
}

ReaderInitializeType DataFileReader::InitializeReader(
    duckdb::MultiFileReaderData& reader_data, const duckdb::MultiFileBindData& bind_data,
    const duckdb::vector<duckdb::MultiFileColumnDefinition>& columns,
    const duckdb::vector<duckdb::ColumnIndex>& column_ids,
    duckdb::optional_ptr<duckdb::TableFilterSet> filters, duckdb::ClientContext& context,
    duckdb::MultiFileGlobalState& state) {
  duckdb::BaseFileReader& reader = *reader_data.reader;
  const auto& files = state.multi_file_reader_state->file_list->Cast<ScanFileList>();
  const ScanFile& file = files.file(reader.file_list_idx.GetIndex());
  NumberFileColumns(*files.source(), columns, file.path, reader.columns);

  duckdb::unique_ptr<duckdb::TableFilterSet> fitted;
  if (filters) fitted = FitFilters(*filters, column_ids, columns, reader.columns);
  const auto converted = FindConversions(*files.source(), columns, reader.columns);
  const auto outcome = MultiFileReader::InitializeReader(
      reader_data, bind_data,
      converted.empty() ? columns : WithoutConversion(columns, reader.columns, converted),
      column_ids, fitted.get(), context, state);
  if (outcome != ReaderInitializeType::INITIALIZED) return outcome;

  AddConversions(converted, column_ids, reader_data);
  AddKeySets(files.source(), columns, reader);
  auto deleted = Load(file.deleted_rows, file.path);
  const auto selected = Load(file.selected_rows, file.path);
  if (deleted || selected) {
    reader.deletion_filter = duckdb::make_uniq<RowFilter>(std::move(deleted), selected.get());
  }
  return outcome;
}

void DataFileReader::FinalizeBind(duckdb::MultiFileReaderData& reader_data,
                                  const duckdb::MultiFileOptions&,
                                  const duckdb::MultiFileReaderBindData&,
                                  const duckdb::vector<duckdb::MultiFileColumnDefinition>&,
                                  const duckdb::vector<duckdb::ColumnIndex>& column_ids,
                                  duckdb::ClientContext&,
                                  duckdb::optional_ptr<duckdb::MultiFileReaderGlobalState> state) {
  const auto& files = state->file_list->Cast<ScanFileList>();
  const duckdb::idx_t number = reader_data.reader->file_list_idx.GetIndex();
  const ScanFile& file = files.file(number);
  const ScanSource& source = *files.source();
  for (duckdb::idx_t i = 0; i < column_ids.size(); ++i) {
    const duckdb::column_t column = column_ids[i].GetPrimaryIndex();
    const MultiFileGlobalIndex position(i);
    if (column == COLUMN_IDENTIFIER_FILENAME) {
      reader_data.constant_map.Add(position, Value(file.path));
    } else if (column == COLUMN_IDENTIFIER_FILE_INDEX) {
      // Not the number in the pruned list: two scans of one statement must agree on it.
      reader_data.constant_map.Add(position,
                                   Value::UBIGINT(source.FileNumber(files.file_index(number))));
    } else if (!duckdb::IsVirtualColumn(column)) {
      if (auto value = ConstantOf(source, file, source.schema[column]))
        reader_data.constant_map.Add(position, *value);
    }
  }
}

void DataFileReader::FinalizeChunk(duckdb::ClientContext&, const duckdb::MultiFileBindData&,
                                   duckdb::BaseFileReader&, const duckdb::MultiFileReaderData&,
                                   duckdb::DataChunk& input, duckdb::DataChunk& output,
                                   duckdb::ExpressionExecutor& executor,
                                   duckdb::optional_ptr<duckdb::MultiFileReaderGlobalState>) {
  executor.SetChunk(input);
  for (duckdb::idx_t i = 0; i < executor.expressions.size(); ++i)
    executor.ExecuteExpression(i, output.data[i]);
  output.SetCardinality(input.size());
}

}  // namespace merganser::engine
