#include "merganser/delta/table/snapshot.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <variant>

#include "merganser/base/letter_case.h"
#include "merganser/delta/log/commit_reader.h"
#include "merganser/delta/log/file_key.h"
#include "merganser/delta/protocol/action_json.h"
#include "merganser/delta/protocol/table_features.h"
#include "merganser/delta/schema/schema_json.h"
#include "merganser/delta/schema/type_widening.h"

namespace merganser {
namespace {

/// Sinks of the runs of a checkpoint's files, by place.
template <typename Sink>
class Parts {
 public:
  Sink& At(const CheckpointPlace& begin) {
    const std::lock_guard lock(mutex_);
    return parts_[begin];
  }
  std::map<CheckpointPlace, Sink>& parts() { return parts_; }

 private:
  std::mutex mutex_;
  std::map<CheckpointPlace, Sink> parts_;
};

/// Puts the live files in the order of the log.
class LiveFiles final : public ReplaySink {
 public:
  void Add(const AddFile& file) override {
    (in_commits_ ? from_commits_ : from_checkpoint_).Add(file);
  }
  void EndOfCommits() override {
    from_commits_.Reverse();
    in_commits_ = false;
  }
  FileSink& Part(const CheckpointPlace& begin) override { return parts_.At(begin); }
  FileList Build() && {
    for (auto& [begin, part] : parts_.parts()) from_checkpoint_.Append(std::move(part.files));
    return FileList::Concatenate(std::move(from_checkpoint_).Build(),
                                 std::move(from_commits_).Build());
  }

 private:
  struct LivePart final : FileSink {
    void Add(const AddFile& file) override { files.Add(file); }

    FileList::Builder files;
  };

  bool in_commits_ = true;
  FileList::Builder from_commits_;
  FileList::Builder from_checkpoint_;
  Parts<LivePart> parts_;
};

class Tombstones final : public ReplaySink {
 public:
  void Add(const AddFile&) override {}
  void Remove(const RemoveFile& file) override { files_.push_back(file); }
  FileSink& Part(const CheckpointPlace& begin) override { return parts_.At(begin); }
  std::vector<RemoveFile> Take() && {
    for (auto& [begin, part] : parts_.parts())
      std::ranges::move(part.files, std::back_inserter(files_));
    return std::move(files_);
  }

 private:
  struct TombstonePart final : FileSink {
    void Add(const AddFile&) override {}
    void Remove(const RemoveFile& file) override { files.push_back(file); }

    std::vector<RemoveFile> files;
  };

  std::vector<RemoveFile> files_;
  Parts<TombstonePart> parts_;
};

Error MissingAction(std::string_view action, Version version) {
  return Error(ErrorClass::DELTA_STATE_RECOVER_ERROR,
               {{"operation", std::string(action)}, {"version", version.ToString()}});
}

/// What commits change on top of a snapshot, oldest first.
class CommitDelta final : public ActionVisitor {
 public:
  using ActionVisitor::Visit;

  void Visit(const Protocol& action) override { protocol = action; }
  void Visit(const Metadata& action) override { metadata = action; }
  void Visit(const SetTransaction& action) override {
    set_transactions.insert_or_assign(action.app_id, action);
  }
  void Visit(const DomainMetadata& action) override {
    domain_metadata.insert_or_assign(action.domain, action);
  }
  void Visit(const CommitInfo& action) override { commit_info = action; }
  void Visit(const AddFile& file) override { Keep(FileKey(file.path, file.deletion_vector), file); }
  void Visit(const RemoveFile& file) override {
    Keep(FileKey(file.path, file.deletion_vector), file);
  }

  /// The newest action of each file.
  void TakeFiles(std::vector<AddFile>* added, std::vector<RemoveFile>* removed) {
    for (auto& [key, action] : files_) {
      if (AddFile* add = std::get_if<AddFile>(&action)) {
        added->push_back(std::move(*add));
      } else {
        removed->push_back(std::move(std::get<RemoveFile>(action)));
      }
    }
  }

  std::optional<Protocol> protocol;
  std::optional<Metadata> metadata;
  std::map<std::string, SetTransaction, std::less<>> set_transactions;
  std::map<std::string, DomainMetadata, std::less<>> domain_metadata;
  std::optional<CommitInfo> commit_info;

 private:
  template <typename T>
  void Keep(std::string key, const T& file) {
    const auto [place, is_new] = positions_.try_emplace(key, files_.size());
    if (is_new) {
      files_.emplace_back(std::move(key), file);
    } else {
      files_[place->second].second = file;
    }
  }

