#include "merganser/delta/log/log_replay.h"

#include <deque>
#include <mutex>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "merganser/delta/log/commit_reader.h"
#include "merganser/delta/log/file_key.h"
#include "merganser/delta/log/version_checksum.h"
#include "merganser/delta/protocol/action_json.h"
#include "merganser/delta/protocol/data_path.h"
#include "merganser/delta/protocol/table_features.h"
#include "merganser/delta/schema/schema_json.h"

namespace merganser {
namespace {

/// Every leaf of the table's data columns, for reading statistics of any writer.
Result<std::vector<StatisticsColumn>> AllStatisticsColumns(
    const std::optional<Metadata>& metadata) {
  if (!metadata || metadata->schema_string.empty()) return std::vector<StatisticsColumn>();
  MERGANSER_ASSIGN_OR_RETURN(const StructType schema, ParseSchemaJson(metadata->schema_string));
  StringMap configuration = metadata->configuration;
  configuration.erase("delta.dataSkippingStatsColumns");
  configuration.insert_or_assign("delta.dataSkippingNumIndexedCols", "-1");
  return StatisticsColumns(schema, metadata->partition_columns,
                           TableProperties(std::move(configuration)));
}

/// Keeps the newest of what the actions say, given files from the newest to the oldest.
class LogReplay final : public ActionVisitor {
 public:
  using ActionVisitor::Visit;
  LogReplay(const ReplayOptions& options, ReplaySink& sink) : options_(options), sink_(sink) {}

  /// The actions that can still change the outcome.
  ActionSet Wanted() const {
    ActionSet wanted = ActionSet::kSetTransaction | ActionSet::kDomainMetadata;
    if (!state_.protocol) wanted = wanted | ActionSet::kProtocol;
    if (!state_.metadata) wanted = wanted | ActionSet::kMetadata;
    return wanted;
  }
  ActionSet WantedFiles() const {
    // A commit's word on a file counts for both kinds.
    if (!options_.files && !options_.tombstones) return {};
    return ActionSet::kAdd | ActionSet::kRemove;
  }

  void Visit(const Protocol& protocol) override {
    if (!state_.protocol) state_.protocol = protocol;
  }
  void Visit(const Metadata& metadata) override {
    if (!state_.metadata) state_.metadata = metadata;
  }
  void Visit(const SetTransaction& transaction) override {
    state_.set_transactions.try_emplace(transaction.app_id, transaction);
  }
  void Visit(const DomainMetadata& domain) override {
    state_.domain_metadata.try_emplace(domain.domain, domain);
  }
  void Visit(const CommitInfo& info) override {
    if (!state_.last_commit_info) state_.last_commit_info = info;
  }
  void Visit(const AddFile& file) override { commit_files_.emplace_back(file); }
  void Visit(const RemoveFile& file) override { commit_files_.emplace_back(file); }
  void Visit(const Sidecar& sidecar) override { sidecars_.push_back(sidecar); }

  /// Within a commit the last word on a file counts, so its lines are taken from the end.
  void EndCommit() {
    for (auto action = commit_files_.rbegin(); action != commit_files_.rend(); ++action) {
      if (const AddFile* add = std::get_if<AddFile>(&*action)) {
        const bool first = seen_.insert(FileKey(add->path, add->deletion_vector)).second;
        if (first && options_.files) sink_.Add(*add);
      } else {
        const RemoveFile& remove = std::get<RemoveFile>(*action);
        const bool first = seen_.insert(FileKey(remove.path, remove.deletion_vector)).second;
        if (first && options_.tombstones) sink_.Remove(remove);
      }
    }
    commit_files_.clear();
  }

  /// What the version's checksum says, which holds below everything seen so far.
  void Visit(const VersionChecksum& checksum) {
    Visit(checksum.protocol);
    Visit(checksum.metadata);
    for (const SetTransaction& transaction : *checksum.set_transactions) Visit(transaction);
    for (const DomainMetadata& domain : *checksum.domain_metadata) Visit(domain);
  }

  /// Did a commit speak of the file? Safe for many threads once the commits are read.
  template <typename FileAction>
  bool HasSeen(const FileAction& file) const {
    return !seen_.empty() && seen_.contains(FileKey(file.path, file.deletion_vector));
  }
  const std::vector<Sidecar>& sidecars() const { return sidecars_; }
  const ReplayedState& state() const { return state_; }
  ReplayedState Take() {
    std::erase_if(state_.domain_metadata, [](const auto& entry) { return entry.second.removed; });
    return std::move(state_);
  }

