#include "merganser/commands/alter/drop_feature.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "merganser/commands/alter/remove_column_mapping.h"
#include "merganser/commands/commit.h"
#include "merganser/commands/optimize.h"
#include "merganser/commands/type_changes.h"
#include "merganser/config/table_property.h"
#include "merganser/delta/deletion_vector/deletion_vector_storage.h"
#include "merganser/delta/log/commit_reader.h"
#include "merganser/delta/protocol/data_path.h"
#include "merganser/delta/protocol/table_features.h"
#include "merganser/delta/schema/schema_json.h"
#include "merganser/delta/table/time_travel.h"
#include "merganser/delta/transaction/checkpoint_writer.h"
#include "merganser/delta/transaction/row_tracking.h"

namespace merganser {
namespace {

constexpr int kBarrierCheckpoints = 3;
constexpr const char* kCheckpointProtection = "checkpointProtection";
constexpr const char* kProtectionProperty = "delta.requireCheckpointProtectionBeforeVersion";
constexpr std::array<std::string_view, 11> kRemovable = {
    "checkConstraints",     "checkpointProtection", "columnMapping",      "deletionVectors",
    "domainMetadata",       "inCommitTimestamp",    "rowTracking",        "typeWidening",
    "typeWidening-preview", "v2Checkpoint",         "vacuumProtocolCheck"};

bool NeedsHistoryProtection(const TableFeature& feature) { return feature.reader_writer; }

std::string Listed(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
  return text;
}

/// One DROP FEATURE on its way. Every step is a commit on the newest version.
class FeatureRemoval {
 public:
  FeatureRemoval(StatementContext& context, const TargetTable& target, const TableFeature& feature)
      : context_(context), target_(target), feature_(feature), snapshot_(target.snapshot) {}

  Status Run(bool truncates_history) {
    const SnapshotRef before = snapshot_;
    MERGANSER_RETURN_IF_ERROR(RemoveTraces());
    const bool was_used = snapshot_ != before && feature_.name != "deletionVectors";
    if (truncates_history && NeedsHistoryProtection(feature_)) {
      if (was_used) return WaitForRetention();
      MERGANSER_RETURN_IF_ERROR(CheckHistory());
      return Downgrade(/*protects=*/false, truncates_history);
    }
    const bool protects = NeedsHistoryProtection(feature_);
    for (int i = 0; protects && i < kBarrierCheckpoints; ++i) {
      MERGANSER_RETURN_IF_ERROR(Commit({.operation = "Empty Commit"}));
      MERGANSER_RETURN_IF_ERROR(Checkpoint());
    }
    MERGANSER_RETURN_IF_ERROR(Downgrade(protects, truncates_history));
    return protects ? Checkpoint() : Status::Ok();
  }

 private:
  /// A commit of the removal.
  struct Step {
    std::string operation;
    std::map<std::string, std::string, std::less<>> parameters = {};  ///< JSON text.
    std::optional<Metadata> metadata = {};
    std::optional<Protocol> protocol = {};
    std::vector<AddFile> added = {};
    std::vector<RemoveFile> removed = {};
    std::vector<DomainMetadata> domains = {};
  };

  Status Commit(Step step) {
    MERGANSER_ASSIGN_OR_RETURN(Transaction transaction,
                               Transaction::Start(snapshot_, context_.transaction_options()));
    if (step.protocol) transaction.SetProtocol(*std::move(step.protocol));
    if (step.metadata) transaction.SetMetadata(*std::move(step.metadata));
    for (AddFile& file : step.added) transaction.Add(std::move(file));
    for (RemoveFile& file : step.removed) transaction.Remove(std::move(file));
    for (DomainMetadata& domain : step.domains) transaction.SetDomainMetadata(std::move(domain));
    Operation operation;
    operation.name = std::move(step.operation);
    operation.parameters = std::move(step.parameters);
    MERGANSER_ASSIGN_OR_RETURN(
        const CommitResult committed,
        CommitStatement(context_, std::move(transaction), std::move(operation)));
    (void)committed;
    return Refresh();
  }

  Status Refresh() {
    MERGANSER_ASSIGN_OR_RETURN(snapshot_, context_.catalog.snapshots().Latest(snapshot_->table()));
    return Status::Ok();
  }

  Status Checkpoint() {
    auto written = WriteCheckpoint(*snapshot_, context_.clock.NowMillis(),
                                   context_.transaction_options().checkpoint);
    if (written.ok()) return Status::Ok();
    return Error(ErrorClass::DELTA_FEATURE_DROP_CHECKPOINT_FAILED,
                 {{"featureName", std::string(feature_.name)}})
        .CausedBy(std::move(written).error());
  }

