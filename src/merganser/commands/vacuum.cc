#include "merganser/commands/vacuum.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "merganser/base/failpoint.h"
#include "merganser/base/json.h"
#include "merganser/commands/command_rows.h"
#include "merganser/commands/commit.h"
#include "merganser/commands/target_table.h"
#include "merganser/delta/deletion_vector/deletion_vector_storage.h"
#include "merganser/delta/log/commit_reader.h"
#include "merganser/delta/log/log_path.h"
#include "merganser/delta/protocol/data_path.h"
#include "merganser/delta/table/time_travel.h"

namespace merganser {
namespace {

constexpr int64_t kHourMs = 3'600'000;
constexpr const char* kLastVacuumFile = "_last_vacuum_info";
constexpr const char* kLastVacuumKey = "latestCommitVersionOutsideOfRetentionWindow";

/// Files that may go: path relative to the table's folder, and size in bytes.
using Candidates = std::map<std::string, int64_t>;

struct Retention {
  std::optional<int64_t> specified_ms;
  int64_t default_ms = 0;
  /// Files and tombstones from before may go, in milliseconds since the epoch.
  int64_t horizon_ms = 0;
};

Result<Retention> FindRetention(const StatementContext& context, const plan::Vacuum& command,
                                const Snapshot& snapshot) {
  Retention retention;
  retention.default_ms = snapshot.properties().deleted_file_retention_ms();
  if (command.retain_hours) {
    const int64_t specified = std::llround(*command.retain_hours) * kHourMs;
    // The table's own property decides; only 0 may be asked for against it.
    const bool ignores =
        context.conf.GetBoolean("spark.databricks.delta.vacuum.retentionWindowIgnore.enabled");
    if (!ignores || specified == 0) retention.specified_ms = specified;
  }
  if (retention.specified_ms && *retention.specified_ms < 0) {
    return Error(ErrorClass::DELTA_VACUUM_RETENTION_PERIOD_NEGATIVE);
  }
  const int64_t kept_ms = retention.specified_ms.value_or(retention.default_ms);
  if (kept_ms < retention.default_ms && context.conf.retention_duration_check()) {
    return Error(ErrorClass::DELTA_VACUUM_RETENTION_PERIOD_TOO_SHORT,
                 {{"configuredRetentionHours",
                   std::to_string((retention.default_ms + kHourMs - 1) / kHourMs)}});
  }
  retention.horizon_ms = context.clock.NowMillis() - kept_ms;
  return retention;
}

/// One VACUUM of a table.
class TableVacuum {
 public:
  TableVacuum(StatementContext& context, SnapshotRef snapshot, Retention retention)
      : context_(context),
        snapshot_(std::move(snapshot)),
        retention_(retention),
        prefix_(snapshot_->path() + "/") {}

  Status FindAllUnused() {
    MERGANSER_ASSIGN_OR_RETURN(const auto used, UsedPaths());
    MERGANSER_RETURN_IF_ERROR(ListFolder(""));
    DropUsed(used);
    return Status::Ok();
  }

  Status FindUnusedInLog() {
    MERGANSER_ASSIGN_OR_RETURN(const auto used, UsedPaths());
    MERGANSER_RETURN_IF_ERROR(ReadRemovals());
    DropUsed(used);
    return Status::Ok();
  }

  const Candidates& candidates() const { return candidates_; }

  Status Delete() {
    const bool logs = Logs();
    if (logs) MERGANSER_RETURN_IF_ERROR(CommitStart());
    const Result<int64_t> deleted = DeleteFiles();
    if (logs) MERGANSER_RETURN_IF_ERROR(CommitEnd(deleted));
    if (!deleted.ok()) return Status(deleted.error());
    return WriteLastVacuum();
  }

 private:
  /// Paths below the table's folder that versions within the retention period need.
  Result<std::set<std::string>> UsedPaths() const {
    std::set<std::string> used;
    for (const FileView& file : snapshot_->files().Files()) {
      MERGANSER_RETURN_IF_ERROR(AddUsed(file.path(), file.deletion_vector(), used));
    }
    MERGANSER_ASSIGN_OR_RETURN(const auto tombstones, snapshot_->ReadTombstones());
    for (const RemoveFile& file : tombstones) {
      if (file.deletion_timestamp.value_or(0) < retention_.horizon_ms) continue;
      MERGANSER_RETURN_IF_ERROR(AddUsed(file.path, file.deletion_vector, used));
    }
    return used;
  }

  Status AddUsed(std::string_view path, const std::optional<DeletionVectorDescriptor>& vector,
                 std::set<std::string>& used) const {
    MERGANSER_ASSIGN_OR_RETURN(const auto relative, RelativePath(path));
    if (relative) used.insert(*relative);
    if (!vector || vector->storage == DeletionVectorDescriptor::Storage::kInline)
      return Status::Ok();
    MERGANSER_ASSIGN_OR_RETURN(const std::string vector_path,
                               DeletionVectorPath(snapshot_->path(), *vector));
    if (vector_path.starts_with(prefix_)) used.insert(vector_path.substr(prefix_.size()));
    return Status::Ok();
  }

