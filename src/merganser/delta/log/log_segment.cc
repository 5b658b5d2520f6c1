#include "merganser/delta/log/log_segment.h"

#include <algorithm>
#include <utility>

#include "merganser/delta/log/log_listing.h"

namespace merganser {
namespace {

// As many names are asked for before a folder is listed that cannot be listed from its middle.
constexpr size_t kMostProbedCommits = 1000;

Error VersionNotFound(Version version, const LogListing& whole_log) {
  return Error(ErrorClass::DELTA_VERSION_NOT_FOUND,
               {{"userVersion", version.ToString()},
                {"earliest", whole_log.EarliestRecreatable().value_or(Version::None()).ToString()},
                {"latest", whole_log.Latest().value_or(Version::None()).ToString()}});
}

Error Truncated(const std::string& directory, Version missing, Version version) {
  // The table's own settings are in the part that is lost; these are their defaults.
  return Error(ErrorClass::DELTA_TRUNCATED_TRANSACTION_LOG,
               {{"path", JoinPath(directory, CommitFileName(missing))},
                {"version", version.ToString()},
                {"logRetentionKey", "delta.logRetentionDuration"},
                {"logRetention", "30 days"},
                {"checkpointRetentionKey", "delta.checkpointRetentionDuration"},
                {"checkpointRetention", "2 days"}});
}

Error NotContiguous(const std::vector<LogPath>& commits, std::optional<Version> version) {
  std::string list;
  for (const LogPath& commit : commits)
    list += (list.empty() ? "" : ", ") + commit.version.ToString();
  return Error(ErrorClass::DELTA_VERSIONS_NOT_CONTIGUOUS,
               {{"versionList", list},
                {"startVersion", commits.front().version.ToString()},
                {"endVersion", commits.back().version.ToString()},
                {"versionToLoad", version.value_or(Version::None()).ToString()}});
}

bool IsContiguous(const std::vector<LogPath>& commits) {
  return std::adjacent_find(commits.begin(), commits.end(), [](const LogPath& a, const LogPath& b) {
           return b.version != a.version.next();
         }) == commits.end();
}

/// Replace runs of commits by the longest compaction that starts where they do.
std::vector<LogPath> UseCompactions(std::vector<LogPath> commits,
                                    const std::vector<LogPath>& compactions) {
  if (compactions.empty() || commits.empty()) return commits;
  const Version last = commits.back().version;
  std::vector<LogPath> deltas;
  for (size_t i = 0; i < commits.size();) {
    const LogPath* best = nullptr;
    for (const LogPath& compaction : compactions) {
      const bool fits = compaction.version == commits[i].version && compaction.end_version <= last;
      if (fits && (best == nullptr || compaction.end_version > best->end_version))
        best = &compaction;
    }
    if (best == nullptr) {
      deltas.push_back(std::move(commits[i++]));
    } else {
      i += static_cast<size_t>(best->end_version - best->version) + 1;
      deltas.push_back(*best);
    }
  }
  return deltas;
}

/// Makes a segment of a listing, if the listing holds all of it.
class SegmentBuilder {
 public:
  SegmentBuilder(const std::string& directory, const LogListing& listing,
                 std::optional<Version> target)
      : listing_(listing), target_(target) {
    segment_.directory = directory;
    segment_.checkpoint = listing.NewestCheckpoint(target);
    if (!segment_.checkpoint.empty())
      segment_.checkpoint_version = segment_.checkpoint.front().version;
    first_ = segment_.checkpoint_version ? segment_.checkpoint_version->next() : Version(0);
    for (const LogPath& commit : listing.commits) {
      if (commit.version >= first_ && (!target || commit.version <= *target))
        commits_.push_back(commit);
    }
  }

  bool has_checkpoint() const { return !segment_.checkpoint.empty(); }

  Result<LogSegment> Build() && {
    if (!commits_.empty() && commits_.front().version != first_) {
      if (target_) return VersionNotFound(*target_, listing_);
      return Truncated(segment_.directory, first_, commits_.back().version);
    }
    if (!IsContiguous(commits_)) return NotContiguous(commits_, target_);
    segment_.version = commits_.empty() ? segment_.checkpoint_version.value_or(Version::None())
                                        : commits_.back().version;
    if (target_ && (target_->is_none() || segment_.version != *target_))
      return VersionNotFound(*target_, listing_);
    segment_.last_commit = FindVersion(listing_.commits);
    segment_.checksum = FindVersion(listing_.checksums);
    segment_.deltas = UseCompactions(std::move(commits_), listing_.compactions);
    return std::move(segment_);
  }

 private:
  std::optional<LogPath> FindVersion(const std::vector<LogPath>& files) const {
    const auto found = std::lower_bound(
        files.begin(), files.end(), segment_.version,
        [](const LogPath& file, Version version) { return file.version < version; });
    if (found == files.end() || found->version != segment_.version) return std::nullopt;
    return *found;
  }

