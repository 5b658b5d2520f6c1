#include "merganser/commands/clustering.h"

#include <algorithm>
#include <utility>

#include <fmt/ranges.h>

#include "merganser/base/json.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/delta/protocol/statistics.h"
#include "merganser/delta/schema/column_mapping.h"

namespace merganser {
namespace {

constexpr size_t kMaxColumns = 4;

/// The fields along a path of logical names, or of physical ones if `mode` is given; empty if there
/// is none.
std::vector<const StructField*> FieldsAlong(const StructType& schema, const ColumnPath& path,
                                            const ColumnMappingMode* physical = nullptr) {
  std::vector<const StructField*> fields;
  const StructType* level = &schema;
  for (const std::string& name : path) {
    const StructField* found = nullptr;
    if (level != nullptr && physical == nullptr) found = level->Find(name);
    if (level != nullptr && physical != nullptr) {
      for (const StructField& field : *level) {
        if (PhysicalName(field, *physical) == name) found = &field;
      }
    }
    if (found == nullptr) return {};
    fields.push_back(found);
    level = found->type.is(TypeId::kStruct) ? &found->type.fields() : nullptr;
  }
  return fields;
}

ColumnPath NamesOf(const std::vector<const StructField*>& fields) {
  ColumnPath path;
  for (const StructField* field : fields) path.push_back(field->name);
  return path;
}

Error NotFound(const ColumnPath& path, const StructType& schema) {
  return Error(ErrorClass::DELTA_COLUMN_NOT_FOUND_IN_SCHEMA,
               {{"columnName", QuotedIfNeeded(path)},
                {"tableSchema", DataType::Struct(schema).CatalogString()}});
}

/// Statistics tell clusters apart, so only types that have bounds will do.
bool HasBounds(const DataType& type) {
  switch (type.id()) {
    case TypeId::kByte:
    case TypeId::kShort:
    case TypeId::kInteger:
    case TypeId::kLong:
    case TypeId::kFloat:
    case TypeId::kDouble:
    case TypeId::kDecimal:
    case TypeId::kString:
    case TypeId::kChar:
    case TypeId::kVarchar:
    case TypeId::kDate:
    case TypeId::kTimestamp:
    case TypeId::kTimestampNtz:
      return true;
    default:
      return false;
  }
}

Status CheckStatistics(const std::vector<ColumnPath>& columns, const StructType& schema,
                       const std::vector<std::string>& partition_columns,
                       const TableProperties& properties) {
  const auto with_statistics = StatisticsColumns(schema, partition_columns, properties);
  const ColumnMappingMode mode = properties.column_mapping_mode();
  std::vector<std::string> missing;
  for (const ColumnPath& column : columns) {
    FieldPath physical;
    for (const StructField* field : FieldsAlong(schema, column))
      physical.push_back(PhysicalName(*field, mode));
    const bool has =
        std::ranges::any_of(with_statistics, [&](const auto& own) { return own.path == physical; });
    if (!has) missing.push_back(QuotedIfNeeded(column));
  }
  if (missing.empty()) return Status::Ok();
  std::string known;
  for (const StatisticsColumn& column : with_statistics)
    known += (known.empty() ? "" : ", ") + QuotedIfNeeded(column.path);
  return Error(ErrorClass::DELTA_CLUSTERING_COLUMN_MISSING_STATS,
               {{"columns", fmt::format("{}", fmt::join(missing, ", "))}, {"schema", known}});
}

}  // namespace

std::vector<ColumnPath> ClusteringColumns(const Snapshot& snapshot) {
  std::vector<ColumnPath> columns;
  const auto domain = snapshot.domain_metadata().find(kClusteringDomain);
  if (domain == snapshot.domain_metadata().end()) return columns;
  const auto json = Json::Parse(domain->second.configuration);
  const Json* paths = json.ok() ? json->find("clusteringColumns") : nullptr;
  if (paths == nullptr || !paths->is_array()) return columns;
  const ColumnMappingMode mode = snapshot.column_mapping_mode();
  for (const Json& parts : paths->items()) {
    ColumnPath physical;
    if (!parts.is_array()) continue;
    for (const Json& part : parts.items())
      physical.push_back(part.is_string() ? part.as_string() : std::string());
    const auto fields = FieldsAlong(snapshot.schema(), physical, &mode);
    columns.push_back(fields.empty() ? physical : NamesOf(fields));
  }
  return columns;
}

Result<std::vector<ColumnPath>> FindClusteringColumns(
    const std::vector<ColumnPath>& wanted, const StructType& schema,
    const std::vector<std::string>& partition_columns, const TableProperties& properties) {
  if (wanted.size() > kMaxColumns) {
    return Error(ErrorClass::DELTA_CLUSTER_BY_INVALID_NUM_COLUMNS,
                 {{"numColumnsLimit", std::to_string(kMaxColumns)},
                  {"actualNumColumns", std::to_string(wanted.size())}});
  }
  std::vector<ColumnPath> columns;
  std::vector<std::string> unsuitable;
  for (const ColumnPath& path : wanted) {
    const auto fields = FieldsAlong(schema, path);
    if (fields.empty()) return NotFound(path, schema);
    ColumnPath column = NamesOf(fields);
    if (std::ranges::find(columns, column) != columns.end()) {
      return Error(ErrorClass::DELTA_DUPLICATE_COLUMNS_FOUND,
                   {{"duplicateCols", QuotedIfNeeded(column)}}, "CLUSTER_BY");
    }
    const DataType& type = fields.back()->type;
    if (!HasBounds(type)) unsuitable.push_back(QuotedIfNeeded(column) + " : " + type.SqlString());
    columns.push_back(std::move(column));
  }
  if (!unsuitable.empty()) {
    return Error(ErrorClass::DELTA_CLUSTERING_COLUMNS_DATATYPE_NOT_SUPPORTED,
                 {{"columnsWithDataTypes", fmt::format("{}", fmt::join(unsuitable, ", "))}});
  }
  MERGANSER_RETURN_IF_ERROR(CheckStatistics(columns, schema, partition_columns, properties));
  return columns;
}

DomainMetadata ClusteringAction(const std::vector<ColumnPath>& columns, const StructType& schema,
                                ColumnMappingMode mode) {
  Json paths = Json::MakeArray();
  for (const ColumnPath& column : columns) {
    Json parts = Json::MakeArray();
    for (const StructField* field : FieldsAlong(schema, column))
      parts.Append(PhysicalName(*field, mode));
    paths.Append(std::move(parts));
  }
  Json configuration = Json::MakeObject();
  configuration["clusteringColumns"] = std::move(paths);
  configuration["domainName"] = kClusteringDomain;
  DomainMetadata action;
  action.domain = std::string(kClusteringDomain);
  action.configuration = configuration.Dump();
  return action;
}

std::vector<std::string> ToStrings(const std::vector<ColumnPath>& columns) {
  std::vector<std::string> names;
  for (const ColumnPath& column : columns) names.push_back(QuotedIfNeeded(column));
  return names;
}

}  // namespace merganser
