#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "merganser/base/result.h"
#include "merganser/spark/plan/relation.h"

namespace merganser {

/// How a stream reads a Delta table, in Delta's terms.
struct DeltaSourceOptions {
  bool change_feed = false;          ///< readChangeFeed.
  bool ignore_deletes = false;       ///< Commits that only delete whole files count as nothing new.
  bool ignore_changes = false;       ///< Of commits that rewrite files, what was written is read.
  bool skip_change_commits = false;  ///< Commits that remove rows are left out.
  bool from_latest = false;          ///< startingVersion = latest: only what comes from now on.
  std::optional<int64_t> starting_version = {};
  std::optional<int64_t> starting_millis = {};  ///< startingTimestamp, since the epoch.
  int64_t max_files_per_trigger = 1000;
  int64_t max_bytes_per_trigger = std::numeric_limits<int64_t>::max();

  /// Read them from the options of a reader; others are left to it. `millis_of` reads a timestamp.
  ///
  /// Fails with DELTA_ILLEGAL_OPTION for values that are none, and where the stream is to begin at
  /// two places; and as `millis_of`.
  static Result<DeltaSourceOptions> Read(
      const plan::Options& options,
      const std::function<Result<int64_t>(const std::string&)>& millis_of);
};

}  // namespace merganser
