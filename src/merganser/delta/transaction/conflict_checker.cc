#include "merganser/delta/transaction/conflict_checker.h"

#include <algorithm>
#include <utility>

#include "merganser/base/json.h"
#include "merganser/delta/protocol/table_features.h"
#include "merganser/delta/table/file_pruning.h"
#include "merganser/delta/transaction/compatible_metadata.h"
#include "merganser/delta/transaction/row_tracking.h"

namespace merganser {
namespace {

constexpr std::string_view kDocLink = "https://docs.delta.io/latest/concurrency-control.html";

/// A winning commit sorted by kind of action.
struct Winner {
  Version version = Version::None();
  const CommitInfo* info = nullptr;
  const Protocol* protocol = nullptr;
  const Metadata* metadata = nullptr;
  std::vector<const AddFile*> added;
  std::vector<const RemoveFile*> removed;
  std::vector<const SetTransaction*> transactions;
  std::vector<const DomainMetadata*> domains;

  bool is_blind_append() const { return info != nullptr && info->is_blind_append.value_or(false); }
  std::string operation() const { return info == nullptr ? "" : info->operation.value_or(""); }
};

Winner Sort(Version version, const std::vector<Action>& actions) {
  Winner winner;
  winner.version = version;
  for (const Action& action : actions) {
    if (const auto* info = std::get_if<CommitInfo>(&action)) winner.info = info;
    if (const auto* protocol = std::get_if<Protocol>(&action)) winner.protocol = protocol;
    if (const auto* metadata = std::get_if<Metadata>(&action)) winner.metadata = metadata;
    if (const auto* add = std::get_if<AddFile>(&action)) winner.added.push_back(add);
    if (const auto* remove = std::get_if<RemoveFile>(&action)) winner.removed.push_back(remove);
    if (const auto* txn = std::get_if<SetTransaction>(&action)) winner.transactions.push_back(txn);
    if (const auto* domain = std::get_if<DomainMetadata>(&action)) winner.domains.push_back(domain);
  }
  return winner;
}

std::string DescribeCommit(const Winner& winner) {
  Json json = Json::MakeObject();
  json["version"] = winner.version.value();
  json["operation"] = winner.operation();
  if (winner.info != nullptr && winner.info->timestamp) json["timestamp"] = *winner.info->timestamp;
  return json.Dump();
}

Error FileConflict(ErrorClass error_class, const PendingChanges& pending, const Winner& winner) {
  return Error(error_class,
               {{"operation", winner.operation()},
                {"tableName", pending.read_snapshot->table().uri},
                {"version", winner.version.ToString()},
                {"docLink", std::string(kDocLink)}},
               "WITHOUT_HINT");
}

Error CommitConflict(ErrorClass error_class, const PendingChanges& pending, const Winner& winner) {
  return Error(
      error_class,
      {{"conflictingCommit", DescribeCommit(winner)},
       {"tableName", pending.read_snapshot == nullptr ? "" : pending.read_snapshot->table().uri},
       {"docLink", std::string(kDocLink)}});
}

Status CheckProtocol(const PendingChanges& pending, const Winner& winner) {
  if (winner.protocol == nullptr) return Status::Ok();
  if (pending.changes_protocol)
    return CommitConflict(ErrorClass::DELTA_PROTOCOL_CHANGED, pending, winner);
  MERGANSER_RETURN_IF_ERROR(CheckReadable(*winner.protocol, pending.read_snapshot->table().uri));
  MERGANSER_RETURN_IF_ERROR(CheckWritable(*winner.protocol, pending.read_snapshot->table().uri));
  // What the new features ask of a writer was not done for the files already written.
  return CommitConflict(ErrorClass::DELTA_PROTOCOL_CHANGED, pending, winner);
}

bool WasRead(const ReadSet& reads, const std::vector<FilePruner>& pruners, const AddFile& file) {
  if (reads.whole_table) return true;
  return std::ranges::any_of(pruners,
                             [&](const FilePruner& pruner) { return pruner.MayMatch(file); });
}

Status CheckAppends(const PendingChanges& pending, const Winner& winner) {
  if (pending.isolation == IsolationLevel::kSnapshotIsolation) return Status::Ok();
  if (pending.isolation == IsolationLevel::kWriteSerializable && winner.is_blind_append() &&
      !pending.changes_metadata) {
    return Status::Ok();
  }
  std::vector<FilePruner> pruners;
  pruners.reserve(pending.reads->predicates.size());
  for (const FilePredicate& predicate : pending.reads->predicates) {
    pruners.emplace_back(*pending.read_snapshot, predicate);
  }
  for (const AddFile* file : winner.added) {
    if (file->data_change && WasRead(*pending.reads, pruners, *file)) {
      return FileConflict(ErrorClass::DELTA_CONCURRENT_APPEND, pending, winner);
    }
  }
  return Status::Ok();
}

Status CheckDeletes(const PendingChanges& pending, const Winner& winner) {
  for (const RemoveFile* file : winner.removed) {
    if (pending.reads->files.contains(file->path) ||
        (pending.reads->whole_table && file->data_change)) {
      return FileConflict(ErrorClass::DELTA_CONCURRENT_DELETE_READ, pending, winner);
    }
  }
  for (const RemoveFile* file : winner.removed) {
    if (std::ranges::binary_search(pending.removed_paths, file->path)) {
      return FileConflict(ErrorClass::DELTA_CONCURRENT_DELETE_DELETE, pending, winner);
    }
  }
  return Status::Ok();
}

}  // namespace

std::string_view ToString(IsolationLevel level) {
  switch (level) {
    case IsolationLevel::kSerializable:
      return "Serializable";
    case IsolationLevel::kWriteSerializable:
      return "WriteSerializable";
    case IsolationLevel::kSnapshotIsolation:
      return "SnapshotIsolation";
  }
  return "Serializable";
}

Status CheckConflict(const PendingChanges& pending, Version winner_version,
                     const std::vector<Action>& winner_actions, WinnerFacts* facts) {
  const Winner winner = Sort(winner_version, winner_actions);
  if (pending.read_snapshot == nullptr)
    return CommitConflict(ErrorClass::DELTA_PROTOCOL_CHANGED, pending, winner);
  MERGANSER_RETURN_IF_ERROR(CheckProtocol(pending, winner));
  if (winner.metadata != nullptr) {
    const Metadata& before = facts->metadata ? *facts->metadata : pending.read_snapshot->metadata();
    if (pending.changes_metadata ||
        !IsCompatibleMetadata(pending.read_snapshot->protocol(), before, *winner.metadata)) {
      return CommitConflict(ErrorClass::DELTA_METADATA_CHANGED, pending, winner);
    }
    facts->metadata = *winner.metadata;
  }
  for (const DomainMetadata* domain : winner.domains) {
    if (std::ranges::find(pending.domains, domain->domain) != pending.domains.end()) {
      return CommitConflict(ErrorClass::DELTA_CONCURRENT_WRITE, pending, winner);
    }
    if (domain->domain == kRowTrackingDomain) {
      facts->row_id_high_water_mark = ParseRowIdHighWaterMark(domain->configuration);
    }
  }
  MERGANSER_RETURN_IF_ERROR(CheckAppends(pending, winner));
  MERGANSER_RETURN_IF_ERROR(CheckDeletes(pending, winner));
  for (const SetTransaction* transaction : winner.transactions) {
    if (pending.reads->application_ids.contains(transaction->app_id)) {
      return CommitConflict(ErrorClass::DELTA_CONCURRENT_TRANSACTION, pending, winner);
    }
  }
  if (winner.info != nullptr && winner.info->in_commit_timestamp) {
    facts->in_commit_timestamp = winner.info->in_commit_timestamp;
  }
  return Status::Ok();
}

}  // namespace merganser