  bool IsOn(std::string_view property) const {
    const auto value = snapshot_->properties().Find(property);
    return value && *value == "true";
  }

  static std::string Quoted(std::string_view text) {
    std::string json;
    AppendJsonString(text, &json);
    return json;
  }

  Status Unset(const std::vector<std::string>& keys) {
    Metadata metadata = snapshot_->metadata();
    for (const std::string& key : keys) metadata.configuration.erase(key);
    return Commit({.operation = "UNSET TBLPROPERTIES",
                   .parameters = {{"properties", Quoted(JsonList(keys))}, {"ifExists", "true"}},
                   .metadata = std::move(metadata)});
  }

  Status Set(const std::vector<std::pair<std::string, std::string>>& properties) {
    Metadata metadata = snapshot_->metadata();
    Json json = Json::MakeObject();
    for (const auto& [key, value] : properties) {
      metadata.configuration[key] = value;
      json[key] = value;
    }
    return Commit({.operation = "SET TBLPROPERTIES",
                   .parameters = {{"properties", Quoted(json.Dump())}},
                   .metadata = std::move(metadata)});
  }

  /// Bring the table to a state in which nothing of it needs the feature.
  Status RemoveTraces() {
    const std::string_view name = feature_.name;
    if (name == "deletionVectors") return RemoveDeletionVectors();
    if (name == "columnMapping" && snapshot_->column_mapping_mode() != ColumnMappingMode::kNone) {
      MERGANSER_RETURN_IF_ERROR(RemoveColumnMapping(context_, snapshot_, /*keeps_property=*/false));
      return Refresh();
    }
    if (name == "v2Checkpoint" && snapshot_->properties().v2_checkpoint_policy()) {
      return Set({{"delta.checkpointPolicy", "classic"}});
    }
    if (name.starts_with("typeWidening")) return RemoveTypeChanges();
    if (name == "inCommitTimestamp") return RemoveInCommitTimestamps();
    if (name == "rowTracking") return RemoveRowTracking();
    if (name == "domainMetadata") return RemoveDomains();
    if (name == "checkConstraints" && !snapshot_->properties().constraints().empty()) {
      std::vector<std::string> names;
      for (const auto& [constraint, text] : snapshot_->properties().constraints())
        names.push_back(constraint);
      return Error(ErrorClass::DELTA_CANNOT_DROP_CHECK_CONSTRAINT_FEATURE,
                   {{"constraints", Listed(names)}});
    }
    return Status::Ok();
  }

  Status RemoveDeletionVectors() {
    bool has_vectors = false;
    snapshot_->files().ForEach(
        [&](const FileView& file) { has_vectors = has_vectors || file.has_deletion_vector(); });
    if (has_vectors || IsOn("delta.enableDeletionVectors")) {
      MERGANSER_RETURN_IF_ERROR(Unset({"delta.enableDeletionVectors"}));
      plan::ReorgPurge purge;
      purge.name.parts = target_.table.identifier
                             ? target_.table.identifier->parts()
                             : std::vector<std::string>{"delta", snapshot_->path()};
      MERGANSER_ASSIGN_OR_RETURN(const ResultSet result, RunReorgPurge(context_, purge));
      (void)result;
      MERGANSER_RETURN_IF_ERROR(Refresh());
    }
    return AddVectorTombstones();
  }

  /// Tombstones of the vectors' own files, which VACUUM of a client without the feature would not
  /// know to keep.
  Status AddVectorTombstones() {
    MERGANSER_ASSIGN_OR_RETURN(const auto tombstones, snapshot_->ReadTombstones());
    std::set<std::string> known;
    std::set<std::string> vectors;
    for (const RemoveFile& file : tombstones) {
      if (!file.deletion_vector) {
        known.insert(file.path);
      } else if (file.deletion_vector->storage ==
                 DeletionVectorDescriptor::Storage::kRelativeFile) {
        MERGANSER_ASSIGN_OR_RETURN(const std::string path,
                                   DeletionVectorPath(snapshot_->path(), *file.deletion_vector));
        vectors.insert(EncodeDataPath(path.substr(snapshot_->path().size() + 1)));
      }
    }
    Step step{.operation = "Deletion Vector Tombstones"};
    for (const std::string& path : vectors) {
      if (known.contains(path)) continue;
      RemoveFile tombstone;
      tombstone.path = path;
      tombstone.deletion_timestamp = context_.clock.NowMillis();
      tombstone.data_change = false;
      step.removed.push_back(std::move(tombstone));
    }
    return Commit(std::move(step));
  }