 private:
  ReplayOptions options_;
  ReplaySink& sink_;
  ReplayedState state_;
  std::unordered_set<std::string> seen_;
  std::vector<std::variant<AddFile, RemoveFile>> commit_files_;
  std::vector<Sidecar> sidecars_;
};

/// Takes the file actions of a checkpoint that no commit has spoken of.
class CheckpointFiles final : public ActionVisitor {
 public:
  using ActionVisitor::Visit;
  /// Refers to both.
  CheckpointFiles(const LogReplay& replay, FileSink& sink) : replay_(replay), sink_(sink) {}

  void Visit(const AddFile& file) override {
    if (!replay_.HasSeen(file)) sink_.Add(file);
  }
  void Visit(const RemoveFile& file) override {
    if (!replay_.HasSeen(file)) sink_.Remove(file);
  }

 private:
  const LogReplay& replay_;
  FileSink& sink_;
};

/// Reads the files of a segment's checkpoint into a replay.
class CheckpointReader {
 public:
  CheckpointReader(FileSystem& file_system, CheckpointCodec& codec, const LogSegment& segment,
                   LogReplay& replay)
      : file_system_(file_system), codec_(codec), segment_(segment), replay_(replay) {}

  /// The few actions first: what files mean depends on them. A checksum that has them all spares
  /// the checkpoint one reading.
  Status ReadState() {
    if (segment_.checkpoint.empty()) return Status::Ok();
    if (const auto checksum = CompleteChecksum()) {
      replay_.Visit(*checksum);
      return Status::Ok();
    }
    const CheckpointRead read{replay_.Wanted() | ActionSet::kSidecar, false, {}};
    for (const LogPath& part : segment_.checkpoint) {
      const std::string path = segment_.Path(part);
      MERGANSER_RETURN_IF_ERROR(
          part.is_json ? ReadActionsFile(file_system_, path, part.size, read.actions, replay_)
                       : codec_.Read(file_system_, path, read, replay_));
    }
    return Status::Ok();
  }

  Status ReadFiles(const ReplayOptions& options, ReplaySink& sink) {
    CheckpointRead read{{}, options.files && options.statistics, {}};
    if (options.files) read.actions = read.actions | ActionSet::kAdd;
    if (options.tombstones) read.actions = read.actions | ActionSet::kRemove;
    if (read.statistics) {
      MERGANSER_ASSIGN_OR_RETURN(read.statistics_columns,
                                 AllStatisticsColumns(replay_.state().metadata));
    }
    std::vector<std::string> paths;
    for (const LogPath& part : segment_.checkpoint) {
      if (part.is_json) {
        CheckpointFiles files(replay_, sink);
        MERGANSER_RETURN_IF_ERROR(
            ReadActionsFile(file_system_, segment_.Path(part), part.size, read.actions, files));
      } else {
        paths.push_back(segment_.Path(part));
      }
    }
    for (const Sidecar& sidecar : replay_.sidecars()) {
      // They lie in their own folder of the log, or where a whole path says.
      MERGANSER_ASSIGN_OR_RETURN(
          paths.emplace_back(),
          DataFilePath(JoinPath(segment_.directory, kSidecarDirectory), sidecar.path));
    }
    std::mutex mutex;
    std::deque<CheckpointFiles> parts;
    return codec_.ReadInParts(file_system_, paths, read,
                              [&](const CheckpointPlace& begin) -> ActionVisitor& {
                                FileSink& part = sink.Part(begin);
                                const std::lock_guard lock(mutex);
                                return parts.emplace_back(replay_, part);
                              });
  }

 private:
  /// Nothing if it lacks something, or if the checkpoint may have sidecars.
  std::optional<VersionChecksum> CompleteChecksum() {
    if (!segment_.checksum) return std::nullopt;
    const auto bytes = file_system_.ReadIfExists(segment_.Path(*segment_.checksum));
    if (!bytes.ok() || !bytes->has_value()) return std::nullopt;
    auto checksum = ParseVersionChecksum(**bytes);
    if (!checksum || !checksum->set_transactions || !checksum->domain_metadata) return std::nullopt;
    if (SupportsFeature(checksum->protocol, "v2Checkpoint")) return std::nullopt;
    return checksum;
  }

