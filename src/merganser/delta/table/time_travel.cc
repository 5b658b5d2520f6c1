#include "merganser/delta/table/time_travel.h"

#include <algorithm>
#include <map>
#include <utility>

#include "merganser/delta/log/commit_reader.h"
#include "merganser/delta/log/log_path.h"

namespace merganser {
namespace {

/// What a log folder holds, as far as versions go.
struct LogContents {
  std::optional<Version> first_commit;
  std::optional<Version> first_checkpoint;  ///< A complete one.
};

Result<LogContents> ListLog(FileSystem& file_system, const std::string& table_path) {
  MERGANSER_ASSIGN_OR_RETURN(const auto entries, file_system.List(LogDirectory(table_path)));
  LogContents contents;
  std::map<std::pair<int64_t, int32_t>, int32_t> parts;
  const auto note_checkpoint = [&](Version version) {
    if (!contents.first_checkpoint || version < *contents.first_checkpoint) contents.first_checkpoint = version;
  };
  for (const FileEntry& entry : entries) {
    const auto path = LogPath::Parse(entry.name);
    if (!path) continue;
    if (path->kind == LogFileKind::kCommit) {
      if (!contents.first_commit || path->version < *contents.first_commit) contents.first_commit = path->version;
    } else if (path->kind == LogFileKind::kMultiPartCheckpoint) {
      if (++parts[{path->version.value(), path->part_count}] == path->part_count) note_checkpoint(path->version);
    } else if (path->is_checkpoint()) {
      note_checkpoint(path->version);
    }
  }
  return contents;
}

Error NoHistory(const std::string& table_path) {
  return Error(ErrorClass::DELTA_NO_RECREATABLE_HISTORY_FOUND, {{"logPath", LogDirectory(table_path)}});
}

}  // namespace

Result<Version> EarliestCommit(FileSystem& file_system, const std::string& table_path) {
  MERGANSER_ASSIGN_OR_RETURN(const LogContents contents, ListLog(file_system, table_path));
  if (!contents.first_commit) return NoHistory(table_path);
  return *contents.first_commit;
}

Result<Version> EarliestRecreatableVersion(FileSystem& file_system, const std::string& table_path) {
  MERGANSER_ASSIGN_OR_RETURN(const LogContents contents, ListLog(file_system, table_path));
  if (contents.first_commit == Version(0)) return Version(0);
  if (!contents.first_checkpoint) return NoHistory(table_path);
  return *contents.first_checkpoint;
}

Status CheckVersionExists(const Snapshot& latest, Version version) {
  MERGANSER_ASSIGN_OR_RETURN(const Version earliest, EarliestRecreatableVersion(latest.file_system(), latest.path()));
  if (version >= earliest && version <= latest.version()) return Status::Ok();
  return Error(ErrorClass::DELTA_VERSION_NOT_FOUND, {{"userVersion", version.ToString()},
                                                     {"earliest", earliest.ToString()},
                                                     {"latest", latest.version().ToString()}});
}

Result<std::vector<CommitTimestamp>> CommitTimestamps(const Snapshot& latest, Version start, Version end) {
  const std::string& directory = latest.segment().directory;
  MERGANSER_ASSIGN_OR_RETURN(const auto commits, ListCommits(latest.file_system(), directory, start, end));
  const bool in_commit = latest.properties().enable_in_commit_timestamps();
  const Version enabled_at = latest.properties().in_commit_timestamp_enablement_version().value_or(Version(0));
  std::vector<CommitTimestamp> timestamps;
  int64_t previous = 0;
  for (const LogPath& commit : commits) {
    int64_t timestamp = std::max(commit.modification_time, previous + 1);
    if (in_commit && commit.version >= enabled_at) {
      MERGANSER_ASSIGN_OR_RETURN(const auto info, ReadCommitInfo(latest.file_system(), directory, commit.version));
      if (info && info->in_commit_timestamp) timestamp = *info->in_commit_timestamp;
    }
    timestamps.push_back({commit.version, timestamp});
    previous = timestamp;
  }
  return timestamps;
}

Result<CommitTimestamp> VersionAtTimestamp(const Snapshot& latest, int64_t timestamp_ms,
                                           const TimestampResolution& resolution,
                                           const std::function<std::string(int64_t)>& format_timestamp) {
  MERGANSER_ASSIGN_OR_RETURN(const Version earliest,
                             resolution.must_be_recreatable
                                 ? EarliestRecreatableVersion(latest.file_system(), latest.path())
                                 : EarliestCommit(latest.file_system(), latest.path()));
  MERGANSER_ASSIGN_OR_RETURN(const auto commits, CommitTimestamps(latest, earliest, latest.version()));
  if (commits.empty()) return NoHistory(latest.path());
  if (timestamp_ms < commits.front().timestamp) {
    if (resolution.can_return_earliest_commit) return commits.front();
    const std::string first = format_timestamp(commits.front().timestamp);
    return Error(ErrorClass::DELTA_TIMESTAMP_EARLIER_THAN_COMMIT_RETENTION,
                 {{"userTimestamp", format_timestamp(timestamp_ms)}, {"commitTs", first}, {"timestampString", first}});
  }
  if (timestamp_ms > commits.back().timestamp && !resolution.can_return_last_commit) {
    const std::string last = format_timestamp(commits.back().timestamp);
    return Error(ErrorClass::DELTA_TIMESTAMP_GREATER_THAN_COMMIT, {{"providedTimestamp", format_timestamp(timestamp_ms)},
                                                                   {"lastCommitTimestamp", last},
                                                                   {"maximumTimestamp", last}});
  }
  const auto after = std::ranges::upper_bound(commits, timestamp_ms, {}, &CommitTimestamp::timestamp);
  return *(after - 1);
}

}  // namespace merganser
