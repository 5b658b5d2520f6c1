// mg_read_json and mg_read_csv.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <duckdb.hpp>
#include <duckdb/execution/execution_context.hpp>
#include <duckdb/function/table_function.hpp>
#include <duckdb/main/extension/extension_loader.hpp>

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/functions/csv_values.h"
#include "merganser/engine/functions/json_values.h"
#include "merganser/engine/functions/number_text.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/spark_type.h"
#include "merganser/engine/logical_type.h"
#include "merganser/engine/text_files/register_text_files.h"

namespace merganser::engine {
namespace {

using duckdb::idx_t;
using duckdb::LogicalType;

/// Columns of the input before those that are handed on: the record and its file.
constexpr idx_t kOwnColumns = 2;

struct ReaderBindData : duckdb::TableFunctionData {
  DataType schema;
  TextFormatOptions options;
  int corrupt = -1;  ///< The column for records that do not fit.
};

/// The place of a record's text within a chunk, and of the rows that came from it.
struct RecordRows {
  std::string_view text;
  std::string_view file;
};

[[noreturn]] void FailMalformed(const RecordRows& record) {
  if (record.file.empty()) ThrowMalformedRecord(CallSite(), record.text);
  const std::string scheme = record.file.starts_with("/") ? "file://" : "";
  ThrowError(Error(ErrorClass::FAILED_READ_FILE, {{"path", scheme + std::string(record.file)}},
                   "NO_HINT"));
}

/// Reads the records of one thread; a chunk of output at a time.
class RowReader : public duckdb::LocalTableFunctionState {
 public:
  explicit RowReader(const ReaderBindData& data) : data_(data) {}

  /// True if there is more to come from the same input.
  bool Read(duckdb::DataChunk& input, duckdb::DataChunk& output) {
    duckdb::UnifiedVectorFormat texts;
    duckdb::UnifiedVectorFormat files;
    input.data[0].ToUnifiedFormat(input.size(), texts);
    input.data[1].ToUnifiedFormat(input.size(), files);
    duckdb::SelectionVector sources(STANDARD_VECTOR_SIZE);
    idx_t count = 0;
    while (next_ < input.size() && count < STANDARD_VECTOR_SIZE) {
      const auto at = texts.sel->get_index(next_);
      RecordRows record;
      if (texts.validity.RowIsValid(at)) record.text = Cell<std::string_view>::Read(texts, at);
      const auto file_at = files.sel->get_index(next_);
      if (files.validity.RowIsValid(file_at))
        record.file = Cell<std::string_view>::Read(files, file_at);
      const idx_t begin = count;
      const bool whole = texts.validity.RowIsValid(at) ? ReadRecord(record, output, &count) : true;
      for (idx_t row = begin; row < count; ++row) sources.set_index(row, next_);
      if (!whole) break;
      ++next_;
    }
    const size_t own = data_.schema.fields().size();
    for (idx_t i = kOwnColumns; i < input.ColumnCount(); ++i)
      output.data[own + i - kOwnColumns].Slice(input.data[i], sources, count);
    output.SetCardinality(count);
    if (next_ < input.size()) return true;
    next_ = 0;
    return false;
  }

 protected:
  /// Append the rows of a record; false if they do not all fit and it has to be read on.
  virtual bool ReadRecord(const RecordRows& record, duckdb::DataChunk& output, idx_t* count) = 0;

  /// The rows from `begin` until before `*count` did not fit.
  void Reject(const RecordRows& record, duckdb::DataChunk& output, idx_t begin, idx_t* count) {
    if (data_.options.fail_fast) FailMalformed(record);
    if (data_.options.drop_malformed) {
      for (size_t i = 0; i < data_.schema.fields().size(); ++i) {
        for (idx_t row = begin; row < *count; ++row) Restore(output.data[i], row);
      }
      *count = begin;
      return;
    }
    if (data_.corrupt < 0) return;
    duckdb::Vector& column = output.data[static_cast<size_t>(data_.corrupt)];
    for (idx_t row = begin; row < *count; ++row) {
      duckdb::FlatVector::Validity(column).SetValid(row);
      WriteCell<std::string_view>(column, row, record.text);
    }
  }
  void WriteNulls(duckdb::DataChunk& output, idx_t row) {
    for (size_t i = 0; i < data_.schema.fields().size(); ++i) WriteNull(output.data[i], row);
  }

