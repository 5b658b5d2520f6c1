#include "merganser/delta/transaction/iceberg_compat.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "merganser/base/quoted_identifier.h"
#include "merganser/delta/protocol/statistics.h"
#include "merganser/delta/protocol/table_features.h"
#include "merganser/delta/schema/schema_json.h"
#include "merganser/delta/schema/tree_text.h"
#include "merganser/delta/schema/type_name.h"
#include "merganser/delta/schema/type_widening.h"

namespace merganser {
namespace {

constexpr const char* kEnabled = "delta.enableIcebergCompatV";
constexpr int kLastVersion = 3;

Error Violation(int version, std::string_view sub_class, Error::Parameters parameters = {}) {
  parameters["version"] = std::to_string(version);
  return Error(ErrorClass::DELTA_ICEBERG_COMPAT_VIOLATION, std::move(parameters),
               std::string(sub_class));
}

Error WrongProperty(int version, const char* key, std::string required, std::string actual) {
  return Violation(version, "WRONG_REQUIRED_TABLE_PROPERTY",
                   {{"key", key}, {"requiredValue", std::move(required)}, {"actualValue", actual}});
}

/// How the reference prints the mode in its error.
std::string Shown(ColumnMappingMode mode) {
  return mode == ColumnMappingMode::kNone ? "NoMapping" : std::string(ToString(mode));
}

int EnabledVersions(const TableProperties& properties) {
  int count = 0;
  for (int version = 1; version <= kLastVersion; ++version) {
    const std::string key = kEnabled + std::to_string(version);
    const auto value = properties.Find(key);
    if (!value) continue;
    count += TableProperties(StringMap{{key, std::string(*value)}}).iceberg_compat_version() > 0;
  }
  return count;
}

/// The first type, from the outside in, that `is_wrong` says so of.
std::optional<DataType> FindType(const DataType& type,
                                 const std::function<bool(const DataType&)>& is_wrong) {
  if (is_wrong(type)) return type;
  switch (type.id()) {
    case TypeId::kArray:
      return FindType(type.element(), is_wrong);
    case TypeId::kMap:
      if (auto key = FindType(type.key(), is_wrong)) return key;
      return FindType(type.value(), is_wrong);
    case TypeId::kStruct:
      for (const StructField& field : type.fields()) {
        if (auto found = FindType(field.type, is_wrong)) return found;
      }
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

/// Can version `version` not say what type this is?
bool IsUnknown(int version, const DataType& type) {
  switch (type.id()) {
    case TypeId::kNull:
      return true;
    case TypeId::kArray:
    case TypeId::kMap:
      return version == 1;
    case TypeId::kVariant:
      return version == 2;
    default:
      return version > 1 && type.is_interval();
  }
}

std::string NameOf(const DataType& type) {
  if (type.is(TypeId::kArray)) return "array";
  return type.is(TypeId::kMap) ? "map" : TypeName(type);
}

Status CheckTypes(int version, const StructType& schema) {
  const auto unknown = FindType(DataType::Struct(schema), [version](const DataType& type) {
    return IsUnknown(version, type);
  });
  if (!unknown) return Status::Ok();
  return Violation(version, "UNSUPPORTED_DATA_TYPE",
                   {{"dataType", NameOf(*unknown)}, {"schema", TreeText(schema)}});
}

/// Promotions of types that Iceberg knows ("Writer Requirements for Type Widening").
bool IsFollowed(const TypeChange& change) {
  const DataType& from = change.from;
  const DataType& to = change.to;
  if (from.is_integral() && to.is_integral()) return from.id() <= to.id();
  if (from.is(TypeId::kFloat) && to.is(TypeId::kDouble)) return true;
  return from.is(TypeId::kDecimal) && to.is(TypeId::kDecimal) && from.scale() == to.scale() &&
         from.precision() <= to.precision();
}

Status CheckWidening(int version, const Protocol& protocol, const StructType& schema) {
  if (!SupportsFeature(protocol, "typeWidening") &&
      !SupportsFeature(protocol, "typeWidening-preview")) {
    return Status::Ok();
  }
  MERGANSER_ASSIGN_OR_RETURN(const auto changes, RecordedTypeChanges(schema));
  for (const TypeChange& change : changes) {
    const bool is_widening =
        !change.from.SameType(change.to) && IsTypeChangeSupported(change.from, change.to);
    if (!is_widening || IsFollowed(change)) continue;
    return Violation(version, "UNSUPPORTED_TYPE_WIDENING",
                     {{"fieldPath", QuotedIfNeeded(change.path)},
                      {"prevType", "\"" + change.from.SqlString() + "\""},
                      {"newType", "\"" + change.to.SqlString() + "\""}});
  }
  return Status::Ok();
}

bool WritesDeletionVectors(const Protocol& protocol, const TableProperties& properties) {
  return SupportsFeature(protocol, "deletionVectors") && properties.enable_deletion_vectors();
}

/// Iceberg has no such vectors before version 3.
Status CheckDeletionVectors(int version, const IcebergCompatCommit& commit,
                            const TableProperties& properties) {
  if (version > 2) return Status::Ok();
  const bool wrote = commit.before != nullptr &&
                     WritesDeletionVectors(commit.before->protocol(), commit.before->properties());
  const bool supports = SupportsFeature(*commit.protocol, "deletionVectors");
  if (!supports || !(wrote || WritesDeletionVectors(*commit.protocol, properties)))
    return Status::Ok();
  return Violation(version, "DELETION_VECTORS_SHOULD_BE_DISABLED");
}

std::string Listed(const std::vector<std::string>& names) {
  std::string text = "(";
  for (const std::string& name : names) text += (text.size() > 1 ? "," : "") + name;
  return text + ")";
}

/// A table may start to be partitioned, but not change what it is partitioned by.
Status CheckPartitions(int version, const IcebergCompatCommit& commit) {
  if (commit.before == nullptr || commit.before->partition_columns().empty()) return Status::Ok();
  const auto& before = commit.before->partition_columns();
  if (before == commit.metadata->partition_columns) return Status::Ok();
  return Violation(version, "REPLACE_TABLE_CHANGE_PARTITION_NAMES",
                   {{"prevPartitionSpec", Listed(before)},
                    {"newPartitionSpec", Listed(commit.metadata->partition_columns)}});
}

Status CheckRecordCounts(int version, const std::vector<AddFile>& added) {
  for (const AddFile& file : added) {
    if (ParseNumRecords(file.stats.value_or(""))) continue;
    return Violation(version, "FILE_WITHOUT_RECORD_COUNT", {{"path", file.path}});
  }
  return Status::Ok();
}

}  // namespace

Status CheckIcebergProperties(const TableProperties& properties) {
  const int version = properties.iceberg_compat_version();
  if (version == 0) return Status::Ok();
  const ColumnMappingMode mode = properties.column_mapping_mode();
  if (mode == ColumnMappingMode::kNone)
    return WrongProperty(version, "delta.columnMapping.mode", "name", Shown(mode));
  if (version == 3 && !properties.enable_row_tracking())
    return WrongProperty(version, "delta.enableRowTracking", "true", "false");
  return Status::Ok();
}

Status CheckIcebergCompat(const IcebergCompatCommit& commit) {
  const TableProperties properties(commit.metadata->configuration);
  const int version = properties.iceberg_compat_version();
  const int old_version =
      commit.before == nullptr ? 0 : commit.before->properties().iceberg_compat_version();
  if (old_version == 3 && version != 3) return Violation(old_version, "CANNOT_DISABLE");
  if (version == 0) return Status::Ok();
  MERGANSER_RETURN_IF_ERROR(CheckIcebergProperties(properties));
  if (EnabledVersions(properties) > 1) return Violation(version, "VERSION_MUTUAL_EXCLUSIVE");
  MERGANSER_RETURN_IF_ERROR(CheckRecordCounts(version, *commit.added));
  MERGANSER_ASSIGN_OR_RETURN(const StructType schema,
                             ParseSchemaJson(commit.metadata->schema_string));
  MERGANSER_RETURN_IF_ERROR(CheckTypes(version, schema));
  MERGANSER_RETURN_IF_ERROR(CheckPartitions(version, commit));
  MERGANSER_RETURN_IF_ERROR(CheckDeletionVectors(version, commit, properties));
  return CheckWidening(version, *commit.protocol, schema);
}

Status CheckUniversalFormat(const TableProperties& properties) {
  const auto formats = properties.Find("delta.universalFormat.enabledFormats");
  if (!formats || formats->find("iceberg") == std::string_view::npos) return Status::Ok();
  if (properties.iceberg_compat_version() == 0) {
    return Error(ErrorClass::DELTA_UNIVERSAL_FORMAT_VIOLATION,
                 {{"format", "iceberg"}, {"violation", "no IcebergCompat is enabled"}});
  }
  return Error(ErrorClass::DELTA_MISSING_ICEBERG_CLASS, {{"docLink", "docs/features.md"}});
}

}  // namespace merganser
