#include "merganser/delta/transaction/checkpoint_writer.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "merganser/base/failpoint.h"
#include "merganser/base/json.h"
#include "merganser/base/uuid.h"
#include "merganser/delta/log/last_checkpoint.h"
#include "merganser/delta/log/log_path.h"
#include "merganser/delta/protocol/action_json.h"
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

/// Is the checkpoint to be one of the V2 specification?
bool IsV2(const Snapshot& snapshot) {
  return snapshot.properties().v2_checkpoint_policy() && snapshot.Supports("v2Checkpoint");
}

/// The reconciled actions of a snapshot, cut into parts of file actions.
class CheckpointContents {
 public:
  static Result<CheckpointContents> Of(const Snapshot& snapshot, int64_t oldest_tombstone,
                                       std::optional<int64_t> part_size) {
    CheckpointContents contents(snapshot);
    contents.files_ = snapshot.files().Files();
    MERGANSER_ASSIGN_OR_RETURN(contents.tombstones_, snapshot.ReadTombstones());
    std::erase_if(contents.tombstones_, [oldest_tombstone](const RemoveFile& file) {
      return file.deletion_timestamp.value_or(0) <= oldest_tombstone;
    });
    const size_t all = contents.files_.size() + contents.tombstones_.size();
    const size_t most = part_size ? static_cast<size_t>(*part_size) : all;
    contents.parts_ = all == 0 ? 1 : (all + most - 1) / most;
    contents.per_part_ = (all + contents.parts_ - 1) / contents.parts_;
    return contents;
  }

  /// At least one.
  size_t parts() const { return parts_; }
  /// No file actions.
  bool empty() const { return files_.empty() && tombstones_.empty(); }

  void VisitState(ActionVisitor& visitor) const {
    visitor.Visit(snapshot_.protocol());
    visitor.Visit(snapshot_.metadata());
    for (const auto& [id, transaction] : snapshot_.set_transactions()) visitor.Visit(transaction);
    for (const auto& [name, domain] : snapshot_.domain_metadata()) visitor.Visit(domain);
  }

  /// The file actions of a part, from 0.
  void VisitFiles(size_t part, ActionVisitor& visitor) const {
    const size_t begin = part * per_part_;
    const size_t end = std::min(begin + per_part_, files_.size() + tombstones_.size());
    for (size_t i = begin; i < end; ++i) {
      // Reading a checkpoint is not a change of data.
      if (i < files_.size()) {
        AddFile file = files_[i].ToAddFile();
        file.data_change = false;
        visitor.Visit(file);
      } else {
        RemoveFile file = tombstones_[i - files_.size()];
        file.data_change = false;
        visitor.Visit(file);
      }
    }
  }

 private:
  explicit CheckpointContents(const Snapshot& snapshot) : snapshot_(snapshot) {}

  const Snapshot& snapshot_;
  std::vector<FileView> files_;
  std::vector<RemoveFile> tombstones_;
  size_t parts_ = 1;
  size_t per_part_ = 0;
};

/// Writes the files of one checkpoint.
class CheckpointFiles {
 public:
  CheckpointFiles(const Snapshot& snapshot, const CheckpointContents& contents)
      : snapshot_(snapshot),
        contents_(contents),
        layout_(LayoutOf(snapshot)),
        files_layout_(layout_),
        directory_(LogDirectory(snapshot.path())) {
    // Only the main file of the V2 specification names others.
    files_layout_.actions =
        layout_.actions.Without(ActionSet::kCheckpointMetadata | ActionSet::kSidecar);
    hint_.version = snapshot.version();
    hint_.size_in_bytes = 0;
    hint_.num_of_add_files = static_cast<int64_t>(snapshot.files().size());
  }

  Status WriteClassic() {
    const auto parts = static_cast<int32_t>(contents_.parts());
    if (parts > 1) hint_.parts = parts;
    for (int32_t part = 1; part <= parts; ++part) {
      const std::string name = parts == 1
                                   ? ClassicCheckpointFileName(snapshot_.version())
                                   : MultiPartCheckpointFileName(snapshot_.version(), part, parts);
      MERGANSER_RETURN_IF_ERROR(Write(name, files_layout_, [&](ActionVisitor& visitor) {
        if (part == 1) contents_.VisitState(visitor);
        contents_.VisitFiles(static_cast<size_t>(part - 1), visitor);
      }));
    }
    return Status::Ok();
  }