  const ReaderBindData& data_;

 private:
  /// Make a row that may be NULL ready to be written again.
  static void Restore(duckdb::Vector& column, idx_t row) {
    duckdb::FlatVector::Validity(column).SetValid(row);
    if (column.GetType().InternalType() != duckdb::PhysicalType::STRUCT) return;
    for (auto& field : duckdb::StructVector::GetEntries(column)) Restore(*field, row);
  }

  idx_t next_ = 0;  ///< Row of the input.
};

class JsonRowReader final : public RowReader {
 public:
  explicit JsonRowReader(const ReaderBindData& data)
      : RowReader(data), tape_(data.options.leniency) {}

 protected:
  bool ReadRecord(const RecordRows& record, duckdb::DataChunk& output, idx_t* count) override {
    if (TrimJava(record.text).empty()) return true;
    const idx_t begin = *count;
    // A record that goes on from the last chunk is on the tape.
    if (item_ == 0 && !tape_.Parse(record.text)) return RejectWhole(record, output, begin, count);
    if (tape_[0].kind == JsonKind::kObject) {
      const bool good = WriteObject(0, output, begin);
      *count = begin + 1;
      if (!good) Reject(record, output, begin, count);
      return true;
    }
    if (tape_[0].kind != JsonKind::kArray) return RejectWhole(record, output, begin, count);
    const uint32_t items = tape_[0].count;
    // A chunk of its own, so that all rows of the record are there when one of them does not fit.
    if (item_ == 0 && begin > 0 && items > STANDARD_VECTOR_SIZE - begin) return false;
    if (item_ == 0) node_ = 1;
    bool good = true;
    for (; item_ < items && *count < STANDARD_VECTOR_SIZE; ++item_, node_ = tape_[node_].next) {
      if (tape_[node_].kind != JsonKind::kObject) {
        item_ = 0;
        *count = begin;
        return RejectWhole(record, output, begin, count);
      }
      good = WriteObject(node_, output, (*count)++) && good;
    }
    const bool whole = item_ >= items;
    if (whole) item_ = 0;
    if (!good) Reject(record, output, begin, count);
    return whole;
  }

 private:
  bool RejectWhole(const RecordRows& record, duckdb::DataChunk& output, idx_t begin, idx_t* count) {
    WriteNulls(output, begin);
    *count = begin + 1;
    Reject(record, output, begin, count);
    return true;
  }

  bool WriteObject(uint32_t node, duckdb::DataChunk& output, idx_t row) {
    const StructType& fields = data_.schema.fields();
    bool good = true;
    for (size_t i = 0; i < fields.size(); ++i) {
      const bool corrupt = static_cast<int>(i) == data_.corrupt;
      const auto member = corrupt ? std::nullopt : tape_.Member(node, fields[i].name);
      if (!member) {
        WriteNull(output.data[i], row);
      } else {
        good = WriteJsonValue(fields[i].type, tape_, *member, data_.options, output.data[i], row) ==
                   JsonFit::kGood &&
               good;
      }
    }
    return good;
  }

  JsonTape tape_;
  // Of an array that goes on in the next chunk.
  uint32_t item_ = 0;
  uint32_t node_ = 0;
};

class CsvRowReader final : public RowReader {
 public:
  explicit CsvRowReader(const ReaderBindData& data)
      : RowReader(data),
        tokenizer_(data.options, data.options.multi_line),
        columns_(CsvColumns(data.schema, data.options)) {}

 protected:
  bool ReadRecord(const RecordRows& record, duckdb::DataChunk& output, idx_t* count) override {
    const idx_t row = (*count)++;
    const auto& values = tokenizer_.Split(record.text);
    bool good = values.size() == columns_.size();
    for (size_t i = 0; i < columns_.size(); ++i) {
      duckdb::Vector& column = output.data[columns_[i]];
      if (i >= values.size()) {
        WriteNull(column, row);
      } else {
        const DataType& type = data_.schema.fields()[columns_[i]].type;
        good = WriteCsvValue(type, values[i], data_.options, column, row) && good;
      }
    }
    if (data_.corrupt >= 0) WriteNull(output.data[static_cast<size_t>(data_.corrupt)], row);
    if (!good) Reject(record, output, row, count);
    return true;
  }