  std::vector<std::pair<std::string, std::variant<AddFile, RemoveFile>>> files_;
  std::unordered_map<std::string, size_t> positions_;
};

}  // namespace

Result<SnapshotRef> Snapshot::Load(FileLocation table, std::shared_ptr<CheckpointCodec> codec,
                                   std::optional<Version> version) {
  MERGANSER_ASSIGN_OR_RETURN(std::optional<LogSegment> segment,
                             LogSegment::Find(*table.file_system, table.path, version));
  if (!segment) return SnapshotRef();
  return FromSegment(std::move(table), std::move(codec), *std::move(segment));
}

Result<SnapshotRef> Snapshot::FromSegment(FileLocation table,
                                          std::shared_ptr<CheckpointCodec> codec,
                                          LogSegment segment) {
  LiveFiles files;
  auto state = ReplayLog(*table.file_system, *codec, segment, ReplayOptions(), files);
  if (!state.ok()) {
    // A table of a newer protocol may hold what this build cannot even parse; then that is the
    // news.
    Tombstones none;
    ReplayOptions no_files;
    no_files.files = false;
    const auto rest = ReplayLog(*table.file_system, *codec, segment, no_files, none);
    if (rest.ok() && rest->protocol)
      MERGANSER_RETURN_IF_ERROR(CheckReadable(*rest->protocol, table.uri));
    return std::move(state).error();
  }
  if (!state->protocol) return MissingAction("Protocol", segment.version);
  if (!state->metadata) return MissingAction("Metadata", segment.version);

  std::shared_ptr<Snapshot> snapshot(new Snapshot());
  snapshot->table_ = std::move(table);
  snapshot->codec_ = std::move(codec);
  snapshot->segment_ = std::move(segment);
  snapshot->protocol_ = *std::move(state->protocol);
  snapshot->metadata_ = *std::move(state->metadata);
  snapshot->set_transactions_ = std::move(state->set_transactions);
  snapshot->domain_metadata_ = std::move(state->domain_metadata);
  snapshot->files_ = std::move(files).Build();
  MERGANSER_RETURN_IF_ERROR(snapshot->Interpret());
  snapshot->SetTimestamp(state->last_commit_info);
  return SnapshotRef(std::move(snapshot));
}

Status Snapshot::Interpret() {
  MERGANSER_RETURN_IF_ERROR(CheckReadable(protocol_, table_.uri));
  properties_ = TableProperties(metadata_.configuration);
  if (metadata_.schema_string.empty()) {
    schema_ = StructType();
  } else {
    MERGANSER_ASSIGN_OR_RETURN(schema_, ParseSchemaJson(metadata_.schema_string));
  }
  if (SupportsFeature(protocol_, "typeWidening") ||
      SupportsFeature(protocol_, "typeWidening-preview")) {
    MERGANSER_RETURN_IF_ERROR(CheckTypeChanges(schema_));
  }
  const bool mapped = SupportsFeature(protocol_, "columnMapping");
  column_mapping_mode_ = mapped ? properties_.column_mapping_mode() : ColumnMappingMode::kNone;
  physical_schema_ = ToPhysicalSchema(schema_, column_mapping_mode_);
  return Status::Ok();
}

void Snapshot::SetTimestamp(const std::optional<CommitInfo>& commit_info) {
  if (properties_.enable_in_commit_timestamps() && commit_info &&
      commit_info->in_commit_timestamp) {
    timestamp_ = *commit_info->in_commit_timestamp;
  } else if (segment_.last_commit) {
    timestamp_ = segment_.last_commit->modification_time;
  } else if (!segment_.checkpoint.empty()) {
    timestamp_ = segment_.checkpoint.front().modification_time;
  }
}

Result<SnapshotRef> Snapshot::Refresh() const {
  MERGANSER_ASSIGN_OR_RETURN(const LogUpdate update, FindUpdate(file_system(), segment_));
  if (update.replaced) return Load(table_, codec_);
  if (update.new_commits.empty()) return shared_from_this();

  CommitDelta delta;
  for (const LogPath& commit : update.new_commits) {
    const std::string path = segment_.Path(commit);
    const ActionSet wanted = ActionSet::All().Without(ActionSet::kCdc);
    delta.commit_info.reset();
    MERGANSER_RETURN_IF_ERROR(ReadActionsFile(file_system(), path, commit.size, wanted, delta));
  }

  std::shared_ptr<Snapshot> next(new Snapshot());
  next->table_ = table_;
  next->codec_ = codec_;
  MERGANSER_ASSIGN_OR_RETURN(next->segment_, Extend(file_system(), segment_, update.new_commits));
  next->set_transactions_ = set_transactions_;
  for (auto& [id, transaction] : delta.set_transactions)
    next->set_transactions_[id] = std::move(transaction);
  next->domain_metadata_ = domain_metadata_;
  for (auto& [name, domain] : delta.domain_metadata) {
    if (domain.removed) {
      next->domain_metadata_.erase(name);
    } else {
      next->domain_metadata_[name] = std::move(domain);
    }
  }
  std::vector<AddFile> added;
  std::vector<RemoveFile> removed;
  delta.TakeFiles(&added, &removed);
  next->files_ = files_.Apply(added, removed);
  next->protocol_ = std::move(delta.protocol).value_or(protocol_);
  next->metadata_ = std::move(delta.metadata).value_or(metadata_);
  MERGANSER_RETURN_IF_ERROR(next->Interpret());
  next->SetTimestamp(delta.commit_info);
  return SnapshotRef(std::move(next));
}

bool Snapshot::is_partition_column(std::string_view name) const {
  return std::any_of(
      metadata_.partition_columns.begin(), metadata_.partition_columns.end(),
      [name](const std::string& column) { return EqualsIgnoringCase(column, name); });
}

bool Snapshot::Supports(std::string_view feature) const {
  return SupportsFeature(protocol_, feature);
}

std::optional<int64_t> Snapshot::TransactionVersion(std::string_view app_id) const {
  const auto found = set_transactions_.find(app_id);
  if (found == set_transactions_.end()) return std::nullopt;
  return found->second.version;
}

Result<std::vector<RemoveFile>> Snapshot::ReadTombstones() const {
  Tombstones tombstones;
  ReplayOptions options;
  options.files = false;
  options.tombstones = true;
  MERGANSER_RETURN_IF_ERROR(ReplayLog(file_system(), *codec_, segment_, options, tombstones));
  return std::move(tombstones).Take();
}

}  // namespace merganser
