#pragma once

#include <optional>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/log/last_checkpoint.h"
#include "merganser/delta/log/log_path.h"
#include "merganser/io/file_system.h"

namespace merganser {

/// The files that make a table at one version: a checkpoint, if there is one, and what was
/// committed after it.
struct LogSegment {
  std::string directory;              ///< The `_delta_log` folder.
  Version version = Version::None();  ///< The version the files make.
  std::optional<Version> checkpoint_version;
  std::vector<LogPath> checkpoint;  ///< All parts of one checkpoint; empty without one.
  /// Commits and compactions after the checkpoint, ascending, gapless: together they cover every
  /// version from checkpoint_version + 1 (or 0) to `version`. Where a compaction covers a range,
  /// its commits are left out.
  std::vector<LogPath> deltas;
  /// The commit file of `version`, if it still exists.
  std::optional<LogPath> last_commit;
  /// The checksum file of `version`, if there is one.
  std::optional<LogPath> checksum;

  std::string Path(const LogPath& file) const { return JoinPath(directory, file.name); }

  /// Find the files of the newest version, or of `version` for time travel. Starts from the hint of
  /// `_last_checkpoint` and looks at the whole log only where there is none or it does not fit.
  ///
  /// Returns nothing if the folder has no log. Fails with DELTA_VERSION_NOT_FOUND if `version` is
  /// above the newest or its history is gone, DELTA_VERSIONS_NOT_CONTIGUOUS,
  /// DELTA_TRUNCATED_TRANSACTION_LOG or DELTA_MISSING_PART_FILES (kCorruption) if commits or a
  /// checkpoint are missing.
  static Result<std::optional<LogSegment>> Find(FileSystem& file_system,
                                                const std::string& table_path,
                                                std::optional<Version> version = std::nullopt);

  bool operator==(const LogSegment& other) const = default;
};

/// What happened to a log since a segment of it was found.
struct LogUpdate {
  /// The log is another one now, or commits after the segment are missing: find it anew.
  bool replaced = false;
  /// Commits after the segment, ascending, gapless; empty if there are none.
  std::vector<LogPath> new_commits;
};

/// Look for commits after `segment`; reads names only.
Result<LogUpdate> FindUpdate(FileSystem& file_system, const LogSegment& segment);

/// The segment with `new_commits` (not empty) added, based on a newer checkpoint where the hint
/// names one.
Result<LogSegment> Extend(FileSystem& file_system, const LogSegment& segment,
                          const std::vector<LogPath>& new_commits);

/// Commits `start` to `end` (the newest if not given) that exist, ascending.
Result<std::vector<LogPath>> ListCommits(FileSystem& file_system, const std::string& log_directory,
                                         Version start, std::optional<Version> end = std::nullopt);

}  // namespace merganser
