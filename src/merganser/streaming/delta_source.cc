#include "merganser/streaming/delta_source.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <variant>

#include "merganser/base/json.h"
#include "merganser/delta/log/commit_reader.h"
#include "merganser/delta/log/log_path.h"
#include "merganser/delta/protocol/statistics.h"
#include "merganser/delta/table/time_travel.h"

namespace merganser {
namespace {

/// `table` with `options` instead of its own.
plan::RelationPtr WithOptions(const plan::RelationPtr& table, plan::Options options) {
  plan::Relation copy = *table;
  if (auto* reference = std::get_if<plan::TableReference>(&copy.node)) {
    reference->options = std::move(options);
  } else if (auto* source = std::get_if<plan::FileSource>(&copy.node)) {
    source->options = std::move(options);
  }
  return std::make_shared<const plan::Relation>(std::move(copy));
}

plan::ExpressionPtr Constant(DataType type, plan::LiteralValue value, const char* name) {
  return plan::MakeExpression(
      plan::Alias{plan::MakeExpression(plan::Literal{std::move(type), std::move(value)}), {name}});
}

/// Rows as the change feed shows them that a version inserted.
plan::RelationPtr AsInserted(plan::RelationPtr rows, int64_t version, int64_t commit_millis) {
  return plan::MakeRelation(
      plan::Project{std::move(rows),
                    {plan::MakeExpression(plan::Star{{}, {}, {}}),
                     Constant(DataType::String(), std::string("insert"), "_change_type"),
                     Constant(DataType::Long(), version, "_commit_version"),
                     Constant(DataType::Timestamp(), commit_millis * 1000, "_commit_timestamp")}});
}

/// The offset after all of a version.
DeltaSourceOffset After(int64_t version) { return {.version = version + 1}; }

}  // namespace

std::string DeltaSourceOffset::ToJson(std::string_view table_id) const {
  Json json = Json::MakeObject();
  json.Set("sourceVersion", 1)
      .Set("reservoirId", table_id)
      .Set("reservoirVersion", version)
      .Set("index", index)
      .Set("isStartingVersion", initial);
  return json.Dump();
}

Result<DeltaSourceOffset> DeltaSourceOffset::FromJson(std::string_view text) {
  MERGANSER_ASSIGN_OR_RETURN(const Json json, Json::Parse(text));
  const Json* version = json.find("reservoirVersion");
  if (version == nullptr || !version->is_int())
    return Error(ErrorClass::DELTA_INVALID_SOURCE_OFFSET_FORMAT);
  DeltaSourceOffset offset{.version = version->as_int()};
  // Numbers below -1 stand for changes of the schema, which come before a version's files.
  if (const Json* index = json.find("index"); index != nullptr && index->is_int())
    offset.index = std::max<int64_t>(-1, index->as_int());
  const Json* initial = json.find("isStartingVersion");
  offset.initial = initial != nullptr && initial->is_bool() && initial->as_bool();
  return offset;
}

/// Counts what a batch takes. The file that exceeds the limit on bytes is still taken, so that a
/// batch is never empty for its size.
class DeltaSource::Admission {
 public:
  Admission(int64_t files, int64_t bytes) : files_left_(files), bytes_left_(bytes) {}

  bool Admit(int64_t bytes) {
    if (files_left_ <= 0 || bytes_left_ <= 0) return false;
    --files_left_;
    bytes_left_ -= bytes;
    ++count_;
    return true;
  }
  int64_t count() const { return count_; }

