#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "merganser/base/build_version.h"
#include "merganser/base/clock.h"
#include "merganser/base/result.h"
#include "merganser/delta/table/snapshot.h"
#include "merganser/delta/transaction/checkpoint_writer.h"
#include "merganser/delta/transaction/conflict_checker.h"
#include "merganser/delta/transaction/operation.h"
#include "merganser/delta/transaction/read_set.h"

namespace merganser {

/// What commits take from their surroundings.
struct TransactionOptions {
  const Clock* clock = &Clock::System();
  std::string engine_info = "Merganser/" + std::string(kBuildVersion);
  std::optional<std::string> user_metadata;
  std::optional<std::string> user_name;
  /// How often a commit may be beaten by others that do not conflict before it gives up.
  int max_attempts = 1000;
  /// Write a checksum file with each commit.
  bool write_checksum = true;
  CheckpointOptions checkpoint = {};
  /// Commit info as delta-spark gives it for CLONE, CONVERT and RESTORE: readVersion also for
  /// version 0 (-1), and never a blind append.
  bool is_bulk_commit = false;
};

/// A commit that took effect.
struct CommitResult {
  Version version = Version::None();
  SnapshotRef snapshot;  ///< The table right after; null if it could not be read back.
};

/// The tombstone of a live file removed at `now_ms`, for Transaction::Remove.
RemoveFile TombstoneOf(const FileView& file, int64_t now_ms, bool data_change = true);

/// An optimistic transaction on a Delta table: collects what was read and what is to change, then
/// commits it as one new version or not at all ("Transactions" in PROTOCOL.md, spec/merge.md 10).
///
/// Data files must be complete and durable before Commit. Move-only; spent by Commit.
class Transaction {
 public:
  /// A transaction on an existing table. Fails with DELTA_UNSUPPORTED_FEATURES_FOR_WRITE and
  /// DELTA_INVALID_PROTOCOL_VERSION (kUnsupported).
  static Result<Transaction> Start(SnapshotRef snapshot, TransactionOptions options = {});
  /// A transaction that makes the table in the folder `table`; needs SetProtocol and SetMetadata.
  static Transaction Create(FileLocation table, std::shared_ptr<CheckpointCodec> codec,
                            TransactionOptions options = {});

  Transaction(Transaction&&) = default;
  Transaction& operator=(Transaction&&) = default;

  const SnapshotRef& snapshot() const { return snapshot_; }
  /// As it will be after the commit. There must be one.
  const Metadata& metadata() const { return metadata_ ? *metadata_ : snapshot_->metadata(); }

  // What was read.
  void ReadWholeTable() { reads_.whole_table = true; }
  void ReadPredicate(FilePredicate predicate) { reads_.predicates.push_back(std::move(predicate)); }
  void ReadFile(std::string path) { reads_.files.insert(std::move(path)); }
  /// What happens to each row of the files read depends on no other row of the table, so a writer
  /// that deletes other rows of them through deletion vectors is no conflict.
  void ReadRowByRow() { reads_.row_by_row = true; }
  /// The newest version that `application` committed; another writer's progress is then a conflict.
  std::optional<int64_t> ReadApplicationVersion(const std::string& application);

  // What is to change.
  void SetProtocol(Protocol protocol) { protocol_ = std::move(protocol); }
  void SetMetadata(Metadata metadata) { metadata_ = std::move(metadata); }
  void Add(AddFile file) { added_.push_back(std::move(file)); }
  void Remove(RemoveFile file) { removed_.push_back(std::move(file)); }
  void AddChangeFile(AddCdcFile file) { change_files_.push_back(std::move(file)); }
  void SetApplicationVersion(SetTransaction transaction) {
    applications_.push_back(std::move(transaction));
  }
  void SetDomainMetadata(DomainMetadata domain) { domains_.push_back(std::move(domain)); }

  bool has_changes() const;

  /// Fails with DELTA_CANNOT_MODIFY_APPEND_ONLY if the table lets no row go.
  Status CheckRemovable() const;
  /// Let rows go even so, as RESTORE does.
  void IgnoreAppendOnly() { ignores_append_only_ = true; }

  /// Commit as the next version, or a later one if others commit first without conflict.
  ///
  /// Fails with the classes of CheckConflict (kConflict), DELTA_MAX_COMMIT_RETRIES_EXCEEDED
  /// (kConflict), DELTA_CANNOT_MODIFY_APPEND_ONLY (kUser), as CheckIcebergCompat and
  /// CheckUniversalFormat, kIo if nothing became visible, and
  /// DELTA_COMMIT_OUTCOME_UNKNOWN (kCommitUnknown) if that cannot be told. A checkpoint that is due
  /// is written after the commit; failing to is no error.
  Result<CommitResult> Commit(const Operation& operation) &&;

 private:
  Transaction() = default;
  Status Validate() const;
  std::string CommitBytes(const Operation& operation, Version attempt,
                          const std::string& transaction_id, int64_t timestamp,
                          std::optional<int64_t> in_commit_timestamp) const;
  PendingChanges Pending() const;
  /// Check the commits that were made since version `attempt` was the next; returns the version
  /// after them.
  Result<Version> CatchUp(const PendingChanges& pending, Version attempt, WinnerFacts* facts);
  void AfterCommit(const std::string& transaction_id, CommitResult* result) const;
  bool in_commit_timestamps_enabled(const WinnerFacts& facts) const;
  Metadata MetadataAt(Version attempt, std::optional<int64_t> in_commit_timestamp) const;
  bool row_tracking_supported() const;

  SnapshotRef snapshot_;
  FileLocation table_;
  std::shared_ptr<CheckpointCodec> codec_;
  TransactionOptions options_;
  ReadSet reads_;
  std::optional<Protocol> protocol_;
  std::optional<Metadata> metadata_;
  std::vector<AddFile> added_;
  std::vector<RemoveFile> removed_;
  std::vector<AddCdcFile> change_files_;
  std::vector<SetTransaction> applications_;
  std::vector<DomainMetadata> domains_;
  bool ignores_append_only_ = false;
};

}  // namespace merganser
