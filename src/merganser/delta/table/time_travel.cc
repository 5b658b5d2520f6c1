#include "merganser/delta/table/time_travel.h"

#include <algorithm>
#include <utility>

#include "merganser/delta/log/commit_reader.h"
#include "merganser/delta/log/log_listing.h"
#include "merganser/delta/log/log_segment.h"

namespace merganser {
namespace {

/// Modification times of the commits, made to increase.
Result<std::vector<CommitTimestamp>> FileTimes(const Snapshot& latest, Version start, Version end) {
  MERGANSER_ASSIGN_OR_RETURN(
      const auto commits,
      ListCommits(latest.file_system(), latest.segment().directory, start, end));
  std::vector<CommitTimestamp> times;
  for (const LogPath& commit : commits) {
    const int64_t least = times.empty() ? INT64_MIN : times.back().timestamp + 1;
    times.push_back({commit.version, std::max(commit.modification_time, least)});
  }
  return times;
}

Error NoHistory(const std::string& table_path) {
  return Error(ErrorClass::DELTA_NO_RECREATABLE_HISTORY_FOUND,
               {{"logPath", LogDirectory(table_path)}});
}

}  // namespace

Result<Version> EarliestCommit(FileSystem& file_system, const std::string& table_path) {
  MERGANSER_ASSIGN_OR_RETURN(const LogListing listing,
                             ListLog(file_system, LogDirectory(table_path)));
  if (listing.commits.empty()) return NoHistory(table_path);
  return listing.commits.front().version;
}

Result<Version> EarliestRecreatableVersion(FileSystem& file_system, const std::string& table_path) {
  MERGANSER_ASSIGN_OR_RETURN(const LogListing listing,
                             ListLog(file_system, LogDirectory(table_path)));
  const auto earliest = listing.EarliestRecreatable();
  if (!earliest) return NoHistory(table_path);
  return *earliest;
}

Status CheckVersionExists(const Snapshot& latest, Version version) {
  MERGANSER_ASSIGN_OR_RETURN(const Version earliest,
                             EarliestRecreatableVersion(latest.file_system(), latest.path()));
  if (version >= earliest && version <= latest.version()) return Status::Ok();
  return Error(ErrorClass::DELTA_VERSION_NOT_FOUND, {{"userVersion", version.ToString()},
                                                     {"earliest", earliest.ToString()},
                                                     {"latest", latest.version().ToString()}});
}

Result<std::vector<CommitTimestamp>> CommitTimestamps(const Snapshot& latest, Version start,
                                                      Version end) {
  MERGANSER_ASSIGN_OR_RETURN(std::vector<CommitTimestamp> commits, FileTimes(latest, start, end));
  const TableProperties& properties = latest.properties();
  if (!properties.enable_in_commit_timestamps()) return commits;
  const Version enabled_at =
      properties.in_commit_timestamp_enablement_version().value_or(Version(0));
  for (CommitTimestamp& commit : commits) {
    if (commit.version < enabled_at) continue;
    MERGANSER_ASSIGN_OR_RETURN(
        const auto info,
        ReadCommitInfo(latest.file_system(), latest.segment().directory, commit.version));
    if (info && info->in_commit_timestamp) commit.timestamp = *info->in_commit_timestamp;
  }
  return commits;
}

namespace {

/// The newest version in [first, last] committed at or before `timestamp_ms`, all of which have an
/// in-commit timestamp; the oldest if there is none. Reads one commit a step.
Result<CommitTimestamp> SearchInCommitTimestamps(const Snapshot& latest, Version first,
                                                 Version last, int64_t timestamp_ms) {
  const auto at = [&](Version version) -> Result<CommitTimestamp> {
    if (version == latest.version()) return CommitTimestamp{version, latest.timestamp()};
    MERGANSER_ASSIGN_OR_RETURN(
        const auto info, ReadCommitInfo(latest.file_system(), latest.segment().directory, version));
    if (info && info->in_commit_timestamp)
      return CommitTimestamp{version, *info->in_commit_timestamp};
    return Error(ErrorClass::DELTA_MISSING_COMMIT_TIMESTAMP,
                 {{"featureName", "inCommitTimestamp"}, {"version", version.ToString()}});
  };
  MERGANSER_ASSIGN_OR_RETURN(CommitTimestamp found, at(first));
  while (first < last) {
    const Version middle(first.value() + (last - first + 1) / 2);
    MERGANSER_ASSIGN_OR_RETURN(const CommitTimestamp commit, at(middle));
    if (commit.timestamp <= timestamp_ms) {
      found = commit;
      first = middle;
    } else {
      last = middle.previous();
    }
  }
  return found;
}

/// The same for versions that go by the times of their files.
Result<CommitTimestamp> SearchFileTimes(const Snapshot& latest, Version first, Version last,
                                        int64_t timestamp_ms) {
  MERGANSER_ASSIGN_OR_RETURN(const auto commits, FileTimes(latest, first, last));
  if (commits.empty()) return NoHistory(latest.path());
  const auto after =
      std::ranges::upper_bound(commits, timestamp_ms, {}, &CommitTimestamp::timestamp);
  return after == commits.begin() ? commits.front() : *(after - 1);
}

}  // namespace

Result<CommitTimestamp> VersionAtTimestamp(
    const Snapshot& latest, int64_t timestamp_ms, const TimestampResolution& resolution,
    const std::function<std::string(int64_t)>& format_timestamp) {
  MERGANSER_ASSIGN_OR_RETURN(const Version earliest,
                             resolution.must_be_recreatable
                                 ? EarliestRecreatableVersion(latest.file_system(), latest.path())
                                 : EarliestCommit(latest.file_system(), latest.path()));
  const TableProperties& properties = latest.properties();
  const bool in_commit = properties.enable_in_commit_timestamps();
  const Version enabled_at =
      properties.in_commit_timestamp_enablement_version().value_or(Version(0));
  const int64_t enabled_time =
      properties.in_commit_timestamp_enablement_timestamp().value_or(INT64_MIN);

  // "Recommendations for Readers of Tables with In-Commit Timestamps" in PROTOCOL.md.
  const bool search_in_commit =
      in_commit && (timestamp_ms >= enabled_time || enabled_at <= earliest);
  MERGANSER_ASSIGN_OR_RETURN(
      const CommitTimestamp commit,
      search_in_commit
          ? SearchInCommitTimestamps(latest, std::max(earliest, enabled_at), latest.version(),
                                     timestamp_ms)
          : SearchFileTimes(latest, earliest, in_commit ? enabled_at.previous() : latest.version(),
                            timestamp_ms));

  if (commit.timestamp > timestamp_ms && !resolution.can_return_earliest_commit) {
    const std::string first = format_timestamp(commit.timestamp);
    return Error(ErrorClass::DELTA_TIMESTAMP_EARLIER_THAN_COMMIT_RETENTION,
                 {{"userTimestamp", format_timestamp(timestamp_ms)},
                  {"commitTs", first},
                  {"timestampString", first}});
  }
  const bool is_last = commit.version == latest.version();
  if (is_last && commit.timestamp < timestamp_ms && !resolution.can_return_last_commit) {
    const std::string last = format_timestamp(commit.timestamp);
    return Error(ErrorClass::DELTA_TIMESTAMP_GREATER_THAN_COMMIT,
                 {{"providedTimestamp", format_timestamp(timestamp_ms)},
                  {"lastCommitTimestamp", last},
                  {"maximumTimestamp", last}});
  }
  return commit;
}

}  // namespace merganser
