#include "merganser/streaming/delta_source.h"

#include <utility>
#include <variant>

#include "merganser/base/json.h"
#include "merganser/base/letter_case.h"
#include "merganser/delta/log/commit_reader.h"
#include "merganser/delta/log/log_path.h"

namespace merganser {
namespace {

const std::string* FindText(const plan::Options& options, std::string_view key) {
  for (const auto& [name, value] : options) {
    if (AsciiLowerCase(name) == AsciiLowerCase(key)) return &value;
  }
  return nullptr;
}

bool IsTrue(const plan::Options& options, std::string_view key) {
  const std::string* value = FindText(options, key);
  return value != nullptr && AsciiLowerCase(*value) == "true";
}

/// `table` with `extra` instead of its options.
plan::RelationPtr WithOptions(const plan::RelationPtr& table, plan::Options extra) {
  plan::Relation copy = *table;
  if (auto* reference = std::get_if<plan::TableReference>(&copy.node)) {
    reference->options = std::move(extra);
  } else if (auto* source = std::get_if<plan::FileSource>(&copy.node)) {
    source->options = std::move(extra);
  }
  return std::make_shared<const plan::Relation>(std::move(copy));
}

plan::ExpressionPtr Constant(DataType type, plan::LiteralValue value, const char* name) {
  return plan::MakeExpression(
      plan::Alias{plan::MakeExpression(plan::Literal{std::move(type), std::move(value)}), {name}});
}

plan::ExpressionPtr Everything(std::vector<std::vector<std::string>> except = {}) {
  return plan::MakeExpression(plan::Star{{}, std::move(except), {}});
}

}  // namespace

std::string DeltaSourceOffset::ToJson(std::string_view table_id) const {
  Json json = Json::MakeObject();
  json.Set("sourceVersion", 1)
      .Set("reservoirId", table_id)
      .Set("reservoirVersion", next_version.value_or(0))
      .Set("index", -1)
      .Set("isStartingVersion", false);
  return json.Dump();
}

Result<DeltaSourceOffset> DeltaSourceOffset::FromJson(std::string_view text) {
  MERGANSER_ASSIGN_OR_RETURN(const Json json, Json::Parse(text));
  const Json* version = json.find("reservoirVersion");
  if (version == nullptr || !version->is_int())
    return Error(ErrorClass::DELTA_INVALID_SOURCE_OFFSET_FORMAT);
  return DeltaSourceOffset{version->as_int()};
}

DeltaSource::DeltaSource(plan::RelationPtr table, FileLocation location, plan::Options options,
                         std::shared_ptr<SnapshotCache> snapshots)
    : table_(std::move(table)),
      location_(std::move(location)),
      options_(std::move(options)),
      snapshots_(std::move(snapshots)) {}

Result<SnapshotRef> DeltaSource::Latest() {
  MERGANSER_ASSIGN_OR_RETURN(SnapshotRef latest, snapshots_->Latest(location_));
  if (latest == nullptr) {
    return Error(ErrorClass::DELTA_MISSING_DELTA_TABLE, {{"tableName", location_.uri}});
  }
  table_id_ = latest->metadata().id;
  return latest;
}

Result<DeltaSourceOffset> DeltaSource::Start() {
  MERGANSER_ASSIGN_OR_RETURN(const SnapshotRef latest, Latest());
  const std::string* version = FindText(options_, "startingVersion");
  if (version == nullptr) return DeltaSourceOffset{};
  if (AsciiLowerCase(*version) == "latest") return DeltaSourceOffset{latest->version().value() + 1};
  if (version->empty() || version->find_first_not_of("0123456789") != std::string::npos ||
      version->size() > 18) {
    return Error(ErrorClass::DELTA_ILLEGAL_OPTION,
                 {{"name", "startingVersion"},
                  {"input", *version},
                  {"explain", "must be \"latest\" or a version"}});
  }
  return DeltaSourceOffset{std::stoll(*version)};
}

Result<DeltaSourceOffset> DeltaSource::LatestEnd(const DeltaSourceOffset& start) {
  MERGANSER_ASSIGN_OR_RETURN(const SnapshotRef latest, Latest());
  const int64_t next = latest->version().value() + 1;
  if (start.next_version && *start.next_version >= next) return start;
  return DeltaSourceOffset{next};
}

Result<plan::RelationPtr> DeltaSource::Rows(const DeltaSourceOffset& start,
                                            const DeltaSourceOffset& end) {
  const bool changes = IsTrue(options_, "readChangeFeed") || IsTrue(options_, "readChangeData");
  const int64_t last = end.next_version.value_or(0) - 1;
  if (!start.next_version) {
    plan::RelationPtr table = WithOptions(table_, {{"versionAsOf", std::to_string(last)}});
    if (!changes) return table;
    // What is there at first counts as inserted by the version that is read.
    MERGANSER_ASSIGN_OR_RETURN(const SnapshotRef snapshot,
                               snapshots_->At(location_, Version(last)));
    return plan::MakeRelation(plan::Project{
        std::move(table),
        {Everything(), Constant(DataType::String(), std::string("insert"), "_change_type"),
         Constant(DataType::Long(), last, "_commit_version"),
         Constant(DataType::Timestamp(), snapshot->timestamp() * 1000, "_commit_timestamp")}});
  }
  if (!changes) MERGANSER_RETURN_IF_ERROR(RefuseChanges(*start.next_version, last));
  plan::RelationPtr feed =
      WithOptions(table_, {{"readChangeFeed", "true"},
                           {"startingVersion", std::to_string(*start.next_version)},
                           {"endingVersion", std::to_string(last)}});
  if (changes) return feed;
  const auto type = plan::MakeExpression(plan::Attribute{{"_change_type"}, -1});
  const auto insert =
      plan::MakeExpression(plan::Literal{DataType::String(), std::string("insert")});
  plan::Call is_insert;
  is_insert.name = {"="};
  is_insert.arguments = {type, insert};
  is_insert.is_operator = true;
  return plan::MakeRelation(plan::Project{
      plan::MakeRelation(plan::Filter{feed, plan::MakeExpression(std::move(is_insert))}),
      {Everything({{"_change_type"}, {"_commit_version"}, {"_commit_timestamp"}})}});
}

Status DeltaSource::RefuseChanges(int64_t first, int64_t last) const {
  if (IsTrue(options_, "ignoreChanges") || IsTrue(options_, "skipChangeCommits"))
    return Status::Ok();
  for (int64_t version = first; version <= last; ++version) {
    MERGANSER_ASSIGN_OR_RETURN(
        const std::vector<Action> actions,
        ReadCommitActions(*location_.file_system, LogDirectory(location_.path), Version(version)));
    bool adds = false;
    const RemoveFile* removed = nullptr;
    for (const Action& action : actions) {
      if (const auto* add = std::get_if<AddFile>(&action)) adds = adds || add->data_change;
      if (const auto* remove = std::get_if<RemoveFile>(&action);
          remove != nullptr && remove->data_change) {
        removed = remove;
      }
    }
    if (removed == nullptr) continue;
    if (!adds && IsTrue(options_, "ignoreDeletes")) continue;
    if (!adds) {
      return Error(ErrorClass::DELTA_SOURCE_IGNORE_DELETE, {{"version", std::to_string(version)},
                                                            {"removedFile", removed->path},
                                                            {"dataPath", location_.uri}});
    }
    return Error(ErrorClass::DELTA_SOURCE_TABLE_IGNORE_CHANGES,
                 {{"version", std::to_string(version)},
                  {"changeInfo", removed->path},
                  {"dataPath", location_.uri}});
  }
  return Status::Ok();
}

}  // namespace merganser