  const LogListing& listing_;
  std::optional<Version> target_;
  LogSegment segment_;
  Version first_ = Version(0);
  std::vector<LogPath> commits_;
};

/// What the hint leads to: a listing that reaches back to a complete checkpoint. Nothing if it
/// leads nowhere.
Result<std::optional<LogListing>> ListFromHint(FileSystem& file_system,
                                               const std::string& directory,
                                               std::optional<Version> target) {
  const auto hint = ReadLastCheckpoint(file_system, directory);
  if (!hint || (target && hint->version > *target)) return std::optional<LogListing>();
  if (!file_system.lists_from_any_name()) {
    MERGANSER_ASSIGN_OR_RETURN(auto probed, ProbeLog(file_system, directory, *hint, target));
    if (probed) return probed;
  }
  MERGANSER_ASSIGN_OR_RETURN(LogListing listing, ListLog(file_system, directory, hint->version));
  if (listing.NewestCheckpoint(target).empty()) return std::optional<LogListing>();
  if (target && listing.Latest().value_or(Version::None()) < *target)
    return std::optional<LogListing>();
  return std::optional<LogListing>(std::move(listing));
}

}  // namespace

Result<std::optional<LogSegment>> LogSegment::Find(FileSystem& file_system,
                                                   const std::string& table_path,
                                                   std::optional<Version> version) {
  const std::string directory = LogDirectory(table_path);
  MERGANSER_ASSIGN_OR_RETURN(const auto from_hint, ListFromHint(file_system, directory, version));
  if (from_hint) {
    // A hint is never the reason for an error: the whole log has the last word.
    auto segment = SegmentBuilder(directory, *from_hint, version).Build();
    if (segment.ok()) return std::optional<LogSegment>(std::move(segment).value());
  }
  MERGANSER_ASSIGN_OR_RETURN(const LogListing listing, ListLog(file_system, directory));
  if (listing.empty()) return std::optional<LogSegment>();
  SegmentBuilder builder(directory, listing, version);
  if (!version && !builder.has_checkpoint() && listing.commits.empty()) {
    return Error(ErrorClass::DELTA_MISSING_PART_FILES,
                 {{"version", listing.checkpoints.rbegin()->first.ToString()}});
  }
  MERGANSER_ASSIGN_OR_RETURN(LogSegment segment, std::move(builder).Build());
  return std::optional<LogSegment>(std::move(segment));
}

Result<LogUpdate> FindUpdate(FileSystem& file_system, const LogSegment& segment) {
  LogUpdate update;
  if (segment.last_commit) {
    MERGANSER_ASSIGN_OR_RETURN(
        const auto now, StatLogFile(file_system, segment.directory, segment.last_commit->name));
    update.replaced = !now || now->size != segment.last_commit->size ||
                      now->modification_time != segment.last_commit->modification_time;
    if (update.replaced) return update;
  }
  const Version next = segment.version.next();
  if (!file_system.lists_from_any_name() && segment.last_commit) {
    MERGANSER_ASSIGN_OR_RETURN(
        update.new_commits,
        ProbeCommits(file_system, segment.directory, next, std::nullopt, kMostProbedCommits));
    if (update.new_commits.size() < kMostProbedCommits) return update;
  }
  MERGANSER_ASSIGN_OR_RETURN(const LogListing listing,
                             ListLog(file_system, segment.directory, next));
  update.new_commits = listing.commits;
  if (!update.new_commits.empty()) {
    update.replaced =
        update.new_commits.front().version != next || !IsContiguous(update.new_commits);
  }
  return update;
}

Result<LogSegment> Extend(FileSystem& file_system, const LogSegment& segment,
                          const std::vector<LogPath>& new_commits) {
  LogSegment extended = segment;
  extended.version = new_commits.back().version;
  extended.last_commit = new_commits.back();
  extended.deltas.insert(extended.deltas.end(), new_commits.begin(), new_commits.end());
  MERGANSER_ASSIGN_OR_RETURN(extended.checksum, StatLogFile(file_system, segment.directory,
                                                            ChecksumFileName(extended.version)));
  const auto hint = ReadLastCheckpoint(file_system, segment.directory);
  const Version checkpoint = segment.checkpoint_version.value_or(Version::None());
  if (!hint || hint->version <= checkpoint || hint->version > extended.version) return extended;
  MERGANSER_ASSIGN_OR_RETURN(const auto probed,
                             ProbeLog(file_system, segment.directory, *hint, hint->version));
  if (!probed) return extended;
  // A compaction that reaches past the checkpoint keeps what it needs below it.
  const auto straddles = [&](const LogPath& delta) {
    return delta.version <= hint->version && delta.end_version > hint->version;
  };
  if (std::any_of(extended.deltas.begin(), extended.deltas.end(), straddles)) return extended;
  extended.checkpoint = probed->NewestCheckpoint(hint->version);
  extended.checkpoint_version = hint->version;
  std::erase_if(extended.deltas,
                [&](const LogPath& delta) { return delta.end_version <= hint->version; });
  return extended;
}

Result<std::vector<LogPath>> ListCommits(FileSystem& file_system, const std::string& log_directory,
                                         Version start, std::optional<Version> end) {
  if (end && *end < start) return std::vector<LogPath>();
  if (!file_system.lists_from_any_name()) {
    MERGANSER_ASSIGN_OR_RETURN(
        auto commits, ProbeCommits(file_system, log_directory, start, end, kMostProbedCommits));
    // Asked for to the end and found to the end, or to the first name that is missing: nothing was
    // committed after it, for versions are given out without gaps.
    const bool complete = end ? !commits.empty() && commits.back().version == *end
                              : commits.size() < kMostProbedCommits;
    if (complete && !commits.empty()) return commits;
  }
  MERGANSER_ASSIGN_OR_RETURN(LogListing listing, ListLog(file_system, log_directory, start));
  if (end)
    std::erase_if(listing.commits, [&](const LogPath& commit) { return commit.version > *end; });
  return std::move(listing.commits);
}

}  // namespace merganser
