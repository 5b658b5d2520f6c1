#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/table/snapshot.h"
#include "merganser/delta/transaction/read_set.h"

namespace merganser {

/// What a transaction is about to commit, as far as conflicts go.
struct PendingChanges {
  const Snapshot* read_snapshot = nullptr;  ///< Null when the transaction creates the table.
  const ReadSet* reads = nullptr;
  std::vector<std::string> removed_paths;  ///< Paths of its remove actions, sorted.
  std::vector<std::string> domains;        ///< Domains it writes, other than delta.rowTracking.
  bool changes_metadata = false;
  bool changes_protocol = false;
  IsolationLevel isolation = IsolationLevel::kSerializable;
};

/// Facts of winning commits that the transaction needs when it is rebased onto them.
struct WinnerFacts {
  std::optional<int64_t> row_id_high_water_mark;
  std::optional<int64_t> in_commit_timestamp;  ///< Of the newest winner.
  std::optional<Metadata> metadata;            ///< In force after the winners, if they changed it.
};

/// Decide whether a transaction may commit after the commit `winner` that beat it
/// (spec/merge.md 10, "Concurrency").
///
/// Only what was read matters: an append elsewhere in the table is no conflict for a merge pruned
/// to one partition. A file added by the winner counts as read if a read predicate may hold for one
/// of its rows, judged by partition values and statistics.
///
/// Fails with DELTA_PROTOCOL_CHANGED, DELTA_METADATA_CHANGED, DELTA_CONCURRENT_APPEND,
/// DELTA_CONCURRENT_DELETE_READ, DELTA_CONCURRENT_DELETE_DELETE, DELTA_CONCURRENT_TRANSACTION,
/// DELTA_CONCURRENT_WRITE (all kConflict). Facts of the winner are added to `facts`.
Status CheckConflict(const PendingChanges& pending, Version winner,
                     const std::vector<Action>& winner_actions, WinnerFacts* facts);

}  // namespace merganser