 private:
  int64_t files_left_;
  int64_t bytes_left_;
  int64_t count_ = 0;
};

DeltaSource::DeltaSource(plan::RelationPtr table, FileLocation location, DeltaSourceOptions options,
                         std::shared_ptr<SnapshotCache> snapshots)
    : table_(std::move(table)),
      location_(std::move(location)),
      options_(options),
      snapshots_(std::move(snapshots)) {}

Result<SnapshotRef> DeltaSource::Latest() {
  MERGANSER_ASSIGN_OR_RETURN(SnapshotRef latest, snapshots_->Latest(location_));
  if (latest == nullptr) {
    return Error(ErrorClass::DELTA_MISSING_DELTA_TABLE, {{"tableName", location_.uri}});
  }
  table_id_ = latest->metadata().id;
  return latest;
}

Result<int64_t> DeltaSource::LatestVersion() {
  MERGANSER_ASSIGN_OR_RETURN(const SnapshotRef latest, Latest());
  return latest->version().value();
}

Result<DeltaSourceOffset> DeltaSource::Start() {
  MERGANSER_ASSIGN_OR_RETURN(const SnapshotRef latest, Latest());
  const int64_t newest = latest->version().value();
  if (options_.from_latest) return After(newest);
  if (options_.starting_version) return DeltaSourceOffset{.version = *options_.starting_version};
  if (!options_.starting_millis) return DeltaSourceOffset{.version = newest, .initial = true};
  const auto format = [](int64_t millis) { return std::to_string(millis) + " ms"; };
  MERGANSER_ASSIGN_OR_RETURN(const CommitTimestamp commit,
                             VersionAtTimestamp(*latest, *options_.starting_millis,
                                                {.can_return_last_commit = true,
                                                 .can_return_earliest_commit = true,
                                                 .must_be_recreatable = false},
                                                format));
  // The stream starts with the first commit that is not before the given time.
  if (commit.timestamp >= *options_.starting_millis)
    return DeltaSourceOffset{.version = commit.version.value()};
  if (commit.version.value() == newest) {
    return Error(ErrorClass::DELTA_TIMESTAMP_GREATER_THAN_COMMIT,
                 {{"providedTimestamp", format(*options_.starting_millis)},
                  {"lastCommitTimestamp", format(commit.timestamp)},
                  {"maximumTimestamp", format(commit.timestamp)}});
  }
  return After(commit.version.value());
}

Result<DeltaSource::Files> DeltaSource::FilesAt(int64_t version, bool initial) {
  if (files_ == nullptr || files_of_ != std::pair(version, initial)) {
    MERGANSER_ASSIGN_OR_RETURN(std::vector<AddFile> files, ReadFilesAt(version, initial));
    files_ = std::make_shared<const std::vector<AddFile>>(std::move(files));
    files_of_ = {version, initial};
  }
  return files_;
}

Result<std::vector<AddFile>> DeltaSource::ReadFilesAt(int64_t version, bool initial) {
  std::vector<AddFile> files;
  if (initial) {
    MERGANSER_ASSIGN_OR_RETURN(const SnapshotRef snapshot,
                               snapshots_->At(location_, Version(version)));
    for (const FileView& file : snapshot->files().Files()) files.push_back(file.ToAddFile());
    std::ranges::sort(files, [](const AddFile& left, const AddFile& right) {
      return std::tie(left.modification_time, left.path) <
             std::tie(right.modification_time, right.path);
    });
    return files;
  }
  MERGANSER_ASSIGN_OR_RETURN(
      std::vector<Action> actions,
      ReadCommitActions(*location_.file_system, LogDirectory(location_.path), Version(version)));
  const RemoveFile* removed = nullptr;
  for (Action& action : actions) {
    if (auto* add = std::get_if<AddFile>(&action); add != nullptr && add->data_change)
      files.push_back(std::move(*add));
    if (const auto* remove = std::get_if<RemoveFile>(&action);
        remove != nullptr && remove->data_change) {
      removed = remove;
    }
  }
  if (removed == nullptr || options_.ignore_changes) return files;
  if (options_.skip_change_commits) return std::vector<AddFile>();
  if (files.empty() && options_.ignore_deletes) return files;
  Error::Parameters parameters = {{"version", std::to_string(version)},
                                  {"dataPath", location_.uri}};
  parameters[files.empty() ? "removedFile" : "changeInfo"] = removed->path;
  return Error(files.empty() ? ErrorClass::DELTA_SOURCE_IGNORE_DELETE
                             : ErrorClass::DELTA_SOURCE_TABLE_IGNORE_CHANGES,
               std::move(parameters));
}

Result<DeltaSource::Extent> DeltaSource::NextExtent(const DeltaSourceOffset& start,
                                                    const Limits& limits) {
  MERGANSER_ASSIGN_OR_RETURN(int64_t last, LatestVersion());
  if (limits.last_version) last = std::min(last, *limits.last_version);
  constexpr int64_t kAll = std::numeric_limits<int64_t>::max();
  Admission admission(limits.files ? options_.max_files_per_trigger : kAll,
                      limits.files ? options_.max_bytes_per_trigger : kAll);
  if (options_.change_feed) return NextChanges(start, last, admission);
  DeltaSourceOffset end = start;
  while (end.version <= last) {
    MERGANSER_ASSIGN_OR_RETURN(const Files files, FilesAt(end.version, end.initial));
    for (; end.index + 1 < static_cast<int64_t>(files->size()); ++end.index) {
      if (!admission.Admit((*files)[static_cast<size_t>(end.index + 1)].size))
        return Extent{end, admission.count()};
    }
    // Where the rows of the start end, the first batch ends too: later ones then tell by their
    // offsets what it read.
    const bool was_initial = end.initial;
    end = After(end.version);
    if (was_initial && admission.count() > 0) break;
  }
  return Extent{end, admission.count()};
}

Result<DeltaSource::Extent> DeltaSource::NextChanges(const DeltaSourceOffset& start, int64_t last,
                                                     Admission& admission) {
  DeltaSourceOffset end = start;
  if (end.initial) {
    MERGANSER_ASSIGN_OR_RETURN(const auto files, FilesAt(end.version, true));
    return Extent{After(end.version), static_cast<int64_t>(files->size())};
  }
  // Commits are taken whole: what belongs together in the feed lies in several files.
  int64_t num_files = 0;
  for (; end.version <= last; end = After(end.version)) {
    MERGANSER_ASSIGN_OR_RETURN(
        const std::vector<Action> actions,
        ReadCommitActions(*location_.file_system, LogDirectory(location_.path),
                          Version(end.version)));
    int64_t files = 0;
    int64_t bytes = 0;
    for (const Action& action : actions) {
      if (const auto* add = std::get_if<AddFile>(&action); add != nullptr && add->data_change) {
        ++files;
        bytes += add->size;
      } else if (const auto* cdc = std::get_if<AddCdcFile>(&action)) {
        ++files;
        bytes += cdc->size;
      } else if (const auto* remove = std::get_if<RemoveFile>(&action);
                 remove != nullptr && remove->data_change) {
        ++files;
      }
    }
    if (files == 0) continue;
    if (!admission.Admit(bytes)) break;
    for (int64_t i = 1; i < files; ++i) admission.Admit(0);
    num_files += files;
  }
  return Extent{end, num_files};
}

Result<DeltaSource::Batch> DeltaSource::Rows(const DeltaSourceOffset& start,
                                             const DeltaSourceOffset& end) {
  if (options_.change_feed) return ChangeRows(start, end);
  auto files = std::make_shared<std::vector<AddFile>>();
  for (DeltaSourceOffset at = start; at.version <= end.version; at = After(at.version)) {
    const bool is_last = at.version == end.version;
    // Nothing of the last version, which may not be there yet.
    if (is_last && end.index < 0) break;
    MERGANSER_ASSIGN_OR_RETURN(const Files found, FilesAt(at.version, at.initial));
    const auto first = std::min(static_cast<size_t>(at.index + 1), found->size());
    const auto stop =
        is_last ? std::min(static_cast<size_t>(end.index + 1), found->size()) : found->size();
    for (size_t i = first; i < stop; ++i) files->push_back((*found)[i]);
  }
  std::optional<int64_t> num_rows = 0;
  for (const AddFile& file : *files) {
    const auto records = ParseNumRecords(file.stats.value_or(""));
    const int64_t deleted = file.deletion_vector ? file.deletion_vector->cardinality : 0;
    if (!records || !num_rows) {
      num_rows.reset();
    } else {
      *num_rows += *records - deleted;
    }
  }
  const int64_t version = end.index < 0 ? end.version - 1 : end.version;
  return Batch{plan::MakeRelation(plan::DeltaFiles{location_.uri, version, std::move(files)}),
               num_rows};
}

Result<plan::RelationPtr> DeltaSource::NoRows() {
  MERGANSER_ASSIGN_OR_RETURN(const int64_t version, LatestVersion());
  plan::RelationPtr none = plan::MakeRelation(
      plan::DeltaFiles{location_.uri, version, std::make_shared<std::vector<AddFile>>()});
  return options_.change_feed ? AsInserted(std::move(none), version, 0) : none;
}

Result<DeltaSource::Batch> DeltaSource::ChangeRows(const DeltaSourceOffset& start,
                                                   const DeltaSourceOffset& end) {
  const int64_t last = end.version - 1;
  const int64_t first = start.initial ? start.version + 1 : start.version;
  plan::RelationPtr rows;
  if (start.initial) {
    // What is there at first counts as inserted by the version that is read.
    MERGANSER_ASSIGN_OR_RETURN(const SnapshotRef snapshot,
                               snapshots_->At(location_, Version(start.version)));
    rows = AsInserted(WithOptions(table_, {{"versionAsOf", std::to_string(start.version)}}),
                      start.version, snapshot->timestamp());
    if (last < first) return Batch{std::move(rows), std::nullopt};
  }
  plan::RelationPtr feed = WithOptions(table_, {{"readChangeFeed", "true"},
                                                {"startingVersion", std::to_string(first)},
                                                {"endingVersion", std::to_string(last)}});
  if (rows == nullptr) return Batch{std::move(feed), std::nullopt};
  plan::SetOperation both;
  both.left = std::move(rows);
  both.right = std::move(feed);
  both.all = true;
  return Batch{plan::MakeRelation(std::move(both)), std::nullopt};
}

}  // namespace merganser
