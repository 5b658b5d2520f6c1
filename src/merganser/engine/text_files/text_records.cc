// mg_text_records.
#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <duckdb.hpp>
#include <duckdb/common/file_system.hpp>
#include <duckdb/function/table_function.hpp>
#include <duckdb/main/extension/extension_loader.hpp>

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/functions/number_text.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/spark_text.h"
#include "merganser/engine/text_files/record_reader.h"
#include "merganser/engine/text_files/register_text_files.h"
#include "merganser/engine/text_files/text_records_spec.h"

namespace merganser::engine {
namespace {

using duckdb::idx_t;
using duckdb::LogicalType;

/// Bytes that are worth a thread of their own.
constexpr uint64_t kPartSize = uint64_t{16} << 20;

constexpr idx_t kRecordColumn = 0;
constexpr idx_t kFileColumn = 1;

/// A part of a file that one thread reads.
struct FilePart {
  size_t file = 0;
  uint64_t begin = 0;
  uint64_t end = 0;
};

struct RecordsBindData : duckdb::TableFunctionData {
  TextRecordsSpec spec;
  RecordFormat format;
  std::vector<FilePart> parts;
};

struct RecordsGlobalState : duckdb::GlobalTableFunctionState {
  explicit RecordsGlobalState(size_t parts, duckdb::vector<duckdb::column_t> ids)
      : num_parts(parts), columns(std::move(ids)) {}

  idx_t MaxThreads() const override { return std::max<idx_t>(num_parts, 1); }

