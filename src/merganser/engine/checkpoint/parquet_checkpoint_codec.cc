#include "merganser/engine/checkpoint/parquet_checkpoint_codec.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <duckdb.hpp>
#include <duckdb/parallel/task_scheduler.hpp>

#include "merganser/base/uuid.h"
#include "merganser/engine/checkpoint/action_file.h"
#include "merganser/engine/checkpoint/action_rows.h"
#include "merganser/engine/checkpoint/action_search.h"
#include "merganser/engine/checkpoint/checkpoint_rows.h"
#include "merganser/engine/checkpoint/checkpoint_schema.h"
#include "merganser/engine/checkpoint/checkpoint_slices.h"
#include "merganser/engine/checkpoint/file_identity.h"
#include "merganser/engine/connection.h"
#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/native.h"
#include "merganser/engine/scan/scan_handle.h"
#include "merganser/engine/sql_text.h"
#include "merganser/engine/type_mapping.h"
#include "merganser/io/local_file_system.h"

namespace merganser::engine {
namespace {

/// A local file that is gone with this object.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string path) : path_(std::move(path)) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::unique_ptr<TemporaryFile> MakeTemporaryFile() {
  return std::make_unique<TemporaryFile>(
      (std::filesystem::temp_directory_path() / ("merganser-checkpoint-" + RandomUuid())).string());
}

bool IsLocal(FileSystem& file_system) {
  return dynamic_cast<LocalFileSystem*>(&file_system) != nullptr;
}

Error CannotUse(const char* operation, const std::string& path) {
  return Error(ErrorClass::FILE_SYSTEM_ERROR,
               {{"operation", operation},
                {"path", path},
                {"reason", "the temporary folder does not take it"}});
}

// The engine's name of a codec as table properties spell it.
std::string Compression(const std::string& codec) {
  std::string name = duckdb::StringUtil::Lower(codec);
  if (name.empty()) return "snappy";
  if (name == "none") return "uncompressed";
  if (name == "lz4" || name == "lz4raw") return "lz4_raw";
  return name;
}

class EngineCheckpointCodec final : public CheckpointCodec {
 public:
  explicit EngineCheckpointCodec(std::shared_ptr<Database> database)
      : database_(std::move(database)) {}

  Status ReadInParts(FileSystem& file_system, const std::vector<std::string>& paths,
                     const CheckpointRead& read, const PartVisitors& visitors) override {
    if (IsLocal(file_system)) return ReadUnchanged(paths, read, visitors);
    std::vector<std::unique_ptr<TemporaryFile>> copies;
    std::vector<std::string> copied;
    for (const std::string& path : paths) {
      MERGANSER_ASSIGN_OR_RETURN(const std::string bytes, file_system.Read(path));
      copied.push_back(copies.emplace_back(MakeTemporaryFile())->path());
      if (!(std::ofstream(copied.back(), std::ios::binary) << bytes).flush())
        return CannotUse("write", copied.back());
    }
    return ReadLocal(copied, paths, read, visitors);
  }

  Result<CheckpointWritten> Write(FileSystem& file_system, const std::string& path,
                                  const CheckpointLayout& layout,
                                  const std::function<Status(ActionVisitor&)>& produce) override {
    std::unique_ptr<TemporaryFile> draft;
    const bool local = IsLocal(file_system);
    if (local) {
      const std::string name = "." + std::string(BaseName(path)) + "." + RandomUuid() + ".tmp";
      draft = std::make_unique<TemporaryFile>(JoinPath(ParentPath(path), name));
    } else {
      draft = MakeTemporaryFile();
    }
    CheckpointWritten written;
    MERGANSER_ASSIGN_OR_RETURN(written.num_actions, WriteLocal(draft->path(), layout, produce));
    written.size_in_bytes = static_cast<int64_t>(std::filesystem::file_size(draft->path()));
    if (local) {
      MERGANSER_RETURN_IF_ERROR(
          file_system.SyncFiles({draft->path()}, std::string(ParentPath(path))));
      MERGANSER_RETURN_IF_ERROR(file_system.Rename(draft->path(), path));
      return written;
    }
    MERGANSER_ASSIGN_OR_RETURN(const std::string bytes, LocalFileSystem().Read(draft->path()));
    MERGANSER_RETURN_IF_ERROR(file_system.Write(path, bytes));
    return written;
  }

 private:
  /// Fails if a file is replaced meanwhile: pieces of two files make no state.
  Status ReadUnchanged(const std::vector<std::string>& paths, const CheckpointRead& read,
                       const PartVisitors& visitors) {
    std::vector<std::optional<FileIdentity>> before;
    for (const std::string& path : paths) before.push_back(FileIdentity::Of(path));
    MERGANSER_RETURN_IF_ERROR(ReadLocal(paths, paths, read, visitors));
    for (size_t i = 0; i < paths.size(); ++i) {
      const auto after = FileIdentity::Of(paths[i]);
      // One that is gone was opened each time before.
      if (!after || after == before[i]) continue;
      return Error(
          ErrorClass::FILE_SYSTEM_ERROR,
          {{"operation", "read"}, {"path", paths[i]}, {"reason", "it was replaced meanwhile"}});
    }
    return Status::Ok();
  }