  Status RemoveTypeChanges() {
    const bool has_changes = HasTypeChanges(snapshot_->schema());
    if (!has_changes && !IsOn("delta.enableTypeWidening")) return Status::Ok();
    MERGANSER_RETURN_IF_ERROR(Unset({"delta.enableTypeWidening"}));
    if (!has_changes) return Status::Ok();
    TargetTable now = target_;
    now.snapshot = snapshot_;
    MERGANSER_RETURN_IF_ERROR(RewriteOldTypes(context_, now));
    MERGANSER_RETURN_IF_ERROR(Refresh());
    Metadata metadata = snapshot_->metadata();
    metadata.schema_string = ToSchemaJson(WithoutTypeChanges(snapshot_->schema()));
    Json columns = Json::MakeArray();
    const StructType clean = WithoutTypeChanges(snapshot_->schema());
    for (size_t i = 0; i < clean.size(); ++i) {
      if (!(clean[i] == snapshot_->schema()[i])) columns.Append(FieldForHistory({}, clean[i]));
    }
    return Commit({.operation = "DROP FEATURE",
                   .parameters = {{"columns", Quoted(columns.Dump())}},
                   .metadata = std::move(metadata)});
  }

  Status RemoveInCommitTimestamps() {
    constexpr const char* kEnabled = "delta.enableInCommitTimestamps";
    Metadata metadata = snapshot_->metadata();
    std::vector<std::string> removed;
    for (const char* key : {"delta.inCommitTimestampEnablementTimestamp",
                            "delta.inCommitTimestampEnablementVersion"}) {
      if (metadata.configuration.erase(key) > 0) removed.emplace_back(key);
    }
    if (IsOn(kEnabled)) {
      metadata.configuration[kEnabled] = "false";
      removed.emplace_back(kEnabled);
    }
    if (removed.empty()) return Status::Ok();
    return Commit({.operation = "UNSET TBLPROPERTIES",
                   .parameters = {{"properties", Quoted(JsonList(removed))}, {"ifExists", "true"}},
                   .metadata = std::move(metadata)});
  }

  Status RemoveRowTracking() {
    if (!IsOn("delta.rowTrackingSuspended") || IsOn("delta.enableRowTracking")) {
      MERGANSER_RETURN_IF_ERROR(
          Set({{"delta.enableRowTracking", "false"}, {"delta.rowTrackingSuspended", "true"}}));
    }
    Step step{.operation = "ROW TRACKING UNBACKFILL", .parameters = {{"batchId", Quoted("0")}}};
    for (const FileView& file : snapshot_->files().Files()) {
      if (!file.base_row_id() && !file.default_row_commit_version()) continue;
      AddFile add = file.ToAddFile();
      add.base_row_id.reset();
      add.default_row_commit_version.reset();
      add.data_change = false;
      step.added.push_back(std::move(add));
    }
    return step.added.empty() ? Status::Ok() : Commit(std::move(step));
  }

  Status RemoveDomains() {
    Step step{.operation = "DOMAIN METADATA CLEANUP"};
    for (const auto& [name, domain] : snapshot_->domain_metadata()) {
      step.domains.push_back(domain);
      step.domains.back().removed = true;
    }
    if (step.domains.empty()) return Status::Ok();
    step.parameters = {{"domainMetadataRemovedCount", std::to_string(step.domains.size())}};
    return Commit(std::move(step));
  }

  /// Take the feature out of the protocol.
  Status Downgrade(bool protects, bool truncates_history) {
    std::vector<std::string> features = SupportedFeatures(snapshot_->protocol());
    std::erase(features, std::string(feature_.name));
    Step step{.operation = "DROP FEATURE",
              .parameters = {{"featureName", Quoted(feature_.name)},
                             {"truncateHistory", truncates_history ? "true" : "false"}}};
    step.metadata = snapshot_->metadata();
    if (protects) {
      features.emplace_back(kCheckpointProtection);
      step.metadata->configuration[kProtectionProperty] = snapshot_->version().next().ToString();
    }
    if (feature_.name == kCheckpointProtection)
      step.metadata->configuration.erase(kProtectionProperty);
    if (feature_.name == "rowTracking") {
      for (const char* key : {"delta.enableRowTracking", "delta.rowTrackingSuspended",
                              "delta.rowTracking.materializedRowIdColumnName",
                              "delta.rowTracking.materializedRowCommitVersionColumnName"}) {
        step.metadata->configuration.erase(key);
      }
      const auto domain = snapshot_->domain_metadata().find(kRowTrackingDomain);
      if (domain != snapshot_->domain_metadata().end()) {
        step.domains.push_back(domain->second);
        step.domains.back().removed = true;
      }
    }
    MERGANSER_ASSIGN_OR_RETURN(step.protocol, WithFeatures(Protocol(), features));
    return Commit(std::move(step));
  }

