#include "merganser/delta/log/log_listing.h"

#include <algorithm>
#include <utility>

#include "merganser/base/json.h"

namespace merganser {
namespace {

// Beyond this many commits after the hint, a newer checkpoint is likely and a listing finds it.
constexpr size_t kMostProbes = 256;

/// Parts of one complete checkpoint among the files of a version, which may hold several; empty if
/// none is complete. UUID-named ones are preferred over multi-part ones over classic ones.
std::vector<LogPath> CompleteCheckpoint(const std::vector<LogPath>& files) {
  for (const LogPath& file : files) {
    if (file.kind == LogFileKind::kUuidCheckpoint) return {file};
  }
  std::map<int32_t, std::vector<LogPath>> by_count;
  for (const LogPath& file : files) {
    if (file.kind == LogFileKind::kMultiPartCheckpoint) by_count[file.part_count].push_back(file);
  }
  for (auto& [count, parts] : by_count) {
    if (static_cast<int32_t>(parts.size()) == count) return parts;
  }
  for (const LogPath& file : files) {
    if (file.kind == LogFileKind::kClassicCheckpoint) return {file};
  }
  return {};
}

/// File names of the checkpoint that the hint is about; empty if it does not say.
std::vector<std::string> CheckpointNames(const LastCheckpoint& hint) {
  if (hint.v2_checkpoint) {
    const Result<Json> json = Json::Parse(*hint.v2_checkpoint);
    const std::string path = json.ok() ? json->string_or("path") : "";
    if (path.empty()) return {};
    return {std::string(BaseName(path))};
  }
  const int32_t parts = hint.parts.value_or(1);
  if (!hint.parts) return {ClassicCheckpointFileName(hint.version)};
  std::vector<std::string> names;
  for (int32_t part = 1; part <= parts && names.size() <= kMostProbes; ++part) {
    names.push_back(MultiPartCheckpointFileName(hint.version, part, parts));
  }
  return names;
}

}  // namespace

void LogListing::Add(LogPath path) {
  if (path.kind == LogFileKind::kCommit) {
    commits.push_back(std::move(path));
  } else if (path.kind == LogFileKind::kCompaction) {
    compactions.push_back(std::move(path));
  } else if (path.kind == LogFileKind::kChecksum) {
    checksums.push_back(std::move(path));
  } else {
    checkpoints[path.version].push_back(std::move(path));
  }
}

std::vector<LogPath> LogListing::NewestCheckpoint(std::optional<Version> limit) const {
  for (auto it = checkpoints.rbegin(); it != checkpoints.rend(); ++it) {
    if (limit && it->first > *limit) continue;
    std::vector<LogPath> parts = CompleteCheckpoint(it->second);
    if (!parts.empty()) return parts;
  }
  return {};
}

std::optional<Version> LogListing::EarliestRecreatable() const {
  if (!commits.empty() && commits.front().version == Version(0)) return Version(0);
  for (const auto& [version, files] : checkpoints) {
    if (!CompleteCheckpoint(files).empty()) return version;
  }
  return std::nullopt;
}

std::optional<Version> LogListing::Latest() const {
  std::optional<Version> latest;
  if (!commits.empty()) latest = commits.back().version;
  const std::vector<LogPath> checkpoint = NewestCheckpoint(std::nullopt);
  if (!checkpoint.empty() && (!latest || checkpoint.front().version > *latest))
    latest = checkpoint.front().version;
  return latest;
}

Result<LogListing> ListLog(FileSystem& file_system, const std::string& log_directory,
                           Version start) {
  MERGANSER_ASSIGN_OR_RETURN(std::vector<FileEntry> entries,
                             file_system.List(log_directory, FileNamesBefore(start)));
  LogListing listing;
  for (const FileEntry& entry : entries) {
    if (entry.is_directory) continue;
    auto path = LogPath::Parse(entry.name);
    if (!path) continue;
    path->size = entry.size;
    path->modification_time = entry.modification_time;
    listing.Add(*std::move(path));
  }
  return listing;
}

Result<std::optional<LogPath>> StatLogFile(FileSystem& file_system,
                                           const std::string& log_directory,
                                           const std::string& name) {
  MERGANSER_ASSIGN_OR_RETURN(const auto entry, file_system.Stat(JoinPath(log_directory, name)));
  if (!entry) return std::optional<LogPath>();
  auto path = LogPath::Parse(name);
  if (!path) return std::optional<LogPath>();
  path->size = entry->size;
  path->modification_time = entry->modification_time;
  return path;
}

Result<std::vector<LogPath>> ProbeCommits(FileSystem& file_system, const std::string& log_directory,
                                          Version start, std::optional<Version> limit,
                                          size_t most) {
  std::vector<LogPath> commits;
  for (Version version = start; commits.size() < most && (!limit || version <= *limit);
       version = version.next()) {
    MERGANSER_ASSIGN_OR_RETURN(auto commit,
                               StatLogFile(file_system, log_directory, CommitFileName(version)));
    if (!commit) break;
    commits.push_back(*std::move(commit));
  }
  return commits;
}

Result<std::optional<LogListing>> ProbeLog(FileSystem& file_system,
                                           const std::string& log_directory,
                                           const LastCheckpoint& hint,
                                           std::optional<Version> limit) {
  LogListing listing;
  const std::vector<std::string> names = CheckpointNames(hint);
  if (names.empty() || names.size() > kMostProbes) return std::optional<LogListing>();
  for (const std::string& name : names) {
    MERGANSER_ASSIGN_OR_RETURN(auto part, StatLogFile(file_system, log_directory, name));
    if (!part || !part->is_checkpoint() || part->version != hint.version)
      return std::optional<LogListing>();
    listing.Add(*std::move(part));
  }
  // Without its own commit the hint may be so old that the commits after it are cleaned up, too.
  MERGANSER_ASSIGN_OR_RETURN(
      auto commits, ProbeCommits(file_system, log_directory, hint.version, limit, kMostProbes));
  if (commits.empty() || commits.size() == kMostProbes) return std::optional<LogListing>();
  if (limit && commits.back().version != *limit) return std::optional<LogListing>();
  MERGANSER_ASSIGN_OR_RETURN(auto checksum, StatLogFile(file_system, log_directory,
                                                        ChecksumFileName(commits.back().version)));
  if (checksum) listing.Add(*std::move(checksum));
  for (LogPath& commit : commits) listing.Add(std::move(commit));
  return std::optional<LogListing>(std::move(listing));
}

}  // namespace merganser
