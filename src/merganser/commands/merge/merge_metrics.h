#pragma once

#include <cstdint>

namespace merganser {

/// What a MERGE, UPDATE or DELETE did (spec/merge.md 9.2). Rows are counted before anything is
/// written, files as they are committed.
struct MergeMetrics {
  int64_t source_rows = 0;
  int64_t inserted = 0;
  int64_t matched_updated = 0;
  int64_t matched_deleted = 0;
  int64_t not_matched_by_source_updated = 0;
  int64_t not_matched_by_source_deleted = 0;
  int64_t copied = 0;
  int64_t files_added = 0;
  int64_t bytes_added = 0;
  int64_t files_removed = 0;
  int64_t bytes_removed = 0;
  int64_t change_files_added = 0;
  int64_t deletion_vectors_added = 0;    ///< New and replaced ones.
  int64_t deletion_vectors_removed = 0;  ///< Of removed files, and replaced ones.
  int64_t deletion_vectors_updated = 0;  ///< Replaced ones.
  int64_t materialize_source_ms = 0;
  int64_t scan_ms = 0;
  int64_t rewrite_ms = 0;
  int64_t execution_ms = 0;

  int64_t updated() const { return matched_updated + not_matched_by_source_updated; }
  int64_t deleted() const { return matched_deleted + not_matched_by_source_deleted; }
  int64_t affected() const { return inserted + updated() + deleted(); }
  int64_t output_rows() const { return inserted + updated() + copied; }
};

}  // namespace merganser