  Error WaitForRetention() const {
    const auto retention = snapshot_->properties().Find("delta.logRetentionDuration");
    return Error(ErrorClass::DELTA_FEATURE_DROP_WAIT_FOR_RETENTION_PERIOD,
                 {{"feature", std::string(feature_.name)},
                  {"logRetentionPeriodKey", "delta.logRetentionDuration"},
                  {"logRetentionPeriod", std::string(retention.value_or("30 days"))},
                  {"truncateHistoryLogRetentionPeriod", "24 hours"}});
  }

  /// No commit that is still there may need the feature.
  Status CheckHistory() {
    MERGANSER_ASSIGN_OR_RETURN(const Version earliest,
                               EarliestCommit(snapshot_->file_system(), snapshot_->path()));
    const std::string directory = LogDirectory(snapshot_->path());
    for (Version version = earliest; version < snapshot_->version(); version = version.next()) {
      MERGANSER_ASSIGN_OR_RETURN(const auto actions,
                                 ReadCommitActions(snapshot_->file_system(), directory, version));
      for (const Action& action : actions) {
        const auto* protocol = std::get_if<Protocol>(&action);
        if (protocol == nullptr || !SupportsFeature(*protocol, feature_.name)) continue;
        const auto retention = snapshot_->properties().Find("delta.logRetentionDuration");
        return Error(ErrorClass::DELTA_FEATURE_DROP_HISTORICAL_VERSIONS_EXIST,
                     {{"feature", std::string(feature_.name)},
                      {"logRetentionPeriodKey", "delta.logRetentionDuration"},
                      {"logRetentionPeriod", std::string(retention.value_or("30 days"))},
                      {"truncateHistoryLogRetentionPeriod", "24 hours"}});
      }
    }
    return Status::Ok();
  }

  StatementContext& context_;
  const TargetTable& target_;
  const TableFeature& feature_;
  SnapshotRef snapshot_;
};

}  // namespace

Status DropFeature(StatementContext& context, const TargetTable& target,
                   const plan::AlterDropFeature& action) {
  const Protocol& protocol = target.snapshot->protocol();
  const bool is_present = SupportsFeature(protocol, action.feature);
  const Error::Parameters named = {{"feature", action.feature}};
  if (!is_present && FindTableProperty(action.feature) != nullptr) {
    return Error(ErrorClass::DELTA_FEATURE_DROP_FEATURE_IS_DELTA_PROPERTY,
                 {{"property", action.feature}});
  }
  const TableFeature* feature = FindTableFeature(action.feature);
  if (feature == nullptr)
    return Error(ErrorClass::DELTA_FEATURE_DROP_UNSUPPORTED_CLIENT_FEATURE, named);
  if (!is_present) return Error(ErrorClass::DELTA_FEATURE_DROP_FEATURE_NOT_PRESENT, named);
  if (std::ranges::find(kRemovable, feature->name) == kRemovable.end()) {
    return Error(ErrorClass::DELTA_FEATURE_DROP_NONREMOVABLE_FEATURE, named);
  }
  if (action.truncate_history && !NeedsHistoryProtection(*feature) &&
      feature->name != kCheckpointProtection) {
    return Error(ErrorClass::DELTA_FEATURE_DROP_HISTORY_TRUNCATION_NOT_ALLOWED);
  }
  if (feature->name == kCheckpointProtection && !action.truncate_history) {
    return Error(
        ErrorClass::DELTA_FEATURE_CAN_ONLY_DROP_CHECKPOINT_PROTECTION_WITH_HISTORY_TRUNCATION);
  }
  std::vector<std::string> dependents;
  for (const TableFeature& other : KnownTableFeatures()) {
    const bool depends =
        std::ranges::find(other.requires_features, feature->name) != other.requires_features.end();
    if (depends && SupportsFeature(protocol, other.name)) dependents.emplace_back(other.name);
  }
  if (!dependents.empty()) {
    return Error(ErrorClass::DELTA_FEATURE_DROP_DEPENDENT_FEATURE,
                 {{"feature", action.feature}, {"dependentFeatures", Listed(dependents)}});
  }
  return FeatureRemoval(context, target, *feature).Run(action.truncate_history);
}

}  // namespace merganser
