#include "merganser/delta/table/table_changes.h"

#include <algorithm>
#include <map>
#include <utility>

#include "merganser/delta/log/commit_reader.h"
#include "merganser/delta/schema/schema_json.h"
#include "merganser/delta/table/time_travel.h"

namespace merganser {
namespace {

constexpr std::string_view kFeedKey = "delta.enableChangeDataFeed";

Error FeedMissing(Version start, Version end, Version version) {
  return Error(ErrorClass::DELTA_MISSING_CHANGE_DATA, {{"startVersion", start.ToString()},
                                                       {"endVersion", end.ToString()},
                                                       {"version", version.ToString()},
                                                       {"key", std::string(kFeedKey)}});
}

/// The file actions of one commit.
struct CommitFiles {
  std::vector<AddCdcFile> changes;
  std::vector<AddFile> added;
  std::vector<RemoveFile> removed;
  std::optional<Metadata> metadata;
  bool copies_only = false;  ///< A MERGE that changed no row.
};

bool IsZero(const StringMap& metrics, std::string_view key) {
  const auto found = metrics.find(key);
  return found != metrics.end() && found->second == "0";
}

CommitFiles Sort(std::vector<Action> actions) {
  CommitFiles files;
  for (Action& action : actions) {
    if (auto* change = std::get_if<AddCdcFile>(&action))
      files.changes.push_back(std::move(*change));
    if (auto* add = std::get_if<AddFile>(&action); add != nullptr && add->data_change) {
      files.added.push_back(std::move(*add));
    }
    if (auto* remove = std::get_if<RemoveFile>(&action); remove != nullptr && remove->data_change) {
      files.removed.push_back(std::move(*remove));
    }
    if (auto* metadata = std::get_if<Metadata>(&action)) files.metadata = std::move(*metadata);
    if (const auto* info = std::get_if<CommitInfo>(&action);
        info != nullptr && info->operation == "MERGE") {
      const StringMap& metrics = info->operation_metrics ? *info->operation_metrics : StringMap();
      files.copies_only = IsZero(metrics, "numTargetRowsInserted") &&
                          IsZero(metrics, "numTargetRowsUpdated") &&
                          IsZero(metrics, "numTargetRowsDeleted");
    }
  }
  return files;
}

/// Columns may be added within the range, and nothing else: rows are given in the schema of the
/// end.
bool CanShow(const StructType& older, const StructType& newer) {
  return std::ranges::all_of(older, [&](const StructField& field) {
    const StructField* now = newer.Find(field.name);
    return now != nullptr && (now->type.SameType(field.type) ||
                              (now->type.is(TypeId::kStruct) && field.type.is(TypeId::kStruct) &&
                               CanShow(field.type.fields(), now->type.fields())));
  });
}

class ChangePlanner {
 public:
  ChangePlanner(Version version, int64_t timestamp, std::vector<ChangeFile>& plan)
      : version_(version), timestamp_(timestamp), plan_(plan) {}

  void Plan(const CommitFiles& commit) {
    if (!commit.changes.empty()) {
      for (const AddCdcFile& file : commit.changes) {
        ChangeFile change = New(ChangeKind::kCdcFile, file.path, file.partition_values, file.size);
        plan_.push_back(std::move(change));
      }
      return;
    }
    if (commit.copies_only) return;
    std::map<std::string_view, const RemoveFile*> removed;
    for (const RemoveFile& file : commit.removed) removed.emplace(file.path, &file);
    for (const AddFile& file : commit.added) {
      const auto pair = removed.find(file.path);
      if (pair == removed.end()) {
        ChangeFile change = New(ChangeKind::kInsert, file.path, file.partition_values, file.size);
        change.excluded_rows = file.deletion_vector;
        change.stats = file.stats;
        plan_.push_back(std::move(change));
        continue;
      }
      PlanVectorChange(file, *pair->second);
      removed.erase(pair);
    }
    for (const auto& [path, file] : removed) {
      ChangeFile change =
          New(ChangeKind::kDelete, file->path, file->partition_values.value_or(PartitionValues()),
              file->size.value_or(0));
      change.excluded_rows = file->deletion_vector;
      change.stats = file->stats;
      plan_.push_back(std::move(change));
    }
  }

