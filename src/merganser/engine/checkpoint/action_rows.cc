#include "merganser/engine/checkpoint/action_rows.h"

#include <string_view>
#include <utility>

#include "merganser/delta/schema/partition_value.h"
#include "merganser/engine/engine_value.h"
#include "merganser/engine/logical_type.h"

namespace merganser::engine {
namespace {

using duckdb::FlatVector;
using duckdb::idx_t;
using duckdb::Vector;

/// Sets the fields of one struct value, in the order of its type. What is passed over becomes NULL.
class StructRow {
 public:
  StructRow(Vector& vector, const DataType& type, idx_t row)
      : vector_(vector), type_(type), row_(row) {}

  /// The next field, which has to be called `name`.
  Vector& Next(std::string_view name) {
    while (type_.fields()[position_].name != name)
      FlatVector::SetNull(Field(position_++), row_, true);
    return Field(position_++);
  }
  const DataType& type() const { return type_.fields()[position_ - 1].type; }
  idx_t row() const { return row_; }

  void Text(std::string_view name, std::string_view value) { SetText(Next(name), row_, value); }
  void Text(std::string_view name, const std::string& value) { SetText(Next(name), row_, value); }
  void Text(std::string_view name, const std::optional<std::string>& value) {
    Vector& field = Next(name);
    if (value) {
      SetText(field, row_, *value);
    } else {
      FlatVector::SetNull(field, row_, true);
    }
  }
  template <typename T>
  void Number(std::string_view name, T value) {
    FlatVector::GetData<T>(Next(name))[row_] = value;
  }
  template <typename T>
  void Number(std::string_view name, const std::optional<T>& value) {
    Vector& field = Next(name);
    if (value) {
      FlatVector::GetData<T>(field)[row_] = *value;
    } else {
      FlatVector::SetNull(field, row_, true);
    }
  }
  void List(std::string_view name, const std::optional<std::vector<std::string>>& values) {
    Vector& field = Next(name);
    if (!values) return SetNullList(field);
    const idx_t start = Grow(field, values->size());
    Vector& elements = duckdb::ListVector::GetEntry(field);
    for (idx_t i = 0; i < values->size(); ++i) SetText(elements, start + i, (*values)[i]);
  }
  /// `pairs` is a range of (key, value) with values that are texts or optional texts.
  template <typename Pairs>
  void Map(std::string_view name, const std::optional<Pairs>& pairs) {
    Vector& field = Next(name);
    if (!pairs) return SetNullList(field);
    const idx_t start = Grow(field, pairs->size());
    idx_t i = start;
    for (const auto& [key, value] : *pairs) {
      SetText(duckdb::MapVector::GetKeys(field), i, key);
      SetMapValue(duckdb::MapVector::GetValues(field), i++, value);
    }
  }
  void Descriptor(const std::optional<DeletionVectorDescriptor>& descriptor) {
    Vector& field = Next("deletionVector");
    if (!descriptor) return FlatVector::SetNull(field, row_, true);
    StructRow fields(field, type(), row_);
    const char storage = static_cast<char>(descriptor->storage);
    fields.Text("storageType", std::string_view(&storage, 1));
    fields.Text("pathOrInlineDv", descriptor->path_or_inline_dv);
    fields.Number("offset", descriptor->offset);
    fields.Number("sizeInBytes", descriptor->size_in_bytes);
    fields.Number("cardinality", descriptor->cardinality);
    fields.Number("maxRowIndex", descriptor->max_row_index);
  }

 private:
  static void SetText(Vector& vector, idx_t row, std::string_view text) {
    FlatVector::GetData<duckdb::string_t>(vector)[row] =
        duckdb::StringVector::AddString(vector, text.data(), text.size());
  }
  static void SetMapValue(Vector& vector, idx_t row, const std::string& value) {
    SetText(vector, row, value);
  }
  static void SetMapValue(Vector& vector, idx_t row, const std::optional<std::string>& value) {
    if (value) {
      SetText(vector, row, *value);
    } else {
      FlatVector::SetNull(vector, row, true);
    }
  }
  // Room for `size` more elements; returns the first.
  idx_t Grow(Vector& list, idx_t size) const {
    const idx_t start = duckdb::ListVector::GetListSize(list);
    duckdb::ListVector::Reserve(list, start + size);
    duckdb::ListVector::SetListSize(list, start + size);
    FlatVector::GetData<duckdb::list_entry_t>(list)[row_] = {start, size};
    return start;
  }
  void SetNullList(Vector& list) const {
    FlatVector::GetData<duckdb::list_entry_t>(list)[row_] = {0, 0};
    FlatVector::SetNull(list, row_, true);
  }
  Vector& Field(size_t position) { return *duckdb::StructVector::GetEntries(vector_)[position]; }

