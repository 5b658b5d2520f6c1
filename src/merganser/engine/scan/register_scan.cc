#include "merganser/engine/scan/register_scan.h"

#include <string>
#include <utility>

#include <duckdb.hpp>
#include <duckdb/catalog/catalog_entry/table_function_catalog_entry.hpp>
#include <duckdb/common/multi_file/multi_file_states.hpp>
#include <duckdb/function/partition_stats.hpp>
#include <duckdb/main/extension/extension_loader.hpp>

#include "merganser/engine/scan/data_file_reader.h"
#include "merganser/engine/scan/file_list.h"
#include "merganser/engine/scan/file_read_error.h"
#include "merganser/engine/scan/list_statistics.h"
#include "merganser/engine/scan/scan_handle.h"

namespace merganser::engine {
namespace {

using duckdb::MultiFileReader;
using duckdb::TableFunction;

// The engine's Parquet scan, taken from its catalogue once.
const TableFunction* parquet_scan = nullptr;

void ScanRows(duckdb::ClientContext& context, duckdb::TableFunctionInput& input,
              duckdb::DataChunk& output) {
  try {
    parquet_scan->function(context, input, output);
  } catch (const std::exception& exception) {
    const auto* reader = input.local_state
                             ? input.local_state->Cast<duckdb::MultiFileLocalState>().reader.get()
                             : nullptr;
    RethrowReadError(context, reader ? reader->file.path : "", exception);
  }
}

duckdb::virtual_column_map_t HiddenColumns(duckdb::ClientContext& context,
                                           duckdb::optional_ptr<duckdb::FunctionData> bind_data) {
  auto columns = parquet_scan->get_virtual_columns(context, bind_data);
  for (auto& [id, column] : columns) {
    if (id == MultiFileReader::COLUMN_IDENTIFIER_FILE_INDEX) column.name = kFileIndexColumn;
    if (id == MultiFileReader::COLUMN_IDENTIFIER_FILE_ROW_NUMBER)
      column.name = kFileRowNumberColumn;
    if (id == MultiFileReader::COLUMN_IDENTIFIER_FILENAME) column.name = kFilePathColumn;
  }
  return columns;
}

// Answers count(*), MIN and MAX from the log where it knows.
duckdb::vector<duckdb::PartitionStatistics> StatisticsOfAll(duckdb::ClientContext&,
                                                            duckdb::GetPartitionStatsInput& input) {
  duckdb::vector<duckdb::PartitionStatistics> statistics;
  const auto& files =
      input.bind_data->Cast<duckdb::MultiFileBindData>().file_list->Cast<ScanFileList>();
  if (const auto rows = files.ExactRowCount()) {
    duckdb::PartitionStatistics all;
    all.count = *rows;
    all.count_type = duckdb::CountType::COUNT_EXACT;
    all.partition_row_group = duckdb::make_shared_ptr<ListStatistics>(files);
    statistics.push_back(std::move(all));
  }
  return statistics;
}

}  // namespace

void RegisterScanFunction(duckdb::DatabaseInstance& database) {
  duckdb::ExtensionLoader loader(database, "merganser");
  static const TableFunction original =
      loader.GetTableFunction("parquet_scan")
          .functions.GetFunctionByArguments(*duckdb::Connection(database).context,
                                            {duckdb::LogicalType::VARCHAR});
  parquet_scan = &original;
  TableFunction scan = original;
  scan.name = "mg_scan";
  scan.function = ScanRows;
  scan.get_multi_file_reader = DataFileReader::Create;
  scan.get_virtual_columns = HiddenColumns;
  scan.get_partition_stats = StatisticsOfAll;
  // Plans are never stored, and footers of single files say nothing about a table.
  scan.serialize = nullptr;
  scan.deserialize = nullptr;
  scan.statistics = nullptr;
  loader.RegisterFunction(std::move(scan));
}

}  // namespace merganser::engine
