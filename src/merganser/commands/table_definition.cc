#include "merganser/commands/table_definition.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/base/uuid.h"
#include "merganser/commands/generated_columns.h"
#include "merganser/commands/iceberg_properties.h"
#include "merganser/commands/statistics_property.h"
#include "merganser/delta/protocol/table_features.h"
#include "merganser/delta/schema/column_mapping.h"
#include "merganser/delta/schema/schema_json.h"
#include "merganser/spark/analysis/identity_columns.h"

namespace merganser {
namespace {

constexpr std::array<std::string_view, 3> kChangeColumns = {"_change_type", "_commit_version",
                                                            "_commit_timestamp"};

Result<std::vector<std::string>> PartitionColumns(const StructType& schema,
                                                  const std::vector<std::string>& wanted) {
  std::vector<std::string> columns;
  for (const std::string& name : wanted) {
    const StructField* field = schema.Find(name);
    if (field == nullptr) {
      std::string known;
      for (const StructField& candidate : schema)
        known += (known.empty() ? "`" : ", `") + candidate.name + "`";
      return Error(ErrorClass::DELTA_INVALID_PARTITION_COLUMN,
                   {{"columnName", name}, {"tableName", known}});
    }
    if (std::ranges::find(columns, field->name) != columns.end()) {
      return Error(ErrorClass::COLUMN_ALREADY_EXISTS,
                   {{"columnName", QuotedIdentifier(AsciiLowerCase(name))}});
    }
    if (field->type.is_nested() || field->type.is(TypeId::kVariant)) {
      return Error(ErrorClass::INVALID_PARTITION_COLUMN_DATA_TYPE,
                   {{"type", "\"" + field->type.SqlString() + "\""}});
    }
    if (FindIdentity(*field)) {
      return Error(ErrorClass::DELTA_IDENTITY_COLUMNS_PARTITION_NOT_SUPPORTED,
                   {{"colName", field->name}});
    }
    columns.push_back(field->name);
  }
  if (!columns.empty() && columns.size() == schema.size())
    return Error(ErrorClass::ALL_PARTITION_COLUMNS_NOT_ALLOWED);
  return columns;
}

bool HasDefaults(const StructType& schema) {
  return std::ranges::any_of(
      schema, [](const StructField& field) { return field.metadata.contains("CURRENT_DEFAULT"); });
}

/// How the statement itself, not the session's defaults, wants columns mapped.
ColumnMappingMode WantedMapping(const TableWish& wish, const StringMap& configuration) {
  constexpr std::string_view kMode = "delta.columnMapping.mode";
  const bool says_so = std::ranges::any_of(wish.properties, [&](const auto& property) {
    return NormalizedPropertyKey(property.first) == kMode;
  });
  const TableProperties properties(configuration);
  return says_so || properties.iceberg_compat_version() > 0 ? properties.column_mapping_mode()
                                                            : ColumnMappingMode::kNone;
}

/// Give ids and physical names to the columns of the table, which may replace one that has some.
MappedSchema MapColumns(const TableWish& wish, const StringMap& configuration) {
  StructType schema = wish.schema;
  int64_t last = 0;
  if (wish.replaced != nullptr) {
    last = wish.replaced->properties().column_mapping_max_column_id();
    if (WantedMapping(wish, configuration) == wish.replaced->column_mapping_mode())
      schema = KeepColumnMapping(schema, wish.replaced->schema());
  }
  return WithIcebergFieldIds(
      AssignColumnMapping(schema, last, PhysicalNaming::kUnique, [] { return RandomUuid(); }),
      configuration);
}

}  // namespace

void NameRowTrackingColumns(StringMap& configuration) {
  configuration.try_emplace("delta.rowTracking.materializedRowIdColumnName",
                            "_row-id-col-" + RandomUuid());
  configuration.try_emplace("delta.rowTracking.materializedRowCommitVersionColumnName",
                            "_row-commit-version-col-" + RandomUuid());
}

Status CheckChangeFeedNames(const StructType& schema, const StringMap& configuration) {
  if (!TableProperties(configuration).enable_change_data_feed()) return Status::Ok();
  std::string taken;
  for (const StructField& field : schema) {
    const bool is_taken = std::ranges::any_of(kChangeColumns, [&](std::string_view name) {
      return EqualsIgnoringCase(name, field.name);
    });
    if (is_taken) taken += (taken.empty() ? "" : ",") + field.name;
  }
  if (taken.empty()) return Status::Ok();
  return Error(ErrorClass::DELTA_TABLE_ALREADY_CONTAINS_CDC_COLUMNS,
               {{"columnList", "[" + taken + "]"}});
}

Result<TableDefinition> DefineTable(StatementContext& context, Analyzer& analyzer, TableWish wish) {
  MERGANSER_RETURN_IF_ERROR(CheckUniqueNames(wish.schema));
  MERGANSER_RETURN_IF_ERROR(CheckColumnTypes(wish.schema));
  TableDefinition table;
  MERGANSER_ASSIGN_OR_RETURN(PropertyMap properties,
                             wish.session_defaults
                                 ? NewTableProperties(wish.properties, context.conf)
                                 : ValidateTableProperties(wish.properties, context.conf));
  MERGANSER_ASSIGN_OR_RETURN(const ProtocolWish protocol, TakeProtocolWish(properties));
  table.metadata.configuration = {properties.begin(), properties.end()};
  CompleteIcebergProperties(/*is_new=*/true, wish.replaced, table.metadata.configuration);
  MERGANSER_RETURN_IF_ERROR(CheckChangeFeedNames(wish.schema, table.metadata.configuration));
  MERGANSER_ASSIGN_OR_RETURN(table.metadata.partition_columns,
                             PartitionColumns(wish.schema, wish.partition_by));
  MERGANSER_RETURN_IF_ERROR(CheckStatisticsProperty(wish.schema, table.metadata.partition_columns,
                                                    table.metadata.configuration));
  MERGANSER_RETURN_IF_ERROR(CheckGeneratedColumns(analyzer, wish.schema));
  MERGANSER_RETURN_IF_ERROR(CheckIcebergDefaults(wish.schema, table.metadata.configuration));

  const TableProperties typed(table.metadata.configuration);
  if (typed.column_mapping_mode() != ColumnMappingMode::kNone) {
    MappedSchema mapped = MapColumns(wish, table.metadata.configuration);
    wish.schema = std::move(mapped.schema);
    table.metadata.configuration["delta.columnMapping.maxColumnId"] =
        std::to_string(mapped.max_column_id);
  } else {
    for (const std::string& name : table.metadata.partition_columns) {
      if (!CheckColumnNames(StructType({*wish.schema.Find(name)})).ok())
        return Error(ErrorClass::DELTA_INVALID_PARTITION_COLUMN_NAME);
    }
    MERGANSER_RETURN_IF_ERROR(CheckColumnNames(wish.schema));
  }
  MERGANSER_ASSIGN_OR_RETURN(
      table.clustering,
      FindClusteringColumns(wish.cluster_by, wish.schema, table.metadata.partition_columns,
                            TableProperties(table.metadata.configuration)));

  auto features = RequiredFeatures(wish.schema, table.metadata.configuration);
  const auto add = [&](const std::vector<std::string>& more) {
    features.insert(features.end(), more.begin(), more.end());
  };
  add(protocol.Features(DefaultProtocol()));
  add(wish.features);
  if (wish.session_defaults && !protocol.min_reader_version && !protocol.min_writer_version)
    add(SupportedFeatures(DefaultProtocol()));
  if (!table.clustering.empty()) features.emplace_back("clustering");
  if (HasDefaults(wish.schema) &&
      std::ranges::find(features, "allowColumnDefaults") == features.end()) {
    return Error(ErrorClass::WRONG_COLUMN_DEFAULTS_FOR_DELTA_FEATURE_NOT_ENABLED,
                 {{"commandType", "CREATE TABLE"}});
  }
  MERGANSER_ASSIGN_OR_RETURN(table.protocol, WithFeatures(Protocol(), features));
  if (SupportsFeature(table.protocol, "rowTracking"))
    NameRowTrackingColumns(table.metadata.configuration);

  table.metadata.id = RandomUuid();
  table.metadata.description = std::move(wish.comment);
  table.metadata.schema_string = ToSchemaJson(wish.schema);
  table.metadata.created_time = context.clock.NowMillis();
  table.schema = std::move(wish.schema);
  return table;
}

}  // namespace merganser