  /// Nothing for a file elsewhere, such as those of a clone.
  Result<std::optional<std::string>> RelativePath(std::string_view path) const {
    MERGANSER_ASSIGN_OR_RETURN(const std::string whole, DataFilePath(snapshot_->path(), path));
    if (!whole.starts_with(prefix_)) return std::optional<std::string>();
    return std::optional<std::string>(whole.substr(prefix_.size()));
  }

  bool IsHidden(const std::string& name) const {
    if (!name.starts_with('_') && !name.starts_with('.')) return false;
    if (name.starts_with("_delta_index") || name.starts_with("_change_data")) return false;
    return std::ranges::none_of(snapshot_->partition_columns(), [&](const std::string& column) {
      return name.starts_with(column + "=");
    });
  }

  Status ListFolder(const std::string& folder) {
    MERGANSER_ASSIGN_OR_RETURN(const auto entries, snapshot_->file_system().List(prefix_ + folder));
    for (const FileEntry& entry : entries) {
      if (IsHidden(entry.name)) continue;
      if (entry.is_directory) {
        directories_ += 1;
        MERGANSER_RETURN_IF_ERROR(ListFolder(folder + entry.name + "/"));
      } else if (entry.modification_time < retention_.horizon_ms) {
        candidates_.emplace(folder + entry.name, entry.size);
      }
    }
    return Status::Ok();
  }

  void DropUsed(const std::set<std::string>& used) {
    std::erase_if(candidates_,
                  [&](const auto& candidate) { return used.contains(candidate.first); });
  }

  Status ReadRemovals() {
    MERGANSER_ASSIGN_OR_RETURN(newest_expired_, NewestExpiredCommit());
    if (!newest_expired_) return Status::Ok();
    MERGANSER_ASSIGN_OR_RETURN(const Version earliest,
                               EarliestCommit(snapshot_->file_system(), snapshot_->path()));
    MERGANSER_ASSIGN_OR_RETURN(const std::optional<Version> last_time, ReadLastVacuum());
    if (earliest != Version(0) && (!last_time || *last_time < earliest)) {
      return Error(ErrorClass::DELTA_CANNOT_VACUUM_LITE);
    }
    const Version start = std::min(snapshot_->version(), last_time ? last_time->next() : earliest);
    for (Version version = start; version <= *newest_expired_; version = version.next()) {
      MERGANSER_ASSIGN_OR_RETURN(
          const auto actions,
          ReadCommitActions(snapshot_->file_system(), LogDirectory(snapshot_->path()), version));
      for (const Action& action : actions) MERGANSER_RETURN_IF_ERROR(AddRemoval(action));
    }
    return Status::Ok();
  }

  Status AddRemoval(const Action& action) {
    if (const auto* removed = std::get_if<RemoveFile>(&action)) {
      if (removed->deletion_timestamp.value_or(0) >= retention_.horizon_ms) return Status::Ok();
      MERGANSER_RETURN_IF_ERROR(AddCandidate(removed->path, removed->size.value_or(0)));
      if (const auto& vector = removed->deletion_vector;
          vector && vector->storage == DeletionVectorDescriptor::Storage::kRelativeFile) {
        MERGANSER_ASSIGN_OR_RETURN(const std::string path,
                                   DeletionVectorPath(snapshot_->path(), *vector));
        if (path.starts_with(prefix_))
          candidates_.emplace(path.substr(prefix_.size()), vector->size_in_bytes);
      }
    } else if (const auto* changes = std::get_if<AddCdcFile>(&action)) {
      return AddCandidate(changes->path, changes->size);
    }
    return Status::Ok();
  }

  Status AddCandidate(std::string_view path, int64_t size) {
    MERGANSER_ASSIGN_OR_RETURN(const auto relative, RelativePath(path));
    if (relative) candidates_.emplace(*relative, size);
    return Status::Ok();
  }

  /// The newest commit from before the horizon.
  Result<std::optional<Version>> NewestExpiredCommit() const {
    TimestampResolution resolution;
    resolution.can_return_last_commit = true;
    resolution.must_be_recreatable = false;
    auto commit = VersionAtTimestamp(*snapshot_, retention_.horizon_ms, resolution,
                                     [](int64_t timestamp) { return std::to_string(timestamp); });
    if (commit.ok()) return std::optional<Version>(commit.value().version);
    if (commit.error().error_class() == ErrorClass::DELTA_TIMESTAMP_EARLIER_THAN_COMMIT_RETENTION) {
      return std::optional<Version>();
    }
    return std::move(commit).error();
  }

