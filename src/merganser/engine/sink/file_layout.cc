#include "merganser/engine/sink/file_layout.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <duckdb/parallel/task_scheduler.hpp>
#include <duckdb/storage/buffer_manager.hpp>

#include "merganser/delta/schema/column_mapping.h"
#include "merganser/delta/schema/holds_type.h"
#include "merganser/delta/schema/nested_field_ids.h"
#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/logical_type.h"
#include "merganser/engine/variant/stored_variant.h"

namespace merganser::engine {
namespace {

using duckdb::Value;

// Beyond this many distinct values a column chunk is written plainly. Trying longer costs more time
// than the bytes it saves.
constexpr int64_t kDictionaryEntries = 4096;

// The member by which the engine's option tree says the id of a node itself.
constexpr const char* kOwnId = "__duckdb_field_id";

// A place in the schema: inside of which field, and how that calls it (see NestedFieldPath).
struct Place {
  const StructField& field;
  std::string path;
};

// Ids of the fields below a type, nothing if there are none.
std::optional<Value> ChildIds(const DataType& type, const Place& place, ColumnMappingMode mode);

std::optional<Value> NodeIds(std::optional<int64_t> id, const DataType& type, const Place& place,
                             ColumnMappingMode mode) {
  std::optional<Value> below = ChildIds(type, place, mode);
  if (!id) return below;
  Value own = Value::INTEGER(static_cast<int32_t>(*id));
  if (!below) return own;
  duckdb::child_list_t<Value> members = {{kOwnId, own}};
  const auto& children = duckdb::StructValue::GetChildren(*below);
  for (size_t i = 0; i < children.size(); ++i) {
    members.emplace_back(duckdb::StructType::GetChildName(below->type(), i), children[i]);
  }
  return Value::STRUCT(std::move(members));
}

std::optional<Value> FieldIds(const StructType& fields, ColumnMappingMode mode) {
  duckdb::child_list_t<Value> members;
  for (const StructField& field : fields) {
    const std::string name = PhysicalName(field, mode);
    if (auto ids = NodeIds(FieldId(field), field.type, {field, name}, mode))
      members.emplace_back(name, *ids);
  }
  if (members.empty()) return std::nullopt;
  return Value::STRUCT(std::move(members));
}

std::optional<Value> ChildIds(const DataType& type, const Place& place, ColumnMappingMode mode) {
  duckdb::child_list_t<Value> members;
  const auto add = [&](const char* name, const DataType& child) {
    const Place inside{place.field, NestedFieldPath(place.path, name)};
    const auto id = NestedFieldId(place.field, inside.path);
    if (auto ids = NodeIds(id, child, inside, mode)) members.emplace_back(name, *ids);
  };
  switch (type.id()) {
    case TypeId::kStruct:
      return FieldIds(type.fields(), mode);
    case TypeId::kArray:
      add("element", type.element());
      break;
    case TypeId::kMap:
      add("key", type.key());
      add("value", type.value());
      break;
    default:
      break;
  }
  if (members.empty()) return std::nullopt;
  return Value::STRUCT(std::move(members));
}

std::string Extension(const std::string& compression) {
  if (compression == "uncompressed") return ".parquet";
  if (compression == "gzip") return ".gz.parquet";
  return "." + compression + ".parquet";
}

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& other) {
    return duckdb::StringUtil::CIEquals(other, name);
  });
}

// Every thread encodes one at a time, which takes several times its size; so does reading it again.
uint64_t RowGroupBytes(duckdb::ClientContext& context) {
  constexpr uint64_t kLeast = 4 << 20;
  constexpr uint64_t kMost = 128 << 20;
  const auto threads =
      static_cast<uint64_t>(duckdb::TaskScheduler::GetScheduler(context).NumberOfThreads());
  const uint64_t memory = duckdb::BufferManager::GetBufferManager(context).GetMaxMemory();
  return std::clamp(memory / (8 * threads), kLeast, kMost);
}

}  // namespace

FileLayout::FileLayout(duckdb::ClientContext& context, const SinkSpec& spec,
                       const SinkFamily& family)
    : row_group_bytes_(RowGroupBytes(context)), extension_(Extension(spec.compression)) {
  StructType stored;
  std::vector<size_t> partitions;
  for (size_t i = 0; i < family.schema.size(); ++i) {
    const StructField& field = family.schema[i];
    if (field.type.is(TypeId::kNull)) continue;
    auto& columns = Contains(family.partition_columns, field.name) ? partitions : stored_columns_;
    columns.push_back(i);
  }
  if (family.write_partition_columns)
    stored_columns_.insert(stored_columns_.end(), partitions.begin(), partitions.end());
  for (const size_t i : stored_columns_) {
    const StructField& field = family.schema[i];
    variants_.push_back(HoldsType(field.type, TypeId::kVariant));
    stored.Add(field);
    if (variants_.back()) stored.fields().back().type = StoredForm(field.type);
  }
  for (const std::string& name : family.partition_columns) {
    const int position = family.schema.IndexOf(name);
    if (position < 0) ThrowError(Error::Internal("No column for the partition column " + name));
    partition_columns_.push_back(static_cast<size_t>(position));
  }
  physical_schema_ = ToPhysicalSchema(stored, family.column_mapping);

  duckdb::vector<duckdb::string> names;
  for (const StructField& field : physical_schema_) {
    names.push_back(field.name);
    types_.push_back(ToLogicalType(field.type));
  }
  ParquetOptions options;
  options["compression"] = Value(spec.compression);
  options["row_group_size"] = Value::UBIGINT(static_cast<uint64_t>(spec.row_group_rows));
  options["dictionary_size_limit"] = Value::BIGINT(kDictionaryEntries);
  if (family.column_mapping != ColumnMappingMode::kNone) {
    if (auto ids = FieldIds(stored, family.column_mapping)) options["field_ids"] = *ids;
  }
  copy_ = BindParquetCopy(context, names, types_, options);
  options["dictionary_size_limit"] = Value::BIGINT(0);
  plain_copy_ = BindParquetCopy(context, names, types_, options);
}

}  // namespace merganser::engine
