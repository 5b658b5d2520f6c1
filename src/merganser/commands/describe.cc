#include "merganser/commands/describe.h"

#include <algorithm>
#include <utility>

#include "merganser/base/json.h"
#include "merganser/commands/command_rows.h"
#include "merganser/commands/target_table.h"
#include "merganser/delta/protocol/table_features.h"
#include "merganser/delta/table/history.h"
#include "merganser/delta/table/time_travel.h"
#include "merganser/spark/analysis/clause_values.h"

namespace merganser {
namespace {

StructField Text(const char* name, bool nullable = true) {
  return {name, DataType::String(), nullable, {}};
}

StructType ColumnListSchema() {
  return StructType({Text("col_name", false), Text("data_type", false), Text("comment")});
}

std::vector<CommandCell> ColumnRow(const StructField& field) {
  const std::string comment = MetadataText(field, "comment");
  return {field.name, field.type.CatalogString(),
          comment.empty() ? CommandCell() : CommandCell(comment)};
}

CommandCell Strings(const std::vector<std::string>& items) {
  CommandList list;
  for (const std::string& item : items) list.items.emplace_back(item);
  return list;
}

/// Names of a clustered table's columns, from its domain ("Clustered Table" in PROTOCOL.md).
std::vector<std::string> ClusteringColumns(const Snapshot& snapshot) {
  std::vector<std::string> names;
  const auto domain = snapshot.domain_metadata().find("delta.clustering");
  if (domain == snapshot.domain_metadata().end()) return names;
  const auto json = Json::Parse(domain->second.configuration);
  const Json* columns = json.ok() ? json->find("clusteringColumns") : nullptr;
  if (columns == nullptr || !columns->is_array()) return names;
  for (const Json& path : columns->items()) {
    std::string name;
    for (const Json& part : path.items()) name += (name.empty() ? "" : ".") + part.as_string();
    for (const StructField& field : snapshot.schema()) {
      if (PhysicalName(field, snapshot.column_mapping_mode()) == name) name = field.name;
    }
    names.push_back(std::move(name));
  }
  return names;
}

/// A parameter as DESCRIBE HISTORY shows it: text without its quotes, anything else as JSON.
CommandMap ShownParameters(const CommitInfo& info) {
  CommandMap map;
  for (const auto& [key, value] : info.operation_parameters) {
    const auto json = Json::Parse(value);
    map.entries.emplace_back(key, json.ok() && json->is_string() ? json->as_string() : value);
  }
  return map;
}

StructType HistorySchema() {
  const DataType text_map = DataType::Map(DataType::String(), DataType::String());
  const DataType job =
      DataType::Struct(StructType({Text("jobId"), Text("jobName"), Text("jobRunId"), Text("runId"),
                                   Text("jobOwnerId"), Text("triggerType")}));
  const DataType notebook = DataType::Struct(StructType({Text("notebookId")}));
  return StructType({{"version", DataType::Long(), true, {}},
                     {"timestamp", DataType::Timestamp(), true, {}},
                     Text("userId"),
                     Text("userName"),
                     Text("operation"),
                     {"operationParameters", text_map, true, {}},
                     {"job", job, true, {}},
                     {"notebook", notebook, true, {}},
                     Text("clusterId"),
                     {"readVersion", DataType::Long(), true, {}},
                     Text("isolationLevel"),
                     {"isBlindAppend", DataType::Boolean(), true, {}},
                     {"operationMetrics", text_map, true, {}},
                     Text("userMetadata"),
                     Text("engineInfo")});
}

}  // namespace

Result<ResultSet> RunDescribeTable(StatementContext& context, const plan::DescribeTable& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const CatalogEntry entry, analyzer->FindTable(command.name));
  std::vector<std::vector<CommandCell>> rows;
  const auto* table = std::get_if<CatalogTable>(&entry);
  if (table == nullptr || !table->is_delta()) {
    MERGANSER_ASSIGN_OR_RETURN(const AnalyzedRelation relation,
                               analyzer->BindRelation(plan::MakeRelation(
                                   plan::TableReference{command.name, std::nullopt, {}})));
    for (const StructField& field : SchemaOf(*relation.relation)) rows.push_back(ColumnRow(field));
    return CommandResult(context, ColumnListSchema(), rows);
  }
  MERGANSER_ASSIGN_OR_RETURN(const TargetTable target,
                             FindTargetTable(*analyzer, command.name, "DESCRIBE"));
  const Snapshot& snapshot = *target.snapshot;
  for (const StructField& field : snapshot.schema()) rows.push_back(ColumnRow(field));
  if (!snapshot.partition_columns().empty()) {
    rows.push_back({"# Partition Information", "", ""});
    rows.push_back({"# col_name", "data_type", "comment"});
    for (const std::string& column : snapshot.partition_columns())
      rows.push_back(ColumnRow(*snapshot.schema().Find(column)));
  }
  if (command.extended) {
    rows.push_back({"", "", ""});
    rows.push_back({"# Detailed Table Information", "", ""});
    rows.push_back({"Name", target.name, ""});
    rows.push_back({"Type", target.table.managed ? "MANAGED" : "EXTERNAL", ""});
    if (snapshot.metadata().description)
      rows.push_back({"Comment", *snapshot.metadata().description, ""});
    rows.push_back({"Location", snapshot.table().uri, ""});
    rows.push_back({"Provider", "delta", ""});
    std::string properties;
    for (const auto& [key, value] : snapshot.metadata().configuration) {
      properties += (properties.empty() ? "" : ",") + key + "=" + value;
    }
    properties +=
        (properties.empty() ? "" : ",") + std::string("delta.minReaderVersion=") +
        std::to_string(snapshot.protocol().min_reader_version) +
        ",delta.minWriterVersion=" + std::to_string(snapshot.protocol().min_writer_version);
    rows.push_back({"Table Properties", "[" + properties + "]", ""});
  }
  return CommandResult(context, ColumnListSchema(), rows);
}