  std::string LastVacuumPath() const {
    return JoinPath(LogDirectory(snapshot_->path()), kLastVacuumFile);
  }

  Result<std::optional<Version>> ReadLastVacuum() const {
    MERGANSER_ASSIGN_OR_RETURN(const auto text,
                               snapshot_->file_system().ReadIfExists(LastVacuumPath()));
    if (!text) return std::optional<Version>();
    // A damaged note is as good as none.
    const auto json = Json::Parse(*text);
    const Json* version = json.ok() && json->is_object() ? json->find(kLastVacuumKey) : nullptr;
    if (version == nullptr || !version->is_int()) return std::optional<Version>();
    return std::optional<Version>(Version(version->as_int()));
  }

  Status WriteLastVacuum() const {
    Json json = Json::MakeObject();
    if (newest_expired_) json[kLastVacuumKey] = newest_expired_->value();
    return snapshot_->file_system().Write(LastVacuumPath(), json.Dump());
  }

  bool Logs() const {
    const auto wish = context_.conf.Find("spark.databricks.delta.vacuum.logging.enabled");
    return !wish || *wish == "true";
  }

  Status Commit(Operation operation) {
    MERGANSER_ASSIGN_OR_RETURN(Transaction transaction,
                               Transaction::Start(snapshot_, context_.transaction_options()));
    MERGANSER_ASSIGN_OR_RETURN(
        const CommitResult committed,
        CommitStatement(context_, std::move(transaction), std::move(operation)));
    if (committed.snapshot != nullptr) snapshot_ = committed.snapshot;
    return Status::Ok();
  }

  Status CommitStart() {
    Operation operation;
    operation.name = "VACUUM START";
    operation.Boolean("retentionCheckEnabled", context_.conf.retention_duration_check());
    operation.parameters["defaultRetentionMillis"] = std::to_string(retention_.default_ms);
    if (retention_.specified_ms) {
      operation.parameters["specifiedRetentionMillis"] = std::to_string(*retention_.specified_ms);
    }
    int64_t bytes = 0;
    for (const auto& [path, size] : candidates_) bytes += size;
    operation.Metric("numFilesToDelete", static_cast<int64_t>(candidates_.size()))
        .Metric("sizeOfDataToDelete", bytes);
    return Commit(std::move(operation));
  }

  Status CommitEnd(const Result<int64_t>& deleted) {
    Operation operation;
    operation.name = "VACUUM END";
    operation.Text("status", deleted.ok() ? "COMPLETED" : "FAILED");
    if (deleted.ok()) {
      operation.Metric("numDeletedFiles", deleted.value())
          .Metric("numVacuumedDirectories", directories_);
    }
    return Commit(std::move(operation));
  }

  Result<int64_t> DeleteFiles() {
    int64_t deleted = 0;
    for (const auto& [path, size] : candidates_) {
      MERGANSER_ASSIGN_OR_RETURN(const bool exists,
                                 snapshot_->file_system().Exists(prefix_ + path));
      if (!exists) continue;
      MERGANSER_FAILPOINT("vacuum.between_files");
      MERGANSER_RETURN_IF_ERROR(snapshot_->file_system().Delete(prefix_ + path));
      deleted += 1;
    }
    return deleted;
  }

  StatementContext& context_;
  SnapshotRef snapshot_;
  Retention retention_;
  std::string prefix_;
  Candidates candidates_;
  int64_t directories_ = 1;  ///< Looked at, the table's own included.
  std::optional<Version> newest_expired_;
};

}  // namespace

Result<ResultSet> RunVacuum(StatementContext& context, const plan::Vacuum& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const TargetTable target,
                             FindTargetTable(*analyzer, command.name, "VACUUM"));
  // Whoever may not write the table must not delete its files.
  auto transaction = Transaction::Start(target.snapshot, context.transaction_options());
  if (!transaction.ok()) return std::move(transaction).error();
  MERGANSER_ASSIGN_OR_RETURN(const Retention retention,
                             FindRetention(context, command, *target.snapshot));

  TableVacuum vacuum(context, target.snapshot, retention);
  const bool is_lite =
      command.lite || context.conf.GetBoolean("spark.databricks.delta.vacuum.lite.enabled");
  MERGANSER_RETURN_IF_ERROR(is_lite ? vacuum.FindUnusedInLog() : vacuum.FindAllUnused());
  const std::string& uri = target.snapshot->table().uri;
  const StructType schema({{"path", DataType::String(), true, {}}});
  if (command.dry_run) {
    std::vector<std::vector<CommandCell>> rows;
    for (const auto& [path, size] : vacuum.candidates()) rows.push_back({JoinPath(uri, path)});
    return CommandResult(context, schema, rows);
  }
  MERGANSER_RETURN_IF_ERROR(vacuum.Delete());
  return CommandResult(context, schema, {{uri}});
}

}  // namespace merganser
