#include "merganser/commands/change_feed_scan.h"

#include <utility>

#include "merganser/delta/deletion_vector/deletion_vector_storage.h"
#include "merganser/delta/protocol/data_path.h"
#include "merganser/delta/protocol/statistics.h"
#include "merganser/delta/schema/partition_value.h"
#include "merganser/delta/table/table_changes.h"

namespace merganser {
namespace {

engine::RowSetLoader LoaderOf(const Snapshot& latest,
                              const std::optional<DeletionVectorDescriptor>& descriptor) {
  if (!descriptor) return {};
  return [table = latest.table(),
          descriptor = *descriptor]() -> Result<std::shared_ptr<const DeletionVector>> {
    MERGANSER_ASSIGN_OR_RETURN(DeletionVector rows,
                               ReadDeletionVector(*table.file_system, table.path, descriptor));
    return std::make_shared<const DeletionVector>(std::move(rows));
  };
}

std::optional<std::string> ChangeType(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::kInsert:
      return "insert";
    case ChangeKind::kDelete:
      return "delete";
    case ChangeKind::kCdcFile:
      break;
  }
  return std::nullopt;
}

}  // namespace

Result<std::shared_ptr<engine::ScanSource>> ChangeFeedSource(const Snapshot& latest, Version start,
                                                             Version end) {
  MERGANSER_ASSIGN_OR_RETURN(TableChanges changes, PlanTableChanges(latest, start, end));
  auto source = std::make_shared<engine::ScanSource>();
  source->schema = std::move(changes.schema);
  source->column_mapping = latest.column_mapping_mode();
  source->schema.Add({"_change_type", DataType::String(), true, {}});
  source->schema.Add({"_commit_version", DataType::Long(), true, {}});
  source->schema.Add({"_commit_timestamp", DataType::Timestamp(), true, {}});
  for (ChangeFile& change : changes.files) {
    engine::ScanFile file;
    MERGANSER_ASSIGN_OR_RETURN(file.path, DataFilePath(latest.path(), change.path));
    file.size = change.size;
    file.constants = std::move(change.partition_values);
    if (auto type = ChangeType(change.kind))
      file.constants.emplace_back("_change_type", std::move(type));
    file.constants.emplace_back("_commit_version", change.version.ToString());
    file.constants.emplace_back(
        "_commit_timestamp",
        FormatPartitionValue(Scalar::Timestamp(change.commit_timestamp * 1000)));
    file.statistics = std::move(change.stats).value_or("");
    file.num_records = ParseNumRecords(file.statistics).value_or(-1);
    file.deleted_rows = LoaderOf(latest, change.excluded_rows);
    file.selected_rows = LoaderOf(latest, change.included_rows);
    source->files.push_back(std::move(file));
  }
  return source;
}

}  // namespace merganser
