// COPY ... TO ... (FORMAT mg_lines).
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <duckdb.hpp>
#include <duckdb/common/file_system.hpp>
#include <duckdb/function/copy_function.hpp>
#include <duckdb/main/extension/extension_loader.hpp>
#include <duckdb/parser/parsed_data/copy_info.hpp>

#include "merganser/base/json.h"
#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/text_files/register_text_files.h"
#include "merganser/engine/text_files/text_encoding.h"

namespace merganser::engine {
namespace {

/// Bytes that a thread keeps before it writes them.
constexpr size_t kBufferSize = size_t{1} << 20;

struct LineWriterData : duckdb::FunctionData {
  std::string header;  ///< A first line; nothing if empty.
  std::string line_separator = "\n";
  TextEncoding encoding = TextEncoding::kUtf8;
  bool gzip = false;

  duckdb::unique_ptr<duckdb::FunctionData> Copy() const override {
    return duckdb::make_uniq<LineWriterData>(*this);
  }
  bool Equals(const duckdb::FunctionData& other) const override { return this == &other; }
};

struct LineFile : duckdb::GlobalFunctionData {
  void Write(const LineWriterData& data, const std::string& text) {
    const std::string bytes = EncodeText(data.encoding, text);
    const std::lock_guard lock(mutex);
    file->Write(const_cast<char*>(bytes.data()), bytes.size());
  }

  std::mutex mutex;
  duckdb::unique_ptr<duckdb::FileHandle> file;
};

struct LineBuffer : duckdb::LocalFunctionData {
  std::string text;
};

duckdb::unique_ptr<duckdb::FunctionData> BindLineWriter(
    duckdb::ClientContext&, duckdb::CopyFunctionBindInput& input,
    const duckdb::vector<duckdb::string>&, const duckdb::vector<duckdb::LogicalType>& types) {
  if (types.size() != 1 || types[0] != duckdb::LogicalType::VARCHAR)
    ThrowError(Error::Internal("mg_lines: not one column of texts"));
  auto data = duckdb::make_uniq<LineWriterData>();
  const auto option = input.info.options.find("spec");
  if (option == input.info.options.end() || option->second.empty()) return data;
  const auto spec = Json::Parse(option->second[0].ToString());
  if (!spec.ok()) ThrowError(spec.error());
  data->header = spec->string_or("header");
  data->line_separator = spec->string_or("lineSeparator", "\n");
  data->encoding =
      FindTextEncoding(spec->string_or("encoding", "utf-8")).value_or(TextEncoding::kUtf8);
  data->gzip = spec->bool_or("gzip", false);
  return data;
}

duckdb::unique_ptr<duckdb::GlobalFunctionData> OpenLines(duckdb::ClientContext& context,
                                                         duckdb::FunctionData& bind_data,
                                                         const duckdb::string& path) {
  const auto& data = bind_data.Cast<LineWriterData>();
  auto open = duckdb::make_uniq<LineFile>();
  duckdb::FileOpenFlags flags = duckdb::FileFlags::FILE_FLAGS_WRITE;
  flags |= duckdb::FileFlags::FILE_FLAGS_FILE_CREATE_NEW;
  if (data.gzip) flags.SetCompression(duckdb::FileCompressionType::GZIP);
  open->file = duckdb::FileSystem::GetFileSystem(context).OpenFile(path, flags);
  if (!data.header.empty()) open->Write(data, data.header + data.line_separator);
  return open;
}

duckdb::unique_ptr<duckdb::LocalFunctionData> MakeLineBuffer(duckdb::ExecutionContext&,
                                                             duckdb::FunctionData&) {
  return duckdb::make_uniq<LineBuffer>();
}

void AppendLines(duckdb::ExecutionContext&, duckdb::FunctionData& bind_data,
                 duckdb::GlobalFunctionData& global, duckdb::LocalFunctionData& local,
                 duckdb::DataChunk& input) {
  const auto& data = bind_data.Cast<LineWriterData>();
  std::string& buffer = local.Cast<LineBuffer>().text;
  duckdb::UnifiedVectorFormat lines;
  input.data[0].ToUnifiedFormat(input.size(), lines);
  for (duckdb::idx_t row = 0; row < input.size(); ++row) {
    const auto at = lines.sel->get_index(row);
    if (lines.validity.RowIsValid(at)) buffer += Cell<std::string_view>::Read(lines, at);
    buffer += data.line_separator;
  }
  if (buffer.size() < kBufferSize) return;
  global.Cast<LineFile>().Write(data, buffer);
  buffer.clear();
}

void FlushLines(duckdb::ExecutionContext&, duckdb::FunctionData& bind_data,
                duckdb::GlobalFunctionData& global, duckdb::LocalFunctionData& local) {
  std::string& buffer = local.Cast<LineBuffer>().text;
  if (!buffer.empty()) global.Cast<LineFile>().Write(bind_data.Cast<LineWriterData>(), buffer);
  buffer.clear();
}

void CloseLines(duckdb::ClientContext&, duckdb::FunctionData&, duckdb::GlobalFunctionData& global) {
  global.Cast<LineFile>().file->Close();
}

/// Rows that come in an order are written in it.
duckdb::CopyFunctionExecutionMode LineWriterMode(bool preserve_order, bool) {
  return preserve_order ? duckdb::CopyFunctionExecutionMode::REGULAR_COPY_TO_FILE
                        : duckdb::CopyFunctionExecutionMode::PARALLEL_COPY_TO_FILE;
}

}  // namespace

void RegisterLineWriter(duckdb::DatabaseInstance& database) {
  duckdb::CopyFunction writer("mg_lines");
  writer.copy_to_bind = BindLineWriter;
  writer.copy_to_initialize_global = OpenLines;
  writer.copy_to_initialize_local = MakeLineBuffer;
  writer.copy_to_sink = AppendLines;
  writer.copy_to_combine = FlushLines;
  writer.copy_to_finalize = CloseLines;
  writer.execution_mode = LineWriterMode;
  writer.extension = "txt";
  duckdb::ExtensionLoader(database, "merganser").RegisterFunction(std::move(writer));
}

}  // namespace merganser::engine