  /// `paths` is where the files lie now, `names` what errors call them.
  Status ReadLocal(const std::vector<std::string>& paths, const std::vector<std::string>& names,
                   const CheckpointRead& read, const PartVisitors& visitors) {
    MERGANSER_ASSIGN_OR_RETURN(const auto connection, Connection::Open(database_));
    const bool may_need_parsed = read.statistics && !read.statistics_columns.empty() &&
                                 read.actions.Contains(ActionSet::kAdd);
    CheckpointColumns columns;
    columns.actions = read.actions;
    columns.stats = read.statistics;
    const StructType schema = CheckpointSchema(columns);
    const auto threads = static_cast<size_t>(
        duckdb::TaskScheduler::GetScheduler(*connection->native().connection.context)
            .NumberOfThreads());
    std::vector<ScanFile> files;
    std::vector<ScanFile> files_without_text;
    for (size_t i = 0; i < paths.size(); ++i) {
      auto slices = CheckpointSlices(paths[i], schema, paths.size() < threads ? threads : 1);
      if (slices.empty()) continue;
      if (slices.size() > 1 && !read.actions.Contains(ActionSet::kAdd)) {
        // Few of many rows: the others are passed over.
        MERGANSER_ASSIGN_OR_RETURN(auto rows, FindActions(*connection, slices, schema));
        if (rows) {
          slices.resize(1);
          slices[0].selected_rows = [rows] { return rows; };
        }
      }
      // Both forms at once cost twice the time; most files have the text.
      bool has_text = true;
      if (may_need_parsed) {
        MERGANSER_ASSIGN_OR_RETURN(has_text, HasStatisticsText(*connection, paths[i]));
      }
      for (ScanFile& slice : slices) {
        slice.number = static_cast<int64_t>(i);
        (has_text ? files : files_without_text).push_back(std::move(slice));
      }
    }
    CheckpointRows rows{nullptr, read.statistics_columns, names, visitors};
    MERGANSER_RETURN_IF_ERROR(ReadFiles(*connection, columns, std::move(files), rows));
    columns.stats_parsed = read.statistics_columns;
    return ReadFiles(*connection, columns, std::move(files_without_text), rows);
  }

  static Status ReadFiles(Connection& connection, const CheckpointColumns& columns,
                          std::vector<ScanFile> files, CheckpointRows& rows) {
    auto source = std::make_shared<ScanSource>();
    source->schema = CheckpointSchema(columns);
    source->files = std::move(files);
    if (source->schema.empty() || source->files.empty()) return Status::Ok();
    rows.source = std::move(source);
    return ReadCheckpointRows(connection, rows);
  }

  static Result<bool> HasStatisticsText(Connection& connection, const std::string& path) {
    auto source = std::make_shared<ScanSource>();
    source->schema =
        StructType({{"add", DataType::Struct(StructType({{"stats", DataType::String()}}))}});
    source->files = {ScanFile{.path = path}};
    const ScanHandle scan = RegisterScan(source);
    MERGANSER_ASSIGN_OR_RETURN(const auto found,
                               connection.QueryTable("SELECT 1 FROM " + scan.sql() +
                                                     " WHERE add.stats IS NOT NULL LIMIT 1"));
    return found.num_rows() > 0;
  }

  /// Returns the number of actions.
  Result<int64_t> WriteLocal(const std::string& path, const CheckpointLayout& layout,
                             const std::function<Status(ActionVisitor&)>& produce) {
    MERGANSER_ASSIGN_OR_RETURN(const auto connection, Connection::Open(database_));
    CheckpointColumns columns;
    columns.actions = layout.actions;
    columns.stats = layout.stats_as_json;
    if (layout.stats_as_struct) {
      columns.stats_parsed = layout.statistics_columns;
      columns.partition_values_parsed = layout.partition_schema;
    }
    int64_t num_actions = 0;
    Status produced;
    try {
      duckdb::ClientContext& context = *connection->native().connection.context;
      context.RunFunctionInTransaction([&] {
        ActionFile file(context, CheckpointSchema(columns), Compression(layout.compression_codec),
                        path);
        ActionRows rows(columns, [&](duckdb::DataChunk& chunk) { file.Append(chunk); });
        produced = produce(rows);
        if (!produced.ok()) return;
        rows.Finish();
        file.Finish();
        num_actions = rows.num_rows();
      });
    } catch (const std::exception& exception) {
      return FromException(exception);
    }
    MERGANSER_RETURN_IF_ERROR(produced);
    if (num_actions == 0) return Error::Internal("A checkpoint without actions");
    return num_actions;
  }

  std::shared_ptr<Database> database_;
};

}  // namespace

std::shared_ptr<CheckpointCodec> MakeCheckpointCodec(std::shared_ptr<Database> database) {
  return std::make_shared<EngineCheckpointCodec>(std::move(database));
}

}  // namespace merganser::engine
