#include "merganser/engine/checkpoint/parquet_checkpoint_codec.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>

#include "merganser/arrow/column.h"
#include "merganser/base/uuid.h"
#include "merganser/delta/protocol/action_json.h"
#include "merganser/engine/connection.h"
#include "merganser/engine/sql_text.h"

namespace merganser::engine {
namespace {

constexpr const char* kVectorType =
    "STRUCT(storageType VARCHAR, pathOrInlineDv VARCHAR, \"offset\" INTEGER, sizeInBytes INTEGER, cardinality BIGINT, "
    "maxRowIndex BIGINT)";

/// Columns of a checkpoint file ("Checkpoint Schema" in PROTOCOL.md), as the engine's JSON reader takes them.
std::string CheckpointColumns() {
  return fmt::format(
      "{{txn: 'STRUCT(appId VARCHAR, version BIGINT, lastUpdated BIGINT)', "
      "add: 'STRUCT(path VARCHAR, partitionValues MAP(VARCHAR, VARCHAR), size BIGINT, modificationTime BIGINT, "
      "dataChange BOOLEAN, stats VARCHAR, tags MAP(VARCHAR, VARCHAR), deletionVector {0}, baseRowId BIGINT, "
      "defaultRowCommitVersion BIGINT, clusteringProvider VARCHAR)', "
      "remove: 'STRUCT(path VARCHAR, deletionTimestamp BIGINT, dataChange BOOLEAN, extendedFileMetadata BOOLEAN, "
      "partitionValues MAP(VARCHAR, VARCHAR), size BIGINT, deletionVector {0}, baseRowId BIGINT, "
      "defaultRowCommitVersion BIGINT)', "
      "metaData: 'STRUCT(id VARCHAR, \"name\" VARCHAR, description VARCHAR, format STRUCT(provider VARCHAR, options "
      "MAP(VARCHAR, VARCHAR)), schemaString VARCHAR, partitionColumns VARCHAR[], configuration MAP(VARCHAR, VARCHAR), "
      "createdTime BIGINT)', "
      "protocol: 'STRUCT(minReaderVersion INTEGER, minWriterVersion INTEGER, readerFeatures VARCHAR[], writerFeatures "
      "VARCHAR[])', "
      "domainMetadata: 'STRUCT(domain VARCHAR, configuration VARCHAR, removed BOOLEAN)'}}",
      kVectorType);
}

struct NamedKind {
  const char* column;
  ActionSet::Kind kind;
};
constexpr NamedKind kActionColumns[] = {
    {"add", ActionSet::kAdd},
    {"remove", ActionSet::kRemove},
    {"txn", ActionSet::kSetTransaction},
    {"domainMetadata", ActionSet::kDomainMetadata},
    {"metaData", ActionSet::kMetadata},
    {"protocol", ActionSet::kProtocol},
    {"checkpointMetadata", ActionSet::kCheckpointMetadata},
    {"sidecar", ActionSet::kSidecar},
};

/// Writes each action it is given as a line.
class JsonLines final : public ActionVisitor {
 public:
  void Visit(const Protocol& action) override { Append(action); }
  void Visit(const Metadata& action) override { Append(action); }
  void Visit(const AddFile& action) override { Append(action); }
  void Visit(const RemoveFile& action) override { Append(action); }
  void Visit(const SetTransaction& action) override { Append(action); }
  void Visit(const DomainMetadata& action) override { Append(action); }

  const std::string& text() const { return text_; }
  int64_t count() const { return count_; }

 private:
  void Append(Action action) {
    text_ += ToJson(action);
    text_ += '\n';
    ++count_;
  }
  std::string text_;
  int64_t count_ = 0;
};

class ParquetCheckpointCodec final : public CheckpointCodec {
 public:
  explicit ParquetCheckpointCodec(std::shared_ptr<Database> database) : database_(std::move(database)) {}

  Status Read(FileSystem&, const std::string& path, const CheckpointRead& read, ActionVisitor& visitor) override {
    MERGANSER_ASSIGN_OR_RETURN(const auto connection, Connection::Open(database_));
    const std::string file = fmt::format("read_parquet({})", QuoteString(path));
    MERGANSER_ASSIGN_OR_RETURN(const std::string select, SelectOf(*connection, file, read));
    if (select.empty()) return Status::Ok();
    MERGANSER_ASSIGN_OR_RETURN(const auto stream, connection->Query(select));
    MERGANSER_ASSIGN_OR_RETURN(const ArrowSchemaOwner schema, stream->ExportSchema());
    std::string lines;
    for (;;) {
      MERGANSER_ASSIGN_OR_RETURN(const auto batch, stream->Next());
      if (!batch) return Status::Ok();
      MERGANSER_ASSIGN_OR_RETURN(const ArrowColumn column,
                                 ArrowColumn::Make(*schema.get().children[0], batch->column(0), DataType::String()));
      lines.clear();
      for (int64_t row = 0; row < batch->num_rows(); ++row) {
        if (column.IsNull(row)) continue;
        lines += column.Bytes(row);
        lines += '\n';
      }
      MERGANSER_RETURN_IF_ERROR(ReadActions(lines, path, read.actions, visitor));
    }
  }

