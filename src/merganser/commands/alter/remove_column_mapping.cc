#include "merganser/commands/alter/remove_column_mapping.h"

#include <utility>

#include "merganser/commands/column_definitions.h"
#include "merganser/commands/commit.h"
#include "merganser/commands/file_rewrite.h"
#include "merganser/delta/protocol/statistics.h"
#include "merganser/delta/schema/column_mapping.h"
#include "merganser/delta/schema/schema_json.h"
#include "merganser/delta/transaction/iceberg_compat.h"

namespace merganser {

Status RemoveColumnMapping(StatementContext& context, const SnapshotRef& snapshot,
                           bool keeps_property) {
  Metadata metadata = snapshot->metadata();
  const StructType schema = DropColumnMapping(snapshot->schema());
  if (auto names = CheckColumnNames(schema); !names.ok()) {
    const auto& parameters = names.error().parameters();
    return Error(ErrorClass::DELTA_INVALID_COLUMN_NAMES_WHEN_REMOVING_COLUMN_MAPPING,
                 {{"invalidColumnNames", parameters.at("invalidColumnNames")}});
  }
  metadata.schema_string = ToSchemaJson(schema);
  metadata.configuration.erase("delta.columnMapping.maxColumnId");
  metadata.configuration.erase("delta.columnMapping.mode");
  if (keeps_property) metadata.configuration["delta.columnMapping.mode"] = "none";
  MERGANSER_RETURN_IF_ERROR(CheckIcebergProperties(TableProperties(metadata.configuration)));

  MERGANSER_ASSIGN_OR_RETURN(Transaction transaction,
                             Transaction::Start(snapshot, context.transaction_options()));
  transaction.ReadWholeTable();
  MERGANSER_ASSIGN_OR_RETURN(const WriteTarget target,
                             WriteTarget::Of(snapshot->table(), snapshot->protocol(), metadata));
  transaction.SetMetadata(std::move(metadata));
  UncommittedFiles files(snapshot->table().file_system);
  int64_t copied = 0;
  int64_t added_bytes = 0;
  int64_t removed_bytes = 0;
  int64_t removed_files = 0;
  int64_t removed_vectors = 0;
  for (const auto& group : GroupByPartition(snapshot->files().Files())) {
    for (const FileView& file : group) {
      MERGANSER_ASSIGN_OR_RETURN(auto added,
                                 RewriteFiles(context, *snapshot, {file}, target, {}, files));
      for (AddFile& add : added) {
        copied += ParseNumRecords(add.stats.value_or("")).value_or(0);
        added_bytes += add.size;
        transaction.Add(std::move(add));
      }
      removed_bytes += file.size();
      removed_files += 1;
      removed_vectors += file.has_deletion_vector() ? 1 : 0;
      transaction.Remove(TombstoneOf(file, context.clock.NowMillis(), /*data_change=*/false));
    }
  }
  Operation operation;
  operation.name = "REMOVE COLUMN MAPPING";
  operation.Metric("numRewrittenFiles", removed_files)
      .Metric("numOutputBytes", added_bytes)
      .Metric("numRemovedBytes", removed_bytes)
      .Metric("numCopiedRows", copied)
      .Metric("numDeletionVectorsRemoved", removed_vectors);
  auto committed = CommitStatement(context, std::move(transaction), std::move(operation), &files);
  return committed.ok() ? Status::Ok() : Status(std::move(committed).error());
}

}  // namespace merganser
