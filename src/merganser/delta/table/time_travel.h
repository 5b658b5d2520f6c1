#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/base/version.h"
#include "merganser/delta/table/snapshot.h"

namespace merganser {

/// When a version was committed.
struct CommitTimestamp {
  Version version = Version::None();
  int64_t timestamp = 0;  ///< Milliseconds since the epoch.

  bool operator==(const CommitTimestamp& other) const = default;
};

/// Oldest version that can be rebuilt, from a checkpoint or from version 0.
/// Fails with DELTA_NO_RECREATABLE_HISTORY_FOUND if there is none.
Result<Version> EarliestRecreatableVersion(FileSystem& file_system, const std::string& table_path);
/// Oldest version whose commit file exists. Fails as EarliestRecreatableVersion does.
Result<Version> EarliestCommit(FileSystem& file_system, const std::string& table_path);

/// Check that `version` exists and can be rebuilt. `latest` is a fresh snapshot of the table. Fails
/// with DELTA_VERSION_NOT_FOUND.
Status CheckVersionExists(const Snapshot& latest, Version version);

/// Times of commits `start` to `end`, ascending and made to increase: a file time that is not above
/// its predecessor's counts as one millisecond later. In-commit timestamps where the table has
/// them.
Result<std::vector<CommitTimestamp>> CommitTimestamps(const Snapshot& latest, Version start,
                                                      Version end);

/// How a timestamp is resolved that no commit has.
struct TimestampResolution {
  /// Take the newest version for a time after it, instead of failing.
  bool can_return_last_commit = false;
  /// Take the oldest version for a time before it, instead of failing.
  bool can_return_earliest_commit = false;
  /// Consider only versions that can be rebuilt.
  bool must_be_recreatable = true;
};

/// The newest version committed at or before `timestamp_ms`. `format_timestamp` shows an instant
/// (milliseconds) in the session's zone, for error messages.
///
/// Fails with DELTA_TIMESTAMP_EARLIER_THAN_COMMIT_RETENTION, DELTA_TIMESTAMP_GREATER_THAN_COMMIT,
/// and DELTA_NO_RECREATABLE_HISTORY_FOUND if no commit is left.
Result<CommitTimestamp> VersionAtTimestamp(
    const Snapshot& latest, int64_t timestamp_ms, const TimestampResolution& resolution,
    const std::function<std::string(int64_t)>& format_timestamp);

}  // namespace merganser
