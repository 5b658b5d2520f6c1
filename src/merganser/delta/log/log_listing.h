#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/log/last_checkpoint.h"
#include "merganser/delta/log/log_path.h"
#include "merganser/io/file_system.h"

namespace merganser {

/// The files of a log folder by kind, each ascending.
struct LogListing {
  std::vector<LogPath> commits;
  std::vector<LogPath> compactions;
  std::vector<LogPath> checksums;
  std::map<Version, std::vector<LogPath>> checkpoints;

  void Add(LogPath path);
  bool empty() const { return commits.empty() && checkpoints.empty(); }

  /// Parts of the newest complete checkpoint not above `limit`; empty if there is none.
  std::vector<LogPath> NewestCheckpoint(std::optional<Version> limit) const;
  /// The oldest version that a checkpoint or version 0 makes, if any.
  std::optional<Version> EarliestRecreatable() const;
  /// The newest version a commit or checkpoint makes.
  std::optional<Version> Latest() const;
};

/// List the files of version `start` and later.
Result<LogListing> ListLog(FileSystem& file_system, const std::string& log_directory,
                           Version start = Version(0));

/// The same, found by asking for the names that follow from the hint instead of listing. Nothing if
/// that cannot be trusted to find everything: then list.
Result<std::optional<LogListing>> ProbeLog(FileSystem& file_system,
                                           const std::string& log_directory,
                                           const LastCheckpoint& hint,
                                           std::optional<Version> limit);

/// The file `name` of the log with its size and time, if it exists.
Result<std::optional<LogPath>> StatLogFile(FileSystem& file_system,
                                           const std::string& log_directory,
                                           const std::string& name);

/// Commits from `start` on, one name after the other up to the first that is missing, `limit` or
/// `most` files.
Result<std::vector<LogPath>> ProbeCommits(FileSystem& file_system, const std::string& log_directory,
                                          Version start, std::optional<Version> limit, size_t most);

}  // namespace merganser
