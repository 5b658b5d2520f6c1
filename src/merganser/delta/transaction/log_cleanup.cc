#include "merganser/delta/transaction/log_cleanup.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "merganser/base/failpoint.h"
#include "merganser/delta/log/log_listing.h"
#include "merganser/delta/protocol/action_json.h"

namespace merganser {
namespace {

constexpr int64_t kDayMs = 86'400'000;

int64_t MidnightBefore(int64_t time_ms) { return time_ms - (time_ms % kDayMs + kDayMs) % kDayMs; }

/// The newest commit from `cutoff_ms` or before; commits count as later than those before them,
/// whatever the clocks of their writers said.
std::optional<Version> CutoffCommit(const std::vector<LogPath>& commits, int64_t cutoff_ms) {
  std::optional<Version> found;
  int64_t time = INT64_MIN;
  for (const LogPath& commit : commits) {
    time = std::max(commit.modification_time, time + 1);
    if (time > cutoff_ms) break;
    found = commit.version;
  }
  return found;
}

class NamesOfSidecars final : public ActionVisitor {
 public:
  using ActionVisitor::Visit;
  void Visit(const Sidecar& sidecar) override { names.emplace(BaseName(sidecar.path)); }
  std::set<std::string, std::less<>> names;
};

/// One clean-up of a log.
class LogCleanup {
 public:
  LogCleanup(const Snapshot& snapshot, int64_t now_ms)
      : snapshot_(snapshot),
        file_system_(snapshot.file_system()),
        directory_(LogDirectory(snapshot.path())),
        now_ms_(now_ms) {}

  Status Run() {
    MERGANSER_ASSIGN_OR_RETURN(const LogListing listing, ListLog(file_system_, directory_));
    const auto cutoff = CutoffCommit(
        listing.commits, MidnightBefore(now_ms_ - snapshot_.properties().log_retention_ms()));
    if (!cutoff) return Status::Ok();
    const std::vector<LogPath> keep = listing.NewestCheckpoint(cutoff);
    if (keep.empty() || !MayCutBefore(keep.front().version)) return Status::Ok();
    MERGANSER_RETURN_IF_ERROR(DeleteBefore(keep.front().version, listing));
    return cut_checkpoints_ ? DeleteSidecars(listing, keep.front().version) : Status::Ok();
  }

 private:
  /// Until a table may forget the history that an older protocol needed, it keeps all of it.
  bool MayCutBefore(Version version) const {
    if (!snapshot_.Supports("checkpointProtection")) return true;
    return version >= snapshot_.properties().checkpoint_protection_before_version();
  }

  Status DeleteBefore(Version version, const LogListing& listing) {
    std::vector<const LogPath*> files;
    const auto collect = [&](const std::vector<LogPath>& paths) {
      for (const LogPath& path : paths) {
        if (path.version < version) files.push_back(&path);
      }
    };
    collect(listing.commits);
    collect(listing.checksums);
    for (const auto& [at, paths] : listing.checkpoints) {
      collect(paths);
      cut_checkpoints_ |= at < version;
    }
    for (const LogPath& path : listing.compactions) {
      if (path.version <= version) files.push_back(&path);
    }
    std::ranges::stable_sort(files, {}, [](const LogPath* path) { return path->version; });
    for (const LogPath* path : files) {
      MERGANSER_FAILPOINT("log_cleanup.between_files");
      MERGANSER_RETURN_IF_ERROR(file_system_.Delete(JoinPath(directory_, path->name)));
    }
    return Status::Ok();
  }

  Status DeleteSidecars(const LogListing& listing, Version version) {
    const std::string folder = JoinPath(directory_, kSidecarDirectory);
    MERGANSER_ASSIGN_OR_RETURN(const auto entries, file_system_.List(folder));
    if (entries.empty()) return Status::Ok();
    NamesOfSidecars used;
    for (const auto& [at, paths] : listing.checkpoints) {
      if (at < version) continue;
      for (const LogPath& path : paths) MERGANSER_RETURN_IF_ERROR(ReadSidecars(path, used));
    }
    // A checkpoint that is being written has no main file yet.
    const int64_t newest = MidnightBefore(now_ms_) - kDayMs;
    for (const FileEntry& entry : entries) {
      if (entry.is_directory || entry.modification_time > newest) continue;
      if (used.names.contains(entry.name)) continue;
      MERGANSER_RETURN_IF_ERROR(file_system_.Delete(JoinPath(folder, entry.name)));
    }
    return Status::Ok();
  }

  Status ReadSidecars(const LogPath& path, NamesOfSidecars& used) {
    const std::string file = JoinPath(directory_, path.name);
    if (!path.is_json)
      return snapshot_.codec()->Read(file_system_, file, {ActionSet::kSidecar, false, {}}, used);
    MERGANSER_ASSIGN_OR_RETURN(const std::string bytes, file_system_.Read(file));
    return ReadActions(bytes, file, ActionSet::kSidecar, used);
  }

  const Snapshot& snapshot_;
  FileSystem& file_system_;
  std::string directory_;
  int64_t now_ms_;
  bool cut_checkpoints_ = false;
};

}  // namespace

Status CleanUpLog(const Snapshot& snapshot, int64_t now_ms) {
  const TableProperties& properties = snapshot.properties();
  if (!properties.enable_expired_log_cleanup()) return Status::Ok();
  // Nothing of a younger table can have expired, which spares it the listing.
  const auto created = snapshot.metadata().created_time;
  if (created && *created > now_ms - properties.log_retention_ms()) return Status::Ok();
  return LogCleanup(snapshot, now_ms).Run();
}

}  // namespace merganser
