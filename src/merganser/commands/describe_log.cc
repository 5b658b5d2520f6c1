#include <algorithm>
#include <utility>

#include "merganser/base/json.h"
#include "merganser/commands/clustering.h"
#include "merganser/commands/command_rows.h"
#include "merganser/commands/describe.h"
#include "merganser/commands/target_table.h"
#include "merganser/delta/protocol/table_features.h"
#include "merganser/delta/table/history.h"

namespace merganser {
namespace {

StructField LogField(const char* name) { return {name, DataType::String(), true, {}}; }

CommandCell Strings(const std::vector<std::string>& items) {
  CommandList list;
  for (const std::string& item : items) list.items.emplace_back(item);
  return list;
}

/// A parameter as DESCRIBE HISTORY shows it: text without its quotes, null as NULL, anything else
/// as JSON.
CommandMap ShownParameters(const CommitInfo& info) {
  CommandMap map;
  for (const auto& [key, value] : info.operation_parameters) {
    const auto json = Json::Parse(value);
    if (json.ok() && json->is_null()) {
      map.entries.emplace_back(key, std::nullopt);
    } else {
      map.entries.emplace_back(key, json.ok() && json->is_string() ? json->as_string() : value);
    }
  }
  return map;
}

StructType HistorySchema() {
  const DataType text_map = DataType::Map(DataType::String(), DataType::String());
  const DataType job = DataType::Struct(
      StructType({LogField("jobId"), LogField("jobName"), LogField("jobRunId"), LogField("runId"),
                  LogField("jobOwnerId"), LogField("triggerType")}));
  const DataType notebook = DataType::Struct(StructType({LogField("notebookId")}));
  return StructType({{"version", DataType::Long(), true, {}},
                     {"timestamp", DataType::Timestamp(), true, {}},
                     LogField("userId"),
                     LogField("userName"),
                     LogField("operation"),
                     {"operationParameters", text_map, true, {}},
                     {"job", job, true, {}},
                     {"notebook", notebook, true, {}},
                     LogField("clusterId"),
                     {"readVersion", DataType::Long(), true, {}},
                     LogField("isolationLevel"),
                     {"isBlindAppend", DataType::Boolean(), true, {}},
                     {"operationMetrics", text_map, true, {}},
                     LogField("userMetadata"),
                     LogField("engineInfo")});
}

StructType DetailSchema() {
  const StructField created{"createdAt", DataType::Timestamp(), true, {}};
  const StructField modified{"lastModified", DataType::Timestamp(), true, {}};
  return StructType(
      {LogField("format"),
       LogField("id"),
       LogField("name"),
       LogField("description"),
       LogField("location"),
       created,
       modified,
       {"partitionColumns", DataType::Array(DataType::String()), true, {}},
       {"clusteringColumns", DataType::Array(DataType::String()), true, {}},
       {"numFiles", DataType::Long(), true, {}},
       {"sizeInBytes", DataType::Long(), true, {}},
       {"properties", DataType::Map(DataType::String(), DataType::String()), true, {}},
       {"minReaderVersion", DataType::Integer(), true, {}},
       {"minWriterVersion", DataType::Integer(), true, {}},
       {"tableFeatures", DataType::Array(DataType::String()), true, {}}});
}

CommandMap Properties(const StringMap& properties) {
  CommandMap map;
  for (const auto& [key, value] : properties) map.entries.emplace_back(key, value);
  return map;
}

/// What the catalogue knows of a table of files.
Result<ResultSet> DescribeFileTable(StatementContext& context, const CatalogTable& table) {
  const CommandCell unknown;
  return CommandResult(
      context, DetailSchema(),
      {{table.provider, unknown, table.identifier->ToString(), table.entry.comment.value_or(""),
        table.location.uri, unknown, unknown, Strings(table.entry.partition_columns), unknown,
        unknown, unknown, Properties(table.entry.properties), unknown, unknown, unknown}});
}

}  // namespace

Result<ResultSet> RunDescribeDetail(StatementContext& context,
                                    const plan::DescribeDetail& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const CatalogEntry entry, analyzer->FindTable(command.name));
  if (const auto* table = std::get_if<CatalogTable>(&entry);
      table != nullptr && !table->is_delta() && table->identifier)
    return DescribeFileTable(context, *table);
  MERGANSER_ASSIGN_OR_RETURN(const TargetTable target,
                             FindTargetTable(*analyzer, command.name, "DESCRIBE DETAIL"));
  const Snapshot& snapshot = *target.snapshot;
  std::optional<int64_t> created_at = snapshot.metadata().created_time;
  if (created_at) *created_at *= 1000;
  const CommandCell name =
      target.table.identifier ? CommandCell(target.name) : CommandCell(snapshot.metadata().name);
  return CommandResult(
      context, DetailSchema(),
      {{"delta", snapshot.metadata().id, name, snapshot.metadata().description,
        snapshot.table().uri, created_at, snapshot.timestamp() * 1000,
        Strings(snapshot.partition_columns()), Strings(ToStrings(ClusteringColumns(snapshot))),
        static_cast<int64_t>(snapshot.files().size()), snapshot.size_in_bytes(),
        Properties(snapshot.metadata().configuration), snapshot.protocol().min_reader_version,
        snapshot.protocol().min_writer_version, Strings(SupportedFeatures(snapshot.protocol()))}});
}

Result<ResultSet> RunDescribeHistory(StatementContext& context,
                                     const plan::DescribeHistory& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const TargetTable target,
                             FindTargetTable(*analyzer, command.name, "DESCRIBE HISTORY"));
  MERGANSER_ASSIGN_OR_RETURN(const auto history, ReadHistory(*target.snapshot, command.limit));
  std::vector<std::vector<CommandCell>> rows;
  for (const HistoryEntry& entry : history) {
    const CommitInfo& info = entry.commit_info;
    CommandCell metrics;
    if (info.operation_metrics) {
      CommandMap map;
      for (const auto& [key, value] : *info.operation_metrics) map.entries.emplace_back(key, value);
      metrics = CommandCell(std::move(map));
    }
    rows.push_back({entry.version.value(), entry.timestamp * 1000, info.user_id, info.user_name,
                    info.operation, ShownParameters(info), CommandCell(), CommandCell(),
                    info.cluster_id, info.read_version, info.isolation_level, info.is_blind_append,
                    metrics, info.user_metadata, info.engine_info});
  }
  return CommandResult(context, HistorySchema(), rows);
}

}  // namespace merganser
