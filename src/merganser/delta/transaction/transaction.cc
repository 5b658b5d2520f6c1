#include "merganser/delta/transaction/transaction.h"

#include <algorithm>
#include <utility>

#include "merganser/base/failpoint.h"
#include "merganser/base/uuid.h"
#include "merganser/delta/log/commit_reader.h"
#include "merganser/delta/log/log_path.h"
#include "merganser/delta/protocol/action_json.h"
#include "merganser/delta/protocol/table_features.h"
#include "merganser/delta/transaction/checksum_writer.h"
#include "merganser/delta/transaction/committer.h"
#include "merganser/delta/transaction/iceberg_compat.h"
#include "merganser/delta/transaction/log_cleanup.h"
#include "merganser/delta/transaction/row_marks.h"
#include "merganser/delta/transaction/row_tracking.h"

namespace merganser {

Result<Transaction> Transaction::Start(SnapshotRef snapshot, TransactionOptions options) {
  MERGANSER_RETURN_IF_ERROR(CheckWritable(snapshot->protocol(), snapshot->table().uri));
  Transaction transaction;
  transaction.table_ = snapshot->table();
  transaction.codec_ = snapshot->codec();
  transaction.snapshot_ = std::move(snapshot);
  transaction.options_ = std::move(options);
  return transaction;
}

Transaction Transaction::Create(FileLocation table, std::shared_ptr<CheckpointCodec> codec,
                                TransactionOptions options) {
  Transaction transaction;
  transaction.table_ = std::move(table);
  transaction.codec_ = std::move(codec);
  transaction.options_ = std::move(options);
  return transaction;
}

std::optional<int64_t> Transaction::ReadApplicationVersion(const std::string& application) {
  reads_.application_ids.insert(application);
  return snapshot_ == nullptr ? std::nullopt : snapshot_->TransactionVersion(application);
}

bool Transaction::has_changes() const {
  return protocol_ || metadata_ || !added_.empty() || !removed_.empty() || !change_files_.empty() ||
         !applications_.empty() || !domains_.empty();
}

RemoveFile TombstoneOf(const FileView& file, int64_t now_ms, bool data_change) {
  AddFile add = file.ToAddFile();
  RemoveFile remove;
  remove.path = std::move(add.path);
  remove.deletion_timestamp = now_ms;
  remove.data_change = data_change;
  remove.extended_file_metadata = true;
  remove.partition_values = std::move(add.partition_values);
  remove.size = add.size;
  remove.stats = std::move(add.stats);
  remove.tags = std::move(add.tags);
  remove.deletion_vector = std::move(add.deletion_vector);
  remove.base_row_id = add.base_row_id;
  remove.default_row_commit_version = add.default_row_commit_version;
  return remove;
}

bool Transaction::in_commit_timestamps_enabled(const WinnerFacts& facts) const {
  const Metadata* metadata = metadata_              ? &*metadata_
                             : facts.metadata       ? &*facts.metadata
                             : snapshot_ != nullptr ? &snapshot_->metadata()
                                                    : nullptr;
  return metadata != nullptr &&
         TableProperties(metadata->configuration).enable_in_commit_timestamps();
}

/// The metadata to commit. Where in-commit timestamps start in a table that was without, it says
/// when
/// ("In-Commit Timestamps" in PROTOCOL.md).
Metadata Transaction::MetadataAt(Version attempt,
                                 std::optional<int64_t> in_commit_timestamp) const {
  Metadata metadata = *metadata_;
  const bool starts = in_commit_timestamp && snapshot_ != nullptr &&
                      !snapshot_->properties().enable_in_commit_timestamps();
  if (starts) {
    metadata.configuration["delta.inCommitTimestampEnablementVersion"] = attempt.ToString();
    metadata.configuration["delta.inCommitTimestampEnablementTimestamp"] =
        std::to_string(*in_commit_timestamp);
  }
  return metadata;
}

bool Transaction::row_tracking_supported() const {
  const StringMap* configuration = metadata_              ? &metadata_->configuration
                                   : snapshot_ != nullptr ? &snapshot_->metadata().configuration
                                                          : nullptr;
  if (configuration != nullptr) {
    const auto suspended = configuration->find("delta.rowTrackingSuspended");
    if (suspended != configuration->end() && suspended->second == "true") return false;
  }
  if (protocol_) return SupportsFeature(*protocol_, "rowTracking");
  return snapshot_ != nullptr && snapshot_->Supports("rowTracking");
}

Status Transaction::Validate() const {
  const Protocol* protocol = protocol_              ? &*protocol_
                             : snapshot_ != nullptr ? &snapshot_->protocol()
                                                    : nullptr;
  if (protocol != nullptr) MERGANSER_RETURN_IF_ERROR(CheckWritable(*protocol, table_.uri));
  const Metadata* metadata = metadata_              ? &*metadata_
                             : snapshot_ != nullptr ? &snapshot_->metadata()
                                                    : nullptr;
  if (protocol != nullptr && metadata != nullptr) {
    MERGANSER_RETURN_IF_ERROR(CheckUniversalFormat(TableProperties(metadata->configuration)));
    MERGANSER_RETURN_IF_ERROR(CheckIcebergCompat(
        {.before = snapshot_.get(), .protocol = protocol, .metadata = metadata, .added = &added_}));
  }
  const bool changes_rows =
      !ignores_append_only_ &&
      std::ranges::any_of(removed_, [](const RemoveFile& file) { return file.data_change; });
  return changes_rows ? CheckRemovable() : Status::Ok();
}

Status Transaction::CheckRemovable() const {
  if (snapshot_ == nullptr || !snapshot_->properties().append_only()) return Status::Ok();
  return Error(ErrorClass::DELTA_CANNOT_MODIFY_APPEND_ONLY,
               {{"table_name", table_.uri}, {"config", "delta.appendOnly"}});
}

std::string Transaction::CommitBytes(const Operation& operation, Version attempt,
                                     const std::string& transaction_id, int64_t timestamp,
                                     std::optional<int64_t> in_commit_timestamp) const {
  const auto changes_data = [](const auto& file) { return file.data_change; };
  const bool data_change = std::ranges::any_of(added_, changes_data) ||
                           std::ranges::any_of(removed_, changes_data) || metadata_ || protocol_;
  CommitInfo info;
  info.in_commit_timestamp = in_commit_timestamp;
  info.timestamp = timestamp;
  info.user_name = options_.user_name;
  info.operation = operation.name;
  info.operation_parameters = operation.parameters;
  if (attempt != Version(0) || options_.is_bulk_commit)
    info.read_version = snapshot_ == nullptr ? -1 : snapshot_->version().value();
  info.isolation_level =
      ToString(data_change ? IsolationLevel::kSerializable : IsolationLevel::kSnapshotIsolation);
  info.is_blind_append = reads_.empty() && removed_.empty() && !options_.is_bulk_commit;
  info.operation_metrics = operation.metrics;
  info.user_metadata = options_.user_metadata;
  info.engine_info = options_.engine_info;
  info.txn_id = transaction_id;
  if (snapshot_ != nullptr && snapshot_->properties().enable_row_tracking())
    info.tags = StringMap{{"delta.rowTracking.preserved", "true"}};

  std::vector<Action> actions;
  actions.reserve(5 + added_.size() + removed_.size() + change_files_.size());
  actions.emplace_back(std::move(info));
  if (protocol_) actions.emplace_back(*protocol_);
  if (metadata_) actions.emplace_back(MetadataAt(attempt, in_commit_timestamp));
  const auto append = [&](const auto& list) {
    actions.insert(actions.end(), list.begin(), list.end());
  };
  append(applications_);
  append(domains_);
  append(added_);
  append(removed_);
  append(change_files_);
  return ToJsonLines(actions);
}

PendingChanges Transaction::Pending() const {
  PendingChanges pending;
  pending.read_snapshot = snapshot_.get();
  pending.reads = &reads_;
  for (const RemoveFile& file : removed_) pending.removed_paths.push_back(file.path);
  std::ranges::sort(pending.removed_paths);
  for (const DomainMetadata& domain : domains_) pending.domains.push_back(domain.domain);
  pending.changes_metadata = metadata_.has_value();
  pending.changes_protocol = protocol_.has_value();
  const auto changes_data = [](const auto& file) { return file.data_change; };
  if (!std::ranges::any_of(added_, changes_data) && !std::ranges::any_of(removed_, changes_data) &&
      !metadata_) {
    pending.isolation = IsolationLevel::kSnapshotIsolation;
  } else if (snapshot_ != nullptr &&
             snapshot_->properties().isolation_level() == "WriteSerializable") {
    pending.isolation = IsolationLevel::kWriteSerializable;
  }
  return pending;
}

Result<Version> Transaction::CatchUp(const PendingChanges& pending, Version attempt,
                                     WinnerFacts* facts) {
  const std::string directory = LogDirectory(table_.path);
  MERGANSER_ASSIGN_OR_RETURN(const auto winners,
                             ListCommits(*table_.file_system, directory, attempt));
  for (const LogPath& winner : winners) {
    MERGANSER_ASSIGN_OR_RETURN(auto actions,
                               ReadCommitActions(*table_.file_system, directory, winner.version));
    if (reads_.row_by_row && snapshot_ != nullptr) {
      MERGANSER_ASSIGN_OR_RETURN(
          actions, RebaseRowMarks(*snapshot_, std::move(actions), RowMarks{added_, removed_}));
    }
    MERGANSER_RETURN_IF_ERROR(CheckConflict(pending, winner.version, actions, facts));
    attempt = winner.version.next();
  }
  return attempt;
}

void Transaction::AfterCommit(const std::string& transaction_id, CommitResult* result) const {
  auto loaded = snapshot_ == nullptr ? Snapshot::Load(table_, codec_) : snapshot_->Refresh();
  if (loaded.ok()) result->snapshot = *loaded;
  if (result->snapshot == nullptr || result->snapshot->version() != result->version) return;
  // The commit stands whether what follows can be written or not; the next one tries again.
  if (options_.write_checksum) {
    [[maybe_unused]] const Status written = WriteChecksum(*result->snapshot, transaction_id);
  }
  if (!IsCheckpointDue(*result->snapshot)) return;
  const int64_t now = options_.clock->NowMillis();
  if (WriteCheckpoint(*result->snapshot, now, options_.checkpoint).ok()) {
    [[maybe_unused]] const Status cleaned = CleanUpLog(*result->snapshot, now);
  }
}

Result<CommitResult> Transaction::Commit(const Operation& operation) && {
  MERGANSER_RETURN_IF_ERROR(Validate());
  MERGANSER_FAILPOINT("commit.after_data_files");

  const PendingChanges pending = Pending();
  const std::string transaction_id = RandomUuid();
  const Version first = snapshot_ == nullptr ? Version(0) : snapshot_->version().next();
  const bool tracks_rows = row_tracking_supported();
  WinnerFacts facts;
  Version attempt = first;
  for (int attempts = 1;; ++attempts) {
    const std::vector<AddFile> added = added_;
    const std::vector<DomainMetadata> domains = domains_;
    // Row ids and the commit's time depend on the version that is tried.
    if (tracks_rows) {
      const int64_t mark =
          facts.row_id_high_water_mark.value_or(snapshot_ ? RowIdHighWaterMark(*snapshot_) : -1);
      MERGANSER_ASSIGN_OR_RETURN(const int64_t new_mark, AssignRowIds(added_, mark, attempt));
      if (new_mark != mark) domains_.push_back(RowIdHighWaterMarkAction(new_mark));
    }
    const int64_t now = options_.clock->NowMillis();
    std::optional<int64_t> in_commit_timestamp;
    if (in_commit_timestamps_enabled(facts)) {
      const int64_t previous =
          facts.in_commit_timestamp.value_or(snapshot_ ? snapshot_->timestamp() : 0);
      in_commit_timestamp = std::max(now, previous + 1);
    }
    const std::string bytes =
        CommitBytes(operation, attempt, transaction_id, now, in_commit_timestamp);
    MERGANSER_ASSIGN_OR_RETURN(const CommitOutcome outcome,
                               PutCommit(table_, attempt, bytes, transaction_id));
    if (outcome == CommitOutcome::kCommitted) break;
    if (attempts >= options_.max_attempts) {
      return Error(ErrorClass::DELTA_MAX_COMMIT_RETRIES_EXCEEDED,
                   {{"numAttempts", std::to_string(attempts)},
                    {"startVersion", first.ToString()},
                    {"failVersion", attempt.ToString()},
                    {"numActions", std::to_string(added_.size() + removed_.size())},
                    {"timeSpent", "0"}});
    }
    added_ = added;
    domains_ = domains;
    MERGANSER_ASSIGN_OR_RETURN(attempt, CatchUp(pending, attempt, &facts));
  }
  MERGANSER_FAILPOINT("commit.before_checkpoint");

  CommitResult result;
  result.version = attempt;
  AfterCommit(transaction_id, &result);
  return result;
}

}  // namespace merganser
