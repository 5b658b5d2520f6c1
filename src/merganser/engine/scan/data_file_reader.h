#pragma once

#include <memory>

#include <duckdb.hpp>
#include <duckdb/common/multi_file/multi_file_reader.hpp>

#include "merganser/engine/scan/scan_source.h"

namespace merganser::engine {

/// Makes the engine's Parquet scan read the files of a ScanSource: schema, constants, deleted rows
/// and errors are the table's, decoding is the engine's.
struct DataFileReader final : public duckdb::MultiFileReader {
  static duckdb::unique_ptr<duckdb::MultiFileReader> Create(const duckdb::TableFunction& function);

  /// `paths` is the one name of a registered source.
  duckdb::shared_ptr<duckdb::MultiFileList> CreateFileList(
      duckdb::ClientContext& context, const duckdb::vector<duckdb::string>& paths,
      const duckdb::FileGlobInput& glob_input) override;
  bool Bind(duckdb::MultiFileOptions& options, duckdb::MultiFileList& files,
            duckdb::vector<duckdb::LogicalType>& types, duckdb::vector<duckdb::string>& names,
            duckdb::MultiFileReaderBindData& bind_data) override;
  void BindOptions(duckdb::MultiFileOptions& options, duckdb::MultiFileList& files,
                   duckdb::vector<duckdb::LogicalType>& types,
                   duckdb::vector<duckdb::string>& names,
                   duckdb::MultiFileReaderBindData& bind_data) override;
  duckdb::unique_ptr<duckdb::MultiFileReaderGlobalState> InitializeGlobalState(
      duckdb::ClientContext& context, const duckdb::MultiFileOptions& options,
      const duckdb::MultiFileReaderBindData& bind_data, const duckdb::MultiFileList& files,
      const duckdb::vector<duckdb::MultiFileColumnDefinition>& columns,
      const duckdb::vector<duckdb::ColumnIndex>& column_ids) override;

  using duckdb::MultiFileReader::CreateReader;
  duckdb::shared_ptr<duckdb::BaseFileReader> CreateReader(
      duckdb::ClientContext& context, duckdb::GlobalTableFunctionState& state,
      const duckdb::OpenFileInfo& file, duckdb::idx_t file_number,
      const duckdb::MultiFileBindData& bind_data) override;
  duckdb::ReaderInitializeType InitializeReader(
      duckdb::MultiFileReaderData& reader_data, const duckdb::MultiFileBindData& bind_data,
      const duckdb::vector<duckdb::MultiFileColumnDefinition>& columns,
      const duckdb::vector<duckdb::ColumnIndex>& column_ids,
      duckdb::optional_ptr<duckdb::TableFilterSet> filters, duckdb::ClientContext& context,
      duckdb::MultiFileGlobalState& state) override;
  void FinalizeBind(duckdb::MultiFileReaderData& reader_data,
                    const duckdb::MultiFileOptions& options,
                    const duckdb::MultiFileReaderBindData& bind_data,
                    const duckdb::vector<duckdb::MultiFileColumnDefinition>& columns,
                    const duckdb::vector<duckdb::ColumnIndex>& column_ids,
                    duckdb::ClientContext& context,
                    duckdb::optional_ptr<duckdb::MultiFileReaderGlobalState> state) override;
  void FinalizeChunk(duckdb::ClientContext& context, const duckdb::MultiFileBindData& bind_data,
                     duckdb::BaseFileReader& reader, const duckdb::MultiFileReaderData& reader_data,
                     duckdb::DataChunk& input, duckdb::DataChunk& output,
                     duckdb::ExpressionExecutor& executor,
                     duckdb::optional_ptr<duckdb::MultiFileReaderGlobalState> state) override;
  duckdb::unique_ptr<duckdb::MultiFileReader> Copy() const override;
};

}  // namespace merganser::engine
