#pragma once

#include <optional>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/log/last_checkpoint.h"
#include "merganser/delta/log/log_path.h"
#include "merganser/io/file_system.h"

namespace merganser {

/// The files that make a table at one version: a checkpoint, if there is one, and what was committed
/// after it.
struct LogSegment {
  std::string directory;  ///< The `_delta_log` folder.
  Version version = Version::None();        ///< The version the files make.
  std::optional<Version> checkpoint_version;
  std::vector<LogPath> checkpoint;  ///< All parts of one checkpoint; empty without one.
  /// Commits and compactions after the checkpoint, ascending, gapless: together they cover every
  /// version from checkpoint_version + 1 (or 0) to `version`. Where a compaction covers a range, its
  /// commits are left out.
  std::vector<LogPath> deltas;
  /// The commit file of `version`, if it still exists.
  std::optional<LogPath> last_commit;
  /// The newest checksum file in the listed range, if any.
  std::optional<LogPath> checksum;

  std::string Path(const LogPath& file) const;

  /// Find the newest version, or `version` for time travel. Starts from the hint and lists the whole
  /// log only when there is none or it does not fit.
  ///
  /// Returns nothing if the folder has no log. Fails with DELTA_VERSION_NOT_FOUND if `version` is
  /// above the newest or its history is gone, DELTA_VERSIONS_NOT_CONTIGUOUS or
  /// DELTA_MISSING_... if commits or parts are missing.
  static Result<std::optional<LogSegment>> Find(FileSystem& file_system, const std::string& table_path,
                                                std::optional<Version> version = std::nullopt);

  /// The segment after new commits: reads only names above `version`. Equal to this one if there are
  /// none.
  Result<LogSegment> Update(FileSystem& file_system) const;

  bool operator==(const LogSegment& other) const = default;
};

/// Commits `start` to `end` (the newest if not given) that exist, ascending.
Result<std::vector<LogPath>> ListCommits(FileSystem& file_system, const std::string& log_directory, Version start,
                                         std::optional<Version> end = std::nullopt);

}  // namespace merganser
