#include "merganser/delta/transaction/committer.h"

#include "merganser/base/failpoint.h"
#include "merganser/delta/log/commit_reader.h"
#include "merganser/delta/log/log_path.h"

namespace merganser {
namespace {

/// Is the commit file of `version` ours? Asked after a put whose answer is not known.
Result<CommitOutcome> ResolveLostAnswer(const FileLocation& table, Version version,
                                        std::string_view transaction_id, Error put_error) {
  const std::string directory = LogDirectory(table.path);
  const auto exists = table.file_system->Exists(JoinPath(directory, CommitFileName(version)));
  if (exists.ok() && !*exists) return put_error;
  if (exists.ok()) {
    const auto info = ReadCommitInfo(*table.file_system, directory, version);
    if (info.ok()) {
      const bool ours = info->has_value() && (*info)->txn_id == transaction_id;
      return ours ? CommitOutcome::kCommitted : CommitOutcome::kBeaten;
    }
  }
  return Error(ErrorClass::DELTA_COMMIT_OUTCOME_UNKNOWN,
               {{"tablePath", table.uri}, {"version", version.ToString()}})
      .CausedBy(std::move(put_error));
}

Result<PutOutcome> Put(const FileLocation& table, Version version, std::string_view bytes) {
  MERGANSER_FAILPOINT("commit.before_put");
  const std::string directory = LogDirectory(table.path);
  if (version == Version(0))
    MERGANSER_RETURN_IF_ERROR(table.file_system->CreateDirectories(directory));
  auto outcome =
      table.file_system->PutIfAbsent(JoinPath(directory, CommitFileName(version)), bytes);
  MERGANSER_FAILPOINT("commit.after_put");
  return outcome;
}

}  // namespace

Result<CommitOutcome> PutCommit(const FileLocation& table, Version version, std::string_view bytes,
                                std::string_view transaction_id) {
  auto outcome = Put(table, version, bytes);
  if (!outcome.ok())
    return ResolveLostAnswer(table, version, transaction_id, std::move(outcome).error());
  if (*outcome == PutOutcome::kCreated) return CommitOutcome::kCommitted;
  // A store that retries on its own may report our own file as another's.
  const auto info = ReadCommitInfo(*table.file_system, LogDirectory(table.path), version);
  if (info.ok() && info->has_value() && (*info)->txn_id == transaction_id)
    return CommitOutcome::kCommitted;
  return CommitOutcome::kBeaten;
}

}  // namespace merganser
