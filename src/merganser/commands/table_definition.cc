#include "merganser/commands/table_definition.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "merganser/base/json.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/base/uuid.h"
#include "merganser/delta/protocol/table_features.h"
#include "merganser/delta/schema/column_mapping.h"
#include "merganser/delta/schema/schema_json.h"

namespace merganser {
namespace {

constexpr std::string_view kFeaturePrefix = "delta.feature.";

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

std::string JsonText(std::string_view text) {
  std::string quoted;
  AppendJsonString(text, &quoted);
  return quoted;
}

Status CheckUniqueNames(const StructType& schema) {
  std::set<std::string> names;
  for (const StructField& field : schema) {
    if (!names.insert(Lower(field.name)).second) {
      return Error(ErrorClass::COLUMN_ALREADY_EXISTS,
                   {{"columnName", QuotedIdentifier(std::vector<std::string>{Lower(field.name)})}});
    }
  }
  return Status::Ok();
}

/// Characters that Parquet writers of other engines refuse in a name.
bool HasUnwritableCharacter(std::string_view name) { return name.find_first_of(" ,;{}()\n\t=") != name.npos; }

void CollectUnwritableNames(const StructType& schema, std::vector<std::string>& names) {
  for (const StructField& field : schema) {
    if (HasUnwritableCharacter(field.name)) names.push_back(field.name);
    if (field.type.is(TypeId::kStruct)) CollectUnwritableNames(field.type.fields(), names);
  }
}

Result<std::vector<std::string>> PartitionColumns(const StructType& schema, const std::vector<std::string>& wanted) {
  std::vector<std::string> columns;
  for (const std::string& name : wanted) {
    const StructField* field = schema.Find(name);
    if (field == nullptr) {
      std::string known;
      for (const StructField& candidate : schema) {
        known += (known.empty() ? "" : ", ") + QuotedIdentifier(std::vector<std::string>{candidate.name});
      }
      return Error(ErrorClass::DELTA_INVALID_PARTITION_COLUMN, {{"columnName", name}, {"tableName", known}});
    }
    if (field->type.is_nested() || field->type.is(TypeId::kVariant)) {
      return Error(ErrorClass::INVALID_PARTITION_COLUMN_DATA_TYPE, {{"type", field->type.SqlString()}});
    }
    columns.push_back(field->name);
  }
  if (!columns.empty() && columns.size() == schema.size()) return Error(ErrorClass::ALL_PARTITION_COLUMNS_NOT_ALLOWED);
  return columns;
}

bool Contains(const DataType& type, TypeId id) {
  if (type.is(id)) return true;
  if (type.is(TypeId::kArray)) return Contains(type.element(), id);
  if (type.is(TypeId::kMap)) return Contains(type.key(), id) || Contains(type.value(), id);
  if (!type.is(TypeId::kStruct)) return false;
  return std::ranges::any_of(type.fields(), [id](const StructField& field) { return Contains(field.type, id); });
}

bool HasMetadata(const StructType& schema, std::string_view key) {
  return std::ranges::any_of(schema, [key](const StructField& field) { return field.metadata.contains(key); });
}

}  // namespace

Protocol DefaultProtocol() {
  Protocol protocol;
  protocol.min_reader_version = 1;
  protocol.min_writer_version = 2;
  return protocol;
}

std::vector<std::string> RequiredFeatures(const StructType& schema, const StringMap& configuration) {
  std::vector<std::string> features;
  const TableProperties properties(configuration);
  const DataType row = DataType::Struct(schema);
  if (Contains(row, TypeId::kTimestampNtz)) features.emplace_back("timestampNtz");
  if (Contains(row, TypeId::kVariant)) features.emplace_back("variantType");
  if (HasMetadata(schema, "delta.generationExpression")) features.emplace_back("generatedColumns");
  if (HasMetadata(schema, "delta.identity.start")) features.emplace_back("identityColumns");
  if (!properties.constraints().empty()) features.emplace_back("checkConstraints");
  if (properties.enable_change_data_feed()) features.emplace_back("changeDataFeed");
  if (properties.column_mapping_mode() != ColumnMappingMode::kNone) features.emplace_back("columnMapping");
  if (properties.enable_deletion_vectors()) features.emplace_back("deletionVectors");
  if (properties.enable_row_tracking()) {
    features.emplace_back("rowTracking");
    features.emplace_back("domainMetadata");
  }
  if (properties.enable_type_widening()) features.emplace_back("typeWidening");
  if (properties.enable_in_commit_timestamps()) features.emplace_back("inCommitTimestamp");
  if (properties.v2_checkpoint_policy()) features.emplace_back("v2Checkpoint");
  return features;
}

Result<StructType> SchemaOfColumns(StatementContext& context, const std::vector<plan::ColumnDefinition>& columns) {
  (void)context;
  StructType schema;
  for (const plan::ColumnDefinition& column : columns) {
    StructField field{column.name.back(), column.type, column.nullable, {}};
    if (column.comment) field.metadata["comment"] = JsonText(*column.comment);
    if (column.default_value) {
      field.metadata["CURRENT_DEFAULT"] = JsonText(column.default_value->text);
      field.metadata["EXISTS_DEFAULT"] = JsonText(column.default_value->text);
    }
    if (column.generated) field.metadata["delta.generationExpression"] = JsonText(column.generated->text);
    if (column.identity) {
      field.metadata["delta.identity.start"] = std::to_string(column.identity->start.value_or(1));
      field.metadata["delta.identity.step"] = std::to_string(column.identity->step.value_or(1));
      field.metadata["delta.identity.allowExplicitInsert"] = column.identity->always ? "false" : "true";
    }
    schema.Add(std::move(field));
  }
  MERGANSER_RETURN_IF_ERROR(CheckUniqueNames(schema));
  return schema;
}

Result<TableDefinition> DefineTable(StatementContext& context, StructType schema,
                                    const std::vector<std::string>& partition_by, const plan::Options& properties) {
  MERGANSER_RETURN_IF_ERROR(CheckUniqueNames(schema));
  TableDefinition table;
  MERGANSER_ASSIGN_OR_RETURN(const PropertyMap checked, NewTableProperties(properties, context.conf));
  Protocol wanted = DefaultProtocol();
  std::vector<std::string> features;
  for (const auto& [key, value] : checked) {
    if (key.starts_with(kFeaturePrefix)) {
      features.push_back(key.substr(kFeaturePrefix.size()));
    } else if (key == "delta.minReaderVersion") {
      wanted.min_reader_version = std::max(wanted.min_reader_version, static_cast<int32_t>(std::stol(value)));
    } else if (key == "delta.minWriterVersion") {
      wanted.min_writer_version = std::max(wanted.min_writer_version, static_cast<int32_t>(std::stol(value)));
    } else if (!IsProtocolProperty(key)) {
      table.metadata.configuration[key] = value;
    }
  }
  if (wanted.min_writer_version == kTableFeaturesWriterVersion) wanted.writer_features.emplace();
  if (wanted.min_reader_version == kTableFeaturesReaderVersion) wanted.reader_features.emplace();
  MERGANSER_ASSIGN_OR_RETURN(table.metadata.partition_columns, PartitionColumns(schema, partition_by));

  const TableProperties typed(table.metadata.configuration);
  if (typed.column_mapping_mode() != ColumnMappingMode::kNone) {
    MappedSchema mapped = AssignColumnMapping(schema, 0, PhysicalNaming::kUnique, [] { return RandomUuid(); });
    schema = std::move(mapped.schema);
    table.metadata.configuration["delta.columnMapping.maxColumnId"] = std::to_string(mapped.max_column_id);
  } else {
    std::vector<std::string> names;
    CollectUnwritableNames(schema, names);
    if (!names.empty()) {
      std::string list;
      for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
      return Error(ErrorClass::DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES, {{"invalidColumnNames", list}});
    }
  }
  const auto required = RequiredFeatures(schema, table.metadata.configuration);
  features.insert(features.end(), required.begin(), required.end());
  if (HasMetadata(schema, "CURRENT_DEFAULT") &&
      std::ranges::find(features, "allowColumnDefaults") == features.end()) {
    return Error(ErrorClass::WRONG_COLUMN_DEFAULTS_FOR_DELTA_FEATURE_NOT_ENABLED, {{"commandType", "CREATE TABLE"}});
  }
  MERGANSER_ASSIGN_OR_RETURN(table.protocol, WithFeatures(wanted, features));

  table.metadata.id = RandomUuid();
  table.metadata.schema_string = ToSchemaJson(schema);
  table.metadata.created_time = context.clock.NowMillis();
  table.schema = std::move(schema);
  return table;
}

}  // namespace merganser
