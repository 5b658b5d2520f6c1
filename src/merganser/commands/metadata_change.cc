#include "merganser/commands/metadata_change.h"

#include <algorithm>
#include <utility>

#include "merganser/base/uuid.h"
#include "merganser/commands/table_definition.h"
#include "merganser/commands/type_changes.h"
#include "merganser/delta/protocol/table_features.h"
#include "merganser/delta/schema/column_mapping.h"
#include "merganser/delta/schema/schema_json.h"

namespace merganser {
namespace {

constexpr const char* kMaxColumnId = "delta.columnMapping.maxColumnId";

/// Give ids and physical names to the columns of a mapped table that lack them.
Status MapColumns(const Snapshot& snapshot, MetadataChange& change) {
  const ColumnMappingMode before = snapshot.column_mapping_mode();
  const ColumnMappingMode after =
      TableProperties(change.metadata.configuration).column_mapping_mode();
  const bool is_upgrade = before == ColumnMappingMode::kNone && after == ColumnMappingMode::kName;
  if (before != after && !is_upgrade) {
    return Error(
        ErrorClass::DELTA_UNSUPPORTED_COLUMN_MAPPING_MODE_CHANGE,
        {{"oldMode", std::string(ToString(before))}, {"newMode", std::string(ToString(after))}});
  }
  if (after == ColumnMappingMode::kNone) return CheckColumnNames(change.schema);
  const int64_t known = is_upgrade ? 0 : snapshot.properties().column_mapping_max_column_id();
  MappedSchema mapped = AssignColumnMapping(
      change.schema, known, is_upgrade ? PhysicalNaming::kDisplay : PhysicalNaming::kUnique,
      [] { return RandomUuid(); });
  change.schema = std::move(mapped.schema);
  change.metadata.configuration[kMaxColumnId] = std::to_string(mapped.max_column_id);
  return Status::Ok();
}

/// A table does not take up timestampNtz because of a column: someone has to ask for the feature.
Status CheckManualFeature(const Snapshot& snapshot, const std::vector<std::string>& needed,
                          const std::vector<std::string>& asked_for) {
  constexpr std::string_view kFeature = "timestampNtz";
  const bool is_new = std::ranges::find(needed, kFeature) != needed.end() &&
                      std::ranges::find(asked_for, kFeature) == asked_for.end() &&
                      !snapshot.Supports(kFeature);
  if (!is_new) return Status::Ok();
  std::string supported;
  for (const std::string& feature : SupportedFeatures(snapshot.protocol()))
    supported += (supported.empty() ? "" : ", ") + feature;
  return Error(ErrorClass::DELTA_FEATURES_REQUIRE_MANUAL_ENABLEMENT,
               {{"unsupportedFeatures", std::string(kFeature)}, {"supportedFeatures", supported}});
}

}  // namespace

Result<WriteTarget> ChangeMetadata(const Snapshot& snapshot, MetadataChange change,
                                   Transaction& transaction) {
  MERGANSER_RETURN_IF_ERROR(CheckUniqueNames(change.schema));
  MERGANSER_RETURN_IF_ERROR(MapColumns(snapshot, change));
  change.schema = WithTypeChanges(snapshot.schema(), change.schema);

  auto features = RequiredFeatures(change.schema, change.metadata.configuration);
  MERGANSER_RETURN_IF_ERROR(CheckManualFeature(snapshot, features, change.features));
  features.insert(features.end(), change.features.begin(), change.features.end());
  MERGANSER_ASSIGN_OR_RETURN(const Protocol protocol, WithFeatures(snapshot.protocol(), features));
  if (!(protocol == snapshot.protocol())) transaction.SetProtocol(protocol);
  if (SupportsFeature(protocol, "rowTracking"))
    NameRowTrackingColumns(change.metadata.configuration);

  change.metadata.schema_string = ToSchemaJson(change.schema);
  WriteTarget target{snapshot.table(), std::move(change.schema), change.metadata.partition_columns,
                     TableProperties(change.metadata.configuration)};
  transaction.SetMetadata(std::move(change.metadata));
  return target;
}

Result<WriteTarget> ChangeSchema(const Snapshot& snapshot, StructType schema,
                                 Transaction& transaction) {
  return ChangeMetadata(snapshot, {.metadata = snapshot.metadata(), .schema = std::move(schema)},
                        transaction);
}

}  // namespace merganser