  Status WriteV2(bool json_main_file) {
    MERGANSER_ASSIGN_OR_RETURN(const std::vector<Sidecar> sidecars, WriteSidecars());
    MERGANSER_FAILPOINT("checkpoint.after_sidecars");
    const auto produce = [&](ActionVisitor& visitor) {
      visitor.Visit(CheckpointMetadata{snapshot_.version(), std::nullopt});
      contents_.VisitState(visitor);
      for (const Sidecar& sidecar : sidecars) visitor.Visit(sidecar);
    };
    const std::string name = UuidCheckpointFileName(snapshot_.version(), RandomUuid(),
                                                    json_main_file ? "json" : "parquet");
    if (json_main_file) {
      ActionCollector actions;
      produce(actions);
      const std::string lines = ToJsonLines(actions.actions());
      MERGANSER_RETURN_IF_ERROR(snapshot_.file_system().Write(JoinPath(directory_, name), lines));
      Count(CheckpointWritten{static_cast<int64_t>(lines.size()),
                              static_cast<int64_t>(actions.actions().size())});
    } else {
      MERGANSER_RETURN_IF_ERROR(Write(name, layout_, produce));
    }
    return PointTo(name, sidecars);
  }

  const LastCheckpoint& hint() const { return hint_; }

 private:
  using Produce = std::function<void(ActionVisitor&)>;

  Result<CheckpointWritten> Write(const std::string& name, const CheckpointLayout& layout,
                                  const Produce& produce) {
    MERGANSER_ASSIGN_OR_RETURN(
        const CheckpointWritten written,
        snapshot_.codec()->Write(snapshot_.file_system(), JoinPath(directory_, name), layout,
                                 [&](ActionVisitor& visitor) {
                                   produce(visitor);
                                   return Status::Ok();
                                 }));
    Count(written);
    return written;
  }

  void Count(const CheckpointWritten& written) {
    hint_.size += written.num_actions;
    *hint_.size_in_bytes += written.size_in_bytes;
  }

  Result<std::vector<Sidecar>> WriteSidecars() {
    std::vector<Sidecar> sidecars;
    if (contents_.empty()) return sidecars;
    FileSystem& file_system = snapshot_.file_system();
    MERGANSER_RETURN_IF_ERROR(
        file_system.CreateDirectories(JoinPath(directory_, kSidecarDirectory)));
    for (size_t part = 0; part < contents_.parts(); ++part) {
      const std::string name = RandomUuid() + ".parquet";
      const std::string below_log = JoinPath(kSidecarDirectory, name);
      MERGANSER_ASSIGN_OR_RETURN(const CheckpointWritten written,
                                 Write(below_log, files_layout_, [&](ActionVisitor& visitor) {
                                   contents_.VisitFiles(part, visitor);
                                 }));
      MERGANSER_ASSIGN_OR_RETURN(const auto entry,
                                 file_system.Stat(JoinPath(directory_, below_log)));
      sidecars.push_back(
          {name, written.size_in_bytes, entry ? entry->modification_time : 0, std::nullopt});
    }
    return sidecars;
  }

  /// Name the main file in the hint, which spares readers the listing.
  Status PointTo(const std::string& name, const std::vector<Sidecar>& sidecars) {
    MERGANSER_ASSIGN_OR_RETURN(const auto entry,
                               snapshot_.file_system().Stat(JoinPath(directory_, name)));
    Json main = Json::MakeObject();
    main["path"] = name;
    main["sizeInBytes"] = entry ? entry->size : 0;
    main["modificationTime"] = entry ? entry->modification_time : 0;
    Json list = Json::MakeArray();
    for (const Sidecar& sidecar : sidecars) {
      Json item = Json::MakeObject();
      item["path"] = sidecar.path;
      item["sizeInBytes"] = sidecar.size_in_bytes;
      item["modificationTime"] = sidecar.modification_time;
      list.Append(std::move(item));
    }
    main["sidecarFiles"] = std::move(list);
    hint_.v2_checkpoint = main.Dump();
    return Status::Ok();
  }

  const Snapshot& snapshot_;
  const CheckpointContents& contents_;
  CheckpointLayout layout_;
  CheckpointLayout files_layout_;
  std::string directory_;
  LastCheckpoint hint_;
};

}  // namespace

bool IsCheckpointDue(const Snapshot& snapshot) {
  const int32_t interval = snapshot.properties().checkpoint_interval();
  return interval > 0 && snapshot.version().value() > 0 &&
         snapshot.version().value() % interval == 0;
}

Status WriteCheckpoint(const Snapshot& snapshot, int64_t now_ms, const CheckpointOptions& options) {
  MERGANSER_FAILPOINT("checkpoint.before_write");
  MERGANSER_ASSIGN_OR_RETURN(
      const CheckpointContents contents,
      CheckpointContents::Of(snapshot, now_ms - snapshot.properties().deleted_file_retention_ms(),
                             options.part_size));
  CheckpointFiles files(snapshot, contents);
  MERGANSER_RETURN_IF_ERROR(IsV2(snapshot) ? files.WriteV2(options.json_main_file)
                                           : files.WriteClassic());
  MERGANSER_FAILPOINT("checkpoint.before_hint");
  return snapshot.file_system().WriteUnsynced(
      JoinPath(LogDirectory(snapshot.path()), kLastCheckpointFileName), ToJson(files.hint()));
}

}  // namespace merganser