  size_t num_parts;
  duckdb::vector<duckdb::column_t> columns;
  std::atomic<size_t> next_part = 0;
};

struct RecordsLocalState : duckdb::LocalTableFunctionState {
  std::unique_ptr<RecordReader> reader;
  size_t file = 0;
  bool skips_header = false;
};

bool IsCompressed(const std::string& path) {
  return path.ends_with(".gz") || path.ends_with(".zst") || path.ends_with(".zstd");
}

void CutIntoParts(RecordsBindData& data) {
  for (size_t i = 0; i < data.spec.files.size(); ++i) {
    const auto& file = data.spec.files[i];
    const bool splits = data.format.is_splittable() && !IsCompressed(file.path);
    if (!splits) {
      data.parts.push_back({i, 0, std::numeric_limits<uint64_t>::max()});
      continue;
    }
    for (uint64_t begin = 0; begin < file.size; begin += kPartSize) {
      const bool last = begin + kPartSize >= file.size;
      // The file may have grown since.
      data.parts.push_back(
          {i, begin, last ? std::numeric_limits<uint64_t>::max() : begin + kPartSize});
    }
  }
}

duckdb::unique_ptr<duckdb::FunctionData> BindRecords(duckdb::ClientContext&,
                                                     duckdb::TableFunctionBindInput& input,
                                                     duckdb::vector<LogicalType>& types,
                                                     duckdb::vector<duckdb::string>& names) {
  auto spec = TextRecordsSpec::FromJson(duckdb::StringValue::Get(input.inputs[0]));
  if (!spec.ok()) ThrowError(spec.error());
  auto data = duckdb::make_uniq<RecordsBindData>();
  data->spec = *std::move(spec);
  const auto encoding = FindTextEncoding(data->spec.encoding);
  if (!encoding) ThrowError(Error::Internal("mg_text_records: " + data->spec.encoding));
  RecordFormat& format = data->format;
  format.encoding = *encoding;
  format.line_separator = data->spec.line_separator;
  if (data->spec.whole) format.kind = RecordFormat::Kind::kWhole;
  if (data->spec.csv) {
    auto options = TextFormatOptions::Parse(data->spec.options, TimeZone::Find("UTC"));
    if (!options.ok()) ThrowError(options.error());
    format.kind = RecordFormat::Kind::kCsv;
    format.csv = *std::move(options);
  }
  CutIntoParts(*data);
  types = {LogicalType::VARCHAR, LogicalType::VARCHAR};
  names = {"record", "file"};
  for (const std::string& column : data->spec.folder_columns) {
    types.push_back(LogicalType::VARCHAR);
    names.push_back(column);
  }
  return data;
}

duckdb::unique_ptr<duckdb::GlobalTableFunctionState> StartRecords(
    duckdb::ClientContext&, duckdb::TableFunctionInitInput& input) {
  return duckdb::make_uniq<RecordsGlobalState>(
      input.bind_data->Cast<RecordsBindData>().parts.size(), input.column_ids);
}

duckdb::unique_ptr<duckdb::LocalTableFunctionState> StartRecordsThread(
    duckdb::ExecutionContext&, duckdb::TableFunctionInitInput&, duckdb::GlobalTableFunctionState*) {
  return duckdb::make_uniq<RecordsLocalState>();
}

bool OpenNextPart(duckdb::ClientContext& context, const RecordsBindData& data,
                  RecordsGlobalState& global, RecordsLocalState& local) {
  const size_t next = global.next_part++;
  if (next >= data.parts.size()) return false;
  const FilePart& part = data.parts[next];
  duckdb::FileOpenFlags flags = duckdb::FileFlags::FILE_FLAGS_READ;
  flags.SetCompression(duckdb::FileCompressionType::AUTO_DETECT);
  auto file =
      duckdb::FileSystem::GetFileSystem(context).OpenFile(data.spec.files[part.file].path, flags);
  local.reader = std::make_unique<RecordReader>(std::move(file), data.format, part.begin, part.end);
  local.file = part.file;
  local.skips_header = data.spec.skip_header && part.begin == 0;
  return true;
}

/// A constant text.
void SetText(duckdb::Vector& out, const std::optional<std::string>& text) {
  out.Reference(text ? duckdb::Value(*text) : duckdb::Value(LogicalType::VARCHAR));
}

void ScanRecords(duckdb::ClientContext& context, duckdb::TableFunctionInput& input,
                 duckdb::DataChunk& output) {
  const auto& data = input.bind_data->Cast<RecordsBindData>();
  auto& global = input.global_state->Cast<RecordsGlobalState>();
  auto& local = input.local_state->Cast<RecordsLocalState>();
  idx_t record_place = output.ColumnCount();
  for (idx_t i = 0; i < output.ColumnCount(); ++i) {
    if (global.columns[i] == kRecordColumn) record_place = i;
  }
  const std::string& comment = data.spec.comment;
  idx_t count = 0;
  std::string_view record;
  while (count < STANDARD_VECTOR_SIZE) {
    if (local.reader == nullptr && !OpenNextPart(context, data, global, local)) break;
    if (!local.reader->Next(&record)) {
      local.reader.reset();
      // The other columns are the same for the rows of a chunk.
      if (count > 0) break;
      continue;
    }
    if (data.spec.skip_blank && TrimJava(record).empty()) continue;
    if (!comment.empty() && record.starts_with(comment)) continue;
    if (local.skips_header) {
      local.skips_header = false;
      continue;
    }
    if (record_place < output.ColumnCount()) {
      duckdb::Vector& records = output.data[record_place];
      auto* cells = duckdb::FlatVector::GetData<duckdb::string_t>(records);
      const bool valid = IsValidUtf8(record);
      cells[count] =
          valid ? duckdb::StringVector::AddStringOrBlob(records, record.data(), record.size())
                : duckdb::StringVector::AddString(records, ValidUtf8(record));
    }
    ++count;
  }
  output.SetCardinality(count);
  if (count == 0) return;
  for (idx_t i = 0; i < output.ColumnCount(); ++i) {
    const duckdb::column_t column = global.columns[i];
    if (column == kRecordColumn) continue;
    const auto& file = data.spec.files[local.file];
    if (column == kFileColumn) {
      SetText(output.data[i], file.path);
    } else if (column < data.spec.folder_columns.size() + 2) {
      SetText(output.data[i], file.values[column - 2]);
    } else {
      // A column that nobody reads, where only rows are counted.
      output.data[i].Reference(duckdb::Value(output.data[i].GetType()));
    }
  }
}

}  // namespace

void RegisterTextRecords(duckdb::DatabaseInstance& database) {
  duckdb::TableFunction scan("mg_text_records", {LogicalType::VARCHAR}, ScanRecords, BindRecords,
                             StartRecords, StartRecordsThread);
  scan.projection_pushdown = true;
  duckdb::ExtensionLoader(database, "merganser").RegisterFunction(std::move(scan));
}

}  // namespace merganser::engine