  FileSystem& file_system_;
  CheckpointCodec& codec_;
  const LogSegment& segment_;
  LogReplay& replay_;
};

/// Looks for a file that has more than one action.
class RepeatedFiles final : public ActionVisitor {
 public:
  using ActionVisitor::Visit;
  void Visit(const AddFile& file) override { Note(FileKey(file.path, file.deletion_vector)); }
  void Visit(const RemoveFile& file) override { Note(FileKey(file.path, file.deletion_vector)); }
  bool found() const { return found_; }

 private:
  void Note(std::string key) { found_ |= !seen_.insert(std::move(key)).second; }

  std::unordered_set<std::string> seen_;
  bool found_ = false;
};

/// A compaction holds the outcome of its commits ("Log Compaction Files" in PROTOCOL.md). One in
/// which a file occurs twice was not reconciled, so the order of its lines says nothing.
Result<bool> IsReconciled(FileSystem& file_system, const std::string& path, int64_t size) {
  RepeatedFiles repeated;
  MERGANSER_RETURN_IF_ERROR(
      ReadActionsFile(file_system, path, size, ActionSet::kAdd | ActionSet::kRemove, repeated));
  return !repeated.found();
}

/// The commits that `compaction` stands for.
std::vector<LogPath> CommitsOf(const LogPath& compaction) {
  std::vector<LogPath> commits;
  for (Version version = compaction.version; version <= compaction.end_version;
       version = version.next()) {
    LogPath& commit = commits.emplace_back();
    commit.version = commit.end_version = version;
    commit.name = CommitFileName(version);
  }
  return commits;
}

/// Reads the commits and compactions of a segment into a replay, newest first.
class CommitsReader {
 public:
  CommitsReader(FileSystem& file_system, const LogSegment& segment, LogReplay& replay)
      : file_system_(file_system), segment_(segment), replay_(replay) {}

  Status Read(const std::vector<LogPath>& deltas) {
    for (auto delta = deltas.rbegin(); delta != deltas.rend(); ++delta) {
      const std::string path = segment_.Path(*delta);
      if (delta->kind == LogFileKind::kCompaction) {
        MERGANSER_ASSIGN_OR_RETURN(const bool reconciled,
                                   IsReconciled(file_system_, path, delta->size));
        if (!reconciled) {
          MERGANSER_RETURN_IF_ERROR(Read(CommitsOf(*delta)));
          continue;
        }
      }
      ActionSet wanted = replay_.Wanted() | replay_.WantedFiles();
      const bool is_last_commit =
          delta->kind == LogFileKind::kCommit && delta->version == segment_.version;
      if (is_last_commit) wanted = wanted | ActionSet::kCommitInfo;
      read_last_commit_ |= is_last_commit;
      MERGANSER_RETURN_IF_ERROR(ReadActionsFile(file_system_, path, delta->size, wanted, replay_));
      replay_.EndCommit();
    }
    return Status::Ok();
  }

  /// The commitInfo of a commit that lies below a checkpoint or in a compaction: neither keeps it.
  Status ReadLastCommitInfo() {
    if (read_last_commit_ || !segment_.last_commit) return Status::Ok();
    const std::string path = segment_.Path(*segment_.last_commit);
    MERGANSER_ASSIGN_OR_RETURN(const auto bytes, file_system_.ReadIfExists(path));
    return bytes ? ReadActions(*bytes, path, ActionSet::kCommitInfo, replay_) : Status::Ok();
  }

 private:
  FileSystem& file_system_;
  const LogSegment& segment_;
  LogReplay& replay_;
  bool read_last_commit_ = false;
};

}  // namespace

Result<ReplayedState> ReplayLog(FileSystem& file_system, CheckpointCodec& codec,
                                const LogSegment& segment, const ReplayOptions& options,
                                ReplaySink& sink) {
  LogReplay replay(options, sink);
  CommitsReader commits(file_system, segment, replay);
  MERGANSER_RETURN_IF_ERROR(commits.Read(segment.deltas));
  MERGANSER_RETURN_IF_ERROR(commits.ReadLastCommitInfo());
  sink.EndOfCommits();
  CheckpointReader checkpoint(file_system, codec, segment, replay);
  MERGANSER_RETURN_IF_ERROR(checkpoint.ReadState());
  if (options.files || options.tombstones)
    MERGANSER_RETURN_IF_ERROR(checkpoint.ReadFiles(options, sink));
  return replay.Take();
}

}  // namespace merganser
