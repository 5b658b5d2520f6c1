#include "merganser/commands/metadata_change.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "merganser/base/uuid.h"
#include "merganser/commands/iceberg_properties.h"
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
  MappedSchema mapped = WithIcebergFieldIds(
      AssignColumnMapping(change.schema, known,
                          is_upgrade ? PhysicalNaming::kDisplay : PhysicalNaming::kUnique,
                          [] { return RandomUuid(); }),
      change.metadata.configuration);
  change.schema = std::move(mapped.schema);
  change.metadata.configuration[kMaxColumnId] = std::to_string(mapped.max_column_id);
  return Status::Ok();
}

/// Features that a table which exists takes on only where somebody asks for them by name: old
/// readers and writers of it would stop working for the sake of a column.
constexpr std::string_view kOnlyByName[] = {"timestampNtz"};

Status CheckFeaturesAreWanted(const Snapshot& snapshot, const MetadataChange& change,
                              const std::vector<std::string>& required) {
  for (const std::string_view feature : kOnlyByName) {
    const std::string name(feature);
    if (std::ranges::find(required, name) == required.end() || snapshot.Supports(name) ||
        std::ranges::find(change.features, name) != change.features.end() ||
        change.metadata.configuration.contains("delta.feature." + name))
      continue;
    return Error(ErrorClass::DELTA_FEATURES_REQUIRE_MANUAL_ENABLEMENT,
                 {{"unsupportedFeatures", name},
                  {"supportedFeatures",
                   fmt::format("{}", fmt::join(SupportedFeatures(snapshot.protocol()), ", "))}});
  }
  return Status::Ok();
}

/// New columns must not take the names that the change feed adds.
Status CheckFeedColumns(const Snapshot& snapshot, const MetadataChange& change) {
  if (!snapshot.properties().enable_change_data_feed()) return Status::Ok();
  const Status names = CheckChangeFeedNames(change.schema, change.metadata.configuration);
  if (names.ok()) return Status::Ok();
  return Error(ErrorClass::RESERVED_CDC_COLUMNS_ON_WRITE,
               {{"columnList", names.error().parameters().find("columnList")->second},
                {"config", "delta.enableChangeDataFeed"}});
}

}  // namespace

Result<WriteTarget> ChangeMetadata(const Snapshot& snapshot, MetadataChange change,
                                   Transaction& transaction) {
  MERGANSER_RETURN_IF_ERROR(CheckUniqueNames(change.schema));
  MERGANSER_RETURN_IF_ERROR(CheckFeedColumns(snapshot, change));
  CompleteIcebergProperties(/*is_new=*/false, nullptr, change.metadata.configuration);
  MERGANSER_RETURN_IF_ERROR(CheckIcebergDefaults(change.schema, change.metadata.configuration));
  MERGANSER_RETURN_IF_ERROR(MapColumns(snapshot, change));
  change.schema = WithTypeChanges(snapshot.schema(), change.schema);

  auto features = RequiredFeatures(change.schema, change.metadata.configuration);
  MERGANSER_RETURN_IF_ERROR(CheckFeaturesAreWanted(snapshot, change, features));
  features.insert(features.end(), change.features.begin(), change.features.end());
  MERGANSER_ASSIGN_OR_RETURN(const Protocol protocol, WithFeatures(snapshot.protocol(), features));
  if (!(protocol == snapshot.protocol())) transaction.SetProtocol(protocol);
  if (SupportsFeature(protocol, "rowTracking"))
    NameRowTrackingColumns(change.metadata.configuration);

  change.metadata.schema_string = ToSchemaJson(change.schema);
  WriteTarget target{
      .location = snapshot.table(),
      .schema = std::move(change.schema),
      .partition_columns = change.metadata.partition_columns,
      .properties = TableProperties(change.metadata.configuration),
      .stores_partition_columns = StoresPartitionColumns(protocol, change.metadata.configuration)};
  transaction.SetMetadata(std::move(change.metadata));
  return target;
}

Result<WriteTarget> ChangeSchema(const Snapshot& snapshot, StructType schema,
                                 Transaction& transaction) {
  return ChangeMetadata(snapshot, {.metadata = snapshot.metadata(), .schema = std::move(schema)},
                        transaction);
}

}  // namespace merganser