Result<ResultSet> RunDescribeQuery(StatementContext& context, const plan::DescribeQuery& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const BoundRelationPtr query, analyzer->BindQuery(command.query));
  std::vector<std::vector<CommandCell>> rows;
  for (const StructField& field : SchemaOf(*query)) rows.push_back(ColumnRow(field));
  return CommandResult(context, ColumnListSchema(), rows);
}

Result<ResultSet> RunDescribeDetail(StatementContext& context,
                                    const plan::DescribeDetail& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const TargetTable target,
                             FindTargetTable(*analyzer, command.name, "DESCRIBE DETAIL"));
  const Snapshot& snapshot = *target.snapshot;
  const StructField created{"createdAt", DataType::Timestamp(), true, {}};
  const StructField modified{"lastModified", DataType::Timestamp(), true, {}};
  const StructType schema(
      {Text("format"),
       Text("id"),
       Text("name"),
       Text("description"),
       Text("location"),
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
  CommandMap properties;
  for (const auto& [key, value] : snapshot.metadata().configuration)
    properties.entries.emplace_back(key, value);
  std::optional<int64_t> created_at = snapshot.metadata().created_time;
  if (created_at) *created_at *= 1000;
  const CommandCell name =
      target.table.identifier ? CommandCell(target.name) : CommandCell(snapshot.metadata().name);
  return CommandResult(
      context, schema,
      {{"delta", snapshot.metadata().id, name, snapshot.metadata().description,
        snapshot.table().uri, created_at, snapshot.timestamp() * 1000,
        Strings(snapshot.partition_columns()), Strings(ClusteringColumns(snapshot)),
        static_cast<int64_t>(snapshot.files().size()), snapshot.size_in_bytes(), properties,
        snapshot.protocol().min_reader_version, snapshot.protocol().min_writer_version,
        Strings(SupportedFeatures(snapshot.protocol()))}});
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