 private:
  ChangeFile New(ChangeKind kind, const std::string& path, const PartitionValues& values,
                 int64_t size) const {
    ChangeFile change;
    change.kind = kind;
    change.path = path;
    change.partition_values = values;
    change.size = size;
    change.version = version_;
    change.commit_timestamp = timestamp_;
    return change;
  }

  /// A file removed and added again differs in its deletion vector: rows only the new one has were
  /// deleted, rows only the old one has came back.
  void PlanVectorChange(const AddFile& added, const RemoveFile& removed) {
    if (added.deletion_vector) {
      ChangeFile deleted = New(ChangeKind::kDelete, added.path, added.partition_values, added.size);
      deleted.included_rows = added.deletion_vector;
      deleted.excluded_rows = removed.deletion_vector;
      plan_.push_back(std::move(deleted));
    }
    if (removed.deletion_vector) {
      ChangeFile restored =
          New(ChangeKind::kInsert, added.path, added.partition_values, added.size);
      restored.included_rows = removed.deletion_vector;
      restored.excluded_rows = added.deletion_vector;
      plan_.push_back(std::move(restored));
    }
  }

  Version version_;
  int64_t timestamp_;
  std::vector<ChangeFile>& plan_;
};

}  // namespace

Result<TableChanges> PlanTableChanges(const Snapshot& latest, Version start, Version end) {
  TableChanges changes;
  changes.start = start;
  changes.end = std::min(end, latest.version());
  changes.schema = latest.schema();

  // Whether the feed was on when the range began is in the metadata of that time.
  SnapshotRef first;
  if (start == latest.version()) {
    first = latest.shared_from_this();
  } else {
    MERGANSER_ASSIGN_OR_RETURN(first, Snapshot::Load(latest.table(), latest.codec(), start));
  }
  if (!first->properties().enable_change_data_feed())
    return FeedMissing(changes.start, changes.end, start);
  const auto check_schema = [&](const StructType& schema, Version version) -> Status {
    if (CanShow(schema, changes.schema)) return Status::Ok();
    return Error(
        ErrorClass::DELTA_CHANGE_DATA_FEED_INCOMPATIBLE_SCHEMA_CHANGE,
        {{"start", changes.start.ToString()},
         {"end", changes.end.ToString()},
         {"readSchema", ToSchemaJson(changes.schema)},
         {"readVersion", latest.version().ToString()},
         {"incompatibleVersion", version.ToString()},
         {"config",
          "spark.databricks.delta.changeDataFeed.defaultSchemaModeForColumnMappingTable"}});
  };
  MERGANSER_RETURN_IF_ERROR(check_schema(first->schema(), start));

  MERGANSER_ASSIGN_OR_RETURN(const auto timestamps,
                             CommitTimestamps(latest, changes.start, changes.end));
  for (const CommitTimestamp& commit : timestamps) {
    MERGANSER_ASSIGN_OR_RETURN(
        std::vector<Action> actions,
        ReadCommitActions(latest.file_system(), latest.segment().directory, commit.version));
    const CommitFiles files = Sort(std::move(actions));
    if (files.metadata) {
      if (!TableProperties(files.metadata->configuration).enable_change_data_feed()) {
        return FeedMissing(changes.start, changes.end, commit.version);
      }
      MERGANSER_ASSIGN_OR_RETURN(const StructType schema,
                                 ParseSchemaJson(files.metadata->schema_string));
      MERGANSER_RETURN_IF_ERROR(check_schema(schema, commit.version));
    }
    ChangePlanner(commit.version, commit.timestamp, changes.files).Plan(files);
  }
  return changes;
}

}  // namespace merganser
