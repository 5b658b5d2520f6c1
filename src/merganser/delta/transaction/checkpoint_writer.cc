#include "merganser/delta/transaction/checkpoint_writer.h"

#include "merganser/base/failpoint.h"
#include "merganser/base/uuid.h"
#include "merganser/delta/log/last_checkpoint.h"
#include "merganser/delta/log/log_path.h"
#include "merganser/delta/protocol/statistics.h"

namespace merganser {
namespace {

CheckpointLayout LayoutOf(const Snapshot& snapshot) {
  CheckpointLayout layout;
  layout.stats_as_json = snapshot.properties().checkpoint_write_stats_as_json();
  layout.stats_as_struct = snapshot.properties().checkpoint_write_stats_as_struct();
  if (layout.stats_as_struct) {
    layout.statistics_columns =
        StatisticsColumns(snapshot.schema(), snapshot.partition_columns(), snapshot.properties());
    for (const StructField& field : snapshot.schema()) {
      if (!snapshot.is_partition_column(field.name)) continue;
      StructField physical = field;
      physical.name = PhysicalName(field, snapshot.column_mapping_mode());
      layout.partition_schema.Add(std::move(physical));
    }
  }
  layout.compression_codec = snapshot.properties().compression_codec();
  return layout;
}

/// Is the checkpoint to be one of the V2 specification? It then holds all actions in one file with
/// a name of its own.
bool IsV2(const Snapshot& snapshot) {
  return snapshot.properties().v2_checkpoint_policy() && snapshot.Supports("v2Checkpoint");
}

/// Hands over the reconciled actions of a snapshot.
Status ProduceActions(const Snapshot& snapshot, int64_t oldest_tombstone, ActionVisitor& visitor) {
  if (IsV2(snapshot)) visitor.Visit(CheckpointMetadata{snapshot.version(), std::nullopt});
  visitor.Visit(snapshot.protocol());
  visitor.Visit(snapshot.metadata());
  for (const auto& [id, transaction] : snapshot.set_transactions()) visitor.Visit(transaction);
  for (const auto& [name, domain] : snapshot.domain_metadata()) visitor.Visit(domain);
  snapshot.files().ForEach([&](const FileView& file) {
    AddFile add = file.ToAddFile();
    // Reading a checkpoint is not a change of data.
    add.data_change = false;
    visitor.Visit(add);
  });
  MERGANSER_ASSIGN_OR_RETURN(std::vector<RemoveFile> tombstones, snapshot.ReadTombstones());
  for (RemoveFile& tombstone : tombstones) {
    if (tombstone.deletion_timestamp.value_or(0) <= oldest_tombstone) continue;
    tombstone.data_change = false;
    visitor.Visit(tombstone);
  }
  return Status::Ok();
}

}  // namespace

bool IsCheckpointDue(const Snapshot& snapshot) {
  const int32_t interval = snapshot.properties().checkpoint_interval();
  return interval > 0 && snapshot.version().value() > 0 &&
         snapshot.version().value() % interval == 0;
}

Status WriteCheckpoint(const Snapshot& snapshot, int64_t now_ms) {
  MERGANSER_FAILPOINT("checkpoint.before_write");
  const std::string directory = LogDirectory(snapshot.path());
  const int64_t oldest_tombstone = now_ms - snapshot.properties().deleted_file_retention_ms();
  const std::string file_name =
      IsV2(snapshot) ? UuidCheckpointFileName(snapshot.version(), RandomUuid(), "parquet")
                     : ClassicCheckpointFileName(snapshot.version());
  MERGANSER_ASSIGN_OR_RETURN(
      const CheckpointWritten written,
      snapshot.codec()->Write(snapshot.file_system(), JoinPath(directory, file_name),
                              LayoutOf(snapshot), [&](ActionVisitor& visitor) {
                                return ProduceActions(snapshot, oldest_tombstone, visitor);
                              }));
  MERGANSER_FAILPOINT("checkpoint.before_hint");
  LastCheckpoint hint;
  hint.version = snapshot.version();
  hint.size = written.num_actions;
  hint.size_in_bytes = written.size_in_bytes;
  hint.num_of_add_files = static_cast<int64_t>(snapshot.files().size());
  return snapshot.file_system().Write(JoinPath(directory, kLastCheckpointFileName), ToJson(hint));
}

}  // namespace merganser