  Vector& vector_;
  const DataType& type_;
  idx_t row_;
  size_t position_ = 0;
};

// The leaf of `vector` that `path` leads to.
std::pair<Vector*, DataType> FindLeaf(Vector* vector, DataType type, const FieldPath& path) {
  for (const std::string& name : path) {
    const auto position = static_cast<size_t>(type.fields().IndexOf(name, true));
    vector = duckdb::StructVector::GetEntries(*vector)[position].get();
    type = DataType(type.fields()[position].type);
  }
  return {vector, type};
}

// All leaves NULL, the structs around them present.
void SetLeavesNull(Vector& vector, const DataType& type, idx_t row) {
  if (!type.is(TypeId::kStruct)) return FlatVector::SetNull(vector, row, true);
  for (size_t i = 0; i < type.fields().size(); ++i) {
    SetLeavesNull(*duckdb::StructVector::GetEntries(vector)[i], type.fields()[i].type, row);
  }
}

void SetScalar(Vector* group, const DataType& type, const FieldPath& path, idx_t row,
               const std::optional<Scalar>& value) {
  if (!value) return;
  const auto [leaf, leaf_type] = FindLeaf(group, type, path);
  // A NULL here would reach the engine's SetValue as NULL of another type.
  const duckdb::Value converted = ToEngineValue(*value, leaf_type);
  if (converted.IsNull()) return;
  FlatVector::SetNull(*leaf, row, false);
  leaf->SetValue(row, converted);
}

}  // namespace

ActionRows::ActionRows(const CheckpointColumns& columns, Flush flush)
    : columns_(columns), schema_(CheckpointSchema(columns)), flush_(std::move(flush)) {
  duckdb::vector<duckdb::LogicalType> types;
  for (const StructField& field : schema_) types.push_back(ToLogicalType(field.type));
  chunk_.Initialize(duckdb::Allocator::DefaultAllocator(), types);
}

Vector* ActionRows::StartRow(std::string_view name) {
  const int position = schema_.IndexOf(name, true);
  if (position < 0) return nullptr;
  for (size_t i = 0; i < schema_.size(); ++i) {
    if (static_cast<int>(i) != position) FlatVector::SetNull(chunk_.data[i], row_, true);
  }
  return &chunk_.data[static_cast<size_t>(position)];
}

void ActionRows::EndRow() {
  ++num_rows_;
  if (++row_ == STANDARD_VECTOR_SIZE) Finish();
}

void ActionRows::Finish() {
  if (row_ == 0) return;
  chunk_.SetCardinality(row_);
  flush_(chunk_);
  chunk_.Reset();
  row_ = 0;
}

void ActionRows::Visit(const Protocol& action) {
  Vector* column = StartRow("protocol");
  if (column == nullptr) return;
  StructRow row(*column, schema_.Find("protocol", true)->type, row_);
  row.Number("minReaderVersion", action.min_reader_version);
  row.Number("minWriterVersion", action.min_writer_version);
  row.List("readerFeatures", action.reader_features);
  row.List("writerFeatures", action.writer_features);
  EndRow();
}

void ActionRows::Visit(const Metadata& action) {
  Vector* column = StartRow("metaData");
  if (column == nullptr) return;
  StructRow row(*column, schema_.Find("metaData", true)->type, row_);
  row.Text("id", action.id);
  row.Text("name", action.name);
  row.Text("description", action.description);
  Vector& format_vector = row.Next("format");
  StructRow format(format_vector, row.type(), row_);
  format.Text("provider", action.format.provider);
  format.Map("options", std::optional(action.format.options));
  row.Text("schemaString", action.schema_string);
  row.List("partitionColumns", std::optional(action.partition_columns));
  row.Map("configuration", std::optional(action.configuration));
  row.Number("createdTime", action.created_time);
  EndRow();
}

void ActionRows::Visit(const AddFile& action) {
  Vector* column = StartRow("add");
  if (column == nullptr) return;
  StructRow row(*column, schema_.Find("add", true)->type, row_);
  row.Text("path", action.path);
  row.Map("partitionValues", std::optional(action.partition_values));
  row.Number("size", action.size);
  row.Number("modificationTime", action.modification_time);
  row.Number("dataChange", action.data_change);
  if (columns_.stats) row.Text("stats", action.stats);
  row.Map("tags", action.tags);
  row.Descriptor(action.deletion_vector);
  row.Number("baseRowId", action.base_row_id);
  row.Number("defaultRowCommitVersion", action.default_row_commit_version);
  row.Text("clusteringProvider", action.clustering_provider);
  if (!columns_.partition_values_parsed.empty()) {
    Vector& parsed = row.Next("partitionValues_parsed");
    SetLeavesNull(parsed, row.type(), row_);
    for (const auto& [name, text] : action.partition_values) {
      const StructField* field = columns_.partition_values_parsed.Find(name);
      if (field == nullptr) continue;
      if (const auto value = ParsePartitionValue(field->type, text);
          value.ok() && !value->is_null()) {
        SetScalar(&parsed, row.type(), {field->name}, row_, *value);
      }
    }
  }
  if (!columns_.stats_parsed.empty()) {
    Vector& parsed = row.Next("stats_parsed");
    SetParsedStatistics(parsed, row.type(), action);
  }
  EndRow();
}

void ActionRows::SetParsedStatistics(Vector& parsed, const DataType& type, const AddFile& action) {
  const auto statistics = ParseStatistics(action.stats.value_or(""), columns_.stats_parsed);
  if (!statistics) return FlatVector::SetNull(parsed, row_, true);
  SetLeavesNull(parsed, type, row_);
  const auto group = [&](const char* name) { return FindLeaf(&parsed, type, {name}); };
  if (statistics->num_records)
    SetScalar(&parsed, type, {"numRecords"}, row_, Scalar::Long(*statistics->num_records));
  if (statistics->tight_bounds)
    SetScalar(&parsed, type, {"tightBounds"}, row_, Scalar::Boolean(*statistics->tight_bounds));
  const bool has_bounds = type.fields().IndexOf("minValues", true) >= 0;
  for (const ColumnStatistics& column : statistics->columns) {
    if (has_bounds && (column.min || column.max)) {
      const auto [min, min_type] = group("minValues");
      SetScalar(min, min_type, column.path, row_, column.min);
      const auto [max, max_type] = group("maxValues");
      SetScalar(max, max_type, column.path, row_, column.max);
    }
    if (column.null_count) {
      const auto [nulls, null_type] = group("nullCount");
      SetScalar(nulls, null_type, column.path, row_, Scalar::Long(*column.null_count));
    }
  }
}

void ActionRows::Visit(const RemoveFile& action) {
  Vector* column = StartRow("remove");
  if (column == nullptr) return;
  StructRow row(*column, schema_.Find("remove", true)->type, row_);
  row.Text("path", action.path);
  row.Number("deletionTimestamp", action.deletion_timestamp);
  row.Number("dataChange", action.data_change);
  row.Number("extendedFileMetadata", action.extended_file_metadata);
  row.Map("partitionValues", action.partition_values);
  row.Number("size", action.size);
  row.Descriptor(action.deletion_vector);
  row.Number("baseRowId", action.base_row_id);
  row.Number("defaultRowCommitVersion", action.default_row_commit_version);
  EndRow();
}

void ActionRows::Visit(const SetTransaction& action) {
  Vector* column = StartRow("txn");
  if (column == nullptr) return;
  StructRow row(*column, schema_.Find("txn", true)->type, row_);
  row.Text("appId", action.app_id);
  row.Number("version", action.version);
  row.Number("lastUpdated", action.last_updated);
  EndRow();
}

void ActionRows::Visit(const DomainMetadata& action) {
  Vector* column = StartRow("domainMetadata");
  if (column == nullptr) return;
  StructRow row(*column, schema_.Find("domainMetadata", true)->type, row_);
  row.Text("domain", action.domain);
  row.Text("configuration", action.configuration);
  row.Number("removed", action.removed);
  EndRow();
}

void ActionRows::Visit(const CheckpointMetadata& action) {
  Vector* column = StartRow("checkpointMetadata");
  if (column == nullptr) return;
  StructRow row(*column, schema_.Find("checkpointMetadata", true)->type, row_);
  row.Number("version", action.version.value());
  row.Map("tags", action.tags);
  EndRow();
}

void ActionRows::Visit(const Sidecar& action) {
  Vector* column = StartRow("sidecar");
  if (column == nullptr) return;
  StructRow row(*column, schema_.Find("sidecar", true)->type, row_);
  row.Text("path", action.path);
  row.Number("sizeInBytes", action.size_in_bytes);
  row.Number("modificationTime", action.modification_time);
  row.Map("tags", action.tags);
  EndRow();
}

}  // namespace merganser::engine
