#include "merganser/commands/change_scan.h"

#include <utility>

#include "merganser/delta/deletion_vector/deletion_vector_storage.h"
#include "merganser/delta/protocol/data_path.h"
#include "merganser/delta/protocol/statistics.h"
#include "merganser/delta/schema/partition_value.h"

namespace merganser {
namespace {

using Descriptor = std::optional<DeletionVectorDescriptor>;

engine::RowSetLoader LoadRows(const FileLocation& table, const DeletionVectorDescriptor& rows,
                              const Descriptor& without) {
  return [table, rows, without]() -> Result<std::shared_ptr<const DeletionVector>> {
    MERGANSER_ASSIGN_OR_RETURN(DeletionVector loaded,
                               ReadDeletionVector(*table.file_system, table.path, rows));
    if (without) {
      MERGANSER_ASSIGN_OR_RETURN(const DeletionVector other,
                                 ReadDeletionVector(*table.file_system, table.path, *without));
      loaded.Subtract(other);
    }
    return std::make_shared<const DeletionVector>(std::move(loaded));
  };
}

}  // namespace

Result<std::shared_ptr<engine::ScanSource>> ChangeSourceOf(const Snapshot& snapshot,
                                                           const TableChanges& changes) {
  auto source = std::make_shared<engine::ScanSource>();
  source->schema = changes.schema;
  source->schema.Add({"_change_type", DataType::String(), true, {}});
  source->schema.Add({"_commit_version", DataType::Long(), true, {}});
  source->schema.Add({"_commit_timestamp", DataType::Timestamp(), true, {}});
  source->column_mapping = snapshot.column_mapping_mode();
  for (const ChangeFile& change : changes.files) {
    engine::ScanFile file;
    MERGANSER_ASSIGN_OR_RETURN(file.path, DataFilePath(snapshot.path(), change.path));
    file.size = change.size;
    file.constants = change.partition_values;
    if (change.kind != ChangeKind::kCdcFile) {
      file.constants.emplace_back("_change_type",
                                  change.kind == ChangeKind::kInsert ? "insert" : "delete");
    }
    file.constants.emplace_back("_commit_version", change.version.ToString());
    file.constants.emplace_back(
        "_commit_timestamp",
        FormatPartitionValue(Scalar::Timestamp(change.commit_timestamp * 1000)));
    file.statistics = change.stats.value_or("");
    file.num_records = ParseNumRecords(file.statistics).value_or(-1);
    if (change.included_rows) {
      file.selected_rows = LoadRows(snapshot.table(), *change.included_rows, change.excluded_rows);
    } else if (change.excluded_rows) {
      file.deleted_rows = LoadRows(snapshot.table(), *change.excluded_rows, std::nullopt);
      file.num_deleted = change.excluded_rows->cardinality;
    }
    source->files.push_back(std::move(file));
  }
  return source;
}

}  // namespace merganser