  Result<CheckpointWritten> Write(FileSystem& file_system, const std::string& path, const CheckpointLayout&,
                                  const std::function<Status(ActionVisitor&)>& produce) override {
    JsonLines lines;
    MERGANSER_RETURN_IF_ERROR(produce(lines));
    const std::string folder(ParentPath(path));
    const std::string stem = JoinPath(folder, fmt::format(".{}.{}", BaseName(path), RandomUuid()));
    const std::string json = stem + ".json";
    const std::string parquet = stem + ".tmp";
    auto written = WriteThrough(file_system, lines, json, parquet, path);
    // Whatever came of it, the intermediate files go; ones that stay are no part of the log.
    [[maybe_unused]] const Status json_gone = file_system.Delete(json);
    if (!written.ok()) {
      [[maybe_unused]] const Status parquet_gone = file_system.Delete(parquet);
    }
    return written;
  }

 private:
  /// A SELECT of one column: the row's action as a line of a commit. Empty if the file has none that are wanted.
  static Result<std::string> SelectOf(Connection& connection, const std::string& file, const CheckpointRead& read) {
    MERGANSER_ASSIGN_OR_RETURN(
        const RowTable described,
        connection.QueryTable(fmt::format("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM {})", file)));
    std::string cases;
    std::string any;
    for (int64_t row = 0; row < described.num_rows(); ++row) {
      const std::string name = described.String(row, 0);
      for (const NamedKind& column : kActionColumns) {
        if (name != column.column || !read.actions.Contains(column.kind)) continue;
        const std::string value = column.kind == ActionSet::kAdd ? AddValue(described.String(row, 1)) : QuoteIdentifier(name);
        const std::string quoted = QuoteIdentifier(name);
        cases += fmt::format(" WHEN {0} IS NOT NULL THEN '{{\"{1}\":' || CAST(to_json({2}) AS VARCHAR) || '}}'", quoted,
                             name, value);
        any += fmt::format("{}{} IS NOT NULL", any.empty() ? "" : " OR ", quoted);
      }
    }
    if (cases.empty()) return std::string();
    return fmt::format("SELECT CASE{} END AS line FROM {} WHERE {}", cases, file, any);
  }

  /// The `add` column without its parsed copies, which would only cost time; statistics that exist in parsed form alone
  /// become text.
  static std::string AddValue(const std::string& type) {
    const bool has_text = type.find("stats VARCHAR") != std::string::npos;
    const bool has_parsed = type.find("stats_parsed ") != std::string::npos;
    std::string fields;
    for (const char* field : {"path", "partitionValues", "size", "modificationTime", "dataChange", "tags",
                              "deletionVector", "baseRowId", "defaultRowCommitVersion", "clusteringProvider"}) {
      if (type.find(fmt::format("{} ", field)) == std::string::npos) continue;
      fields += fmt::format("{} := \"add\".{}, ", field, field);
    }
    if (has_text) {
      fields += "stats := \"add\".stats, ";
    } else if (has_parsed) {
      fields += "stats := CAST(to_json(\"add\".stats_parsed) AS VARCHAR), ";
    }
    fields.resize(fields.size() - 2);
    return fmt::format("struct_pack({})", fields);
  }

  Result<CheckpointWritten> WriteThrough(FileSystem& file_system, const JsonLines& lines, const std::string& json,
                                         const std::string& parquet, const std::string& path) {
    MERGANSER_RETURN_IF_ERROR(file_system.Write(json, lines.text()));
    MERGANSER_ASSIGN_OR_RETURN(const auto connection, Connection::Open(database_));
    MERGANSER_RETURN_IF_ERROR(connection->Execute(fmt::format(
        "COPY (SELECT * FROM read_json({}, format = 'newline_delimited', columns = {}, maximum_object_size = "
        "268435456)) TO {} (FORMAT parquet, COMPRESSION snappy)",
        QuoteString(json), CheckpointColumns(), QuoteString(parquet))));
    MERGANSER_RETURN_IF_ERROR(file_system.SyncFiles({parquet}, std::string(ParentPath(path))));
    MERGANSER_RETURN_IF_ERROR(file_system.Rename(parquet, path));
    MERGANSER_ASSIGN_OR_RETURN(const auto entry, file_system.Stat(path));
    CheckpointWritten written;
    written.num_actions = lines.count();
    written.size_in_bytes = entry ? entry->size : 0;
    return written;
  }

  std::shared_ptr<Database> database_;
};

}  // namespace

std::shared_ptr<CheckpointCodec> MakeCheckpointCodec(std::shared_ptr<Database> database) {
  return std::make_shared<ParquetCheckpointCodec>(std::move(database));
}

}  // namespace merganser::engine