 private:
  CsvTokenizer tokenizer_;
  std::vector<size_t> columns_;
};

// Without it the engine would run a whole pipeline that ends here on one thread.
struct ReaderGlobalState : duckdb::GlobalTableFunctionState {
  idx_t MaxThreads() const override { return MAX_THREADS; }
};

duckdb::unique_ptr<duckdb::FunctionData> BindReader(duckdb::ClientContext&,
                                                    duckdb::TableFunctionBindInput& input,
                                                    duckdb::vector<LogicalType>& types,
                                                    duckdb::vector<duckdb::string>& names) {
  const std::string schema = duckdb::StringValue::Get(input.inputs[1]);
  auto parsed = ParseSparkSchema(schema);
  if (!parsed || !parsed->is(TypeId::kStruct))
    ThrowError(Error::Internal("mg_read_json: not a schema: " + schema));
  const std::string zone = duckdb::StringValue::Get(input.inputs[3]);
  auto found = TimeZone::Find(zone);
  if (!found) ThrowError(Error(ErrorClass::INVALID_TIMEZONE, {{"timeZone", "'" + zone + "'"}}));
  auto options =
      TextFormatOptions::Parse(duckdb::StringValue::Get(input.inputs[2]), std::move(found));
  if (!options.ok()) ThrowError(options.error());
  auto data = duckdb::make_uniq<ReaderBindData>();
  data->schema = *std::move(parsed);
  data->options = *std::move(options);
  data->corrupt = data->schema.fields().IndexOf(data->options.corrupt_column, true);
  for (const StructField& field : data->schema.fields()) {
    types.push_back(ToLogicalType(field.type));
    names.push_back(field.name);
  }
  for (size_t i = kOwnColumns; i < input.input_table_types.size(); ++i) {
    types.push_back(input.input_table_types[i]);
    names.push_back(input.input_table_names[i]);
  }
  return data;
}

duckdb::unique_ptr<duckdb::GlobalTableFunctionState> StartReaders(duckdb::ClientContext&,
                                                                  duckdb::TableFunctionInitInput&) {
  return duckdb::make_uniq<ReaderGlobalState>();
}

template <typename Reader>
duckdb::unique_ptr<duckdb::LocalTableFunctionState> StartReader(
    duckdb::ExecutionContext&, duckdb::TableFunctionInitInput& input,
    duckdb::GlobalTableFunctionState*) {
  return duckdb::make_uniq<Reader>(input.bind_data->Cast<ReaderBindData>());
}

duckdb::OperatorResultType ReadChunk(duckdb::ExecutionContext&, duckdb::TableFunctionInput& data,
                                     duckdb::DataChunk& input, duckdb::DataChunk& output) {
  const bool more = data.local_state->Cast<RowReader>().Read(input, output);
  return more ? duckdb::OperatorResultType::HAVE_MORE_OUTPUT
              : duckdb::OperatorResultType::NEED_MORE_INPUT;
}

template <typename Reader>
void RegisterReader(duckdb::ExtensionLoader& loader, const char* name) {
  duckdb::TableFunction reader(
      name, {LogicalType::TABLE, LogicalType::VARCHAR, LogicalType::VARCHAR, LogicalType::VARCHAR},
      nullptr, BindReader, StartReaders, StartReader<Reader>);
  reader.in_out_function = ReadChunk;
  loader.RegisterFunction(std::move(reader));
}

}  // namespace

void RegisterRowReaders(duckdb::DatabaseInstance& database) {
  duckdb::ExtensionLoader loader(database, "merganser");
  RegisterReader<JsonRowReader>(loader, "mg_read_json");
  RegisterReader<CsvRowReader>(loader, "mg_read_csv");
}

}  // namespace merganser::engine
