#include "merganser/engine/checkpoint/action_reader.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "merganser/engine/checkpoint/parsed_statistics.h"
#include "merganser/engine/checkpoint/vector_column.h"

namespace merganser::engine {
namespace {

using duckdb::idx_t;

bool HasValue(const VectorColumn* column, idx_t row) {
  return column != nullptr && !column->IsNull(row);
}

// Each reads a field that may be missing, null, which is the same as NULL.

std::optional<std::string> Text(const VectorColumn* field, idx_t row) {
  if (!HasValue(field, row)) return std::nullopt;
  return std::string(field->Bytes(row));
}

std::optional<int64_t> Long(const VectorColumn* field, idx_t row) {
  if (!HasValue(field, row)) return std::nullopt;
  return field->Int64(row);
}

std::optional<int32_t> Int(const VectorColumn* field, idx_t row) {
  const auto value = Long(field, row);
  if (!value) return std::nullopt;
  return static_cast<int32_t>(*value);
}

std::optional<bool> Bool(const VectorColumn* field, idx_t row) {
  if (!HasValue(field, row)) return std::nullopt;
  return field->Bool(row);
}

std::optional<std::vector<std::string>> List(const VectorColumn* field, idx_t row) {
  if (!HasValue(field, row)) return std::nullopt;
  std::vector<std::string> values;
  const auto range = field->Elements(row);
  for (idx_t i = range.begin; i < range.end; ++i)
    values.push_back(Text(&field->child(0), i).value_or(""));
  return values;
}

std::optional<StringMap> Map(const VectorColumn* field, idx_t row) {
  if (!HasValue(field, row)) return std::nullopt;
  StringMap map;
  const auto range = field->Elements(row);
  for (idx_t i = range.begin; i < range.end; ++i)
    map[Text(&field->child(0), i).value_or("")] = Text(&field->child(1), i).value_or("");
  return map;
}

// Keeps the memory of what `out` held.
void ReadPairs(const VectorColumn& field, idx_t row, PartitionValues* out) {
  const auto range = field.Elements(row);
  out->resize(range.end - range.begin);
  for (idx_t i = range.begin; i < range.end; ++i) {
    auto& [name, value] = (*out)[i - range.begin];
    name.assign(field.child(0).IsNull(i) ? std::string_view() : field.child(0).Bytes(i));
    if (field.child(1).IsNull(i)) {
      value.reset();
    } else if (value) {
      value->assign(field.child(1).Bytes(i));
    } else {
      value.emplace(field.child(1).Bytes(i));
    }
  }
}

/// A struct column; its fields are found once for all rows.
class ActionColumn {
 public:
  /// `column` may be null, which is a column of NULLs.
  explicit ActionColumn(const VectorColumn* column) : column_(column) {}

  bool Has(idx_t row) const { return HasValue(column_, row); }
  /// Null if there is no such field.
  const VectorColumn* Field(std::string_view name) const {
    return column_ == nullptr ? nullptr : column_->Field(name);
  }

 private:
  const VectorColumn* column_;
};

class DescriptorColumn {
 public:
  explicit DescriptorColumn(const VectorColumn* column) : column_(column) {}

  std::optional<DeletionVectorDescriptor> Read(idx_t row) const {
    if (!column_.Has(row) || !HasValue(storage_type_, row)) return std::nullopt;
    const std::string_view storage = storage_type_->Bytes(row);
    if (storage.empty()) return std::nullopt;
    DeletionVectorDescriptor descriptor;
    descriptor.storage = static_cast<DeletionVectorDescriptor::Storage>(storage[0]);
    descriptor.path_or_inline_dv = Text(path_or_inline_dv_, row).value_or("");
    descriptor.offset = Int(offset_, row);
    descriptor.size_in_bytes = Int(size_in_bytes_, row).value_or(0);
    descriptor.cardinality = Long(cardinality_, row).value_or(0);
    descriptor.max_row_index = Long(max_row_index_, row);
    return descriptor;
  }

 private:
  ActionColumn column_;
  const VectorColumn* storage_type_ = column_.Field("storageType");
  const VectorColumn* path_or_inline_dv_ = column_.Field("pathOrInlineDv");
  const VectorColumn* offset_ = column_.Field("offset");
  const VectorColumn* size_in_bytes_ = column_.Field("sizeInBytes");
  const VectorColumn* cardinality_ = column_.Field("cardinality");
  const VectorColumn* max_row_index_ = column_.Field("maxRowIndex");
};

/// `add`. By far the most rows: the memory of a file is used again for the next.
class AddColumn {
 public:
  AddColumn(const VectorColumn* column, const std::vector<StatisticsColumn>& statistics_columns)
      : column_(column), parsed_statistics_(column_.Field("stats_parsed"), statistics_columns) {}

  bool Has(idx_t row) const { return column_.Has(row); }
  /// Null if the row lacks what makes it an action.
  const AddFile* Read(idx_t row) {
    if (!HasValue(path_, row)) return nullptr;
    file_.path.assign(path_->Bytes(row));
    if (HasValue(partition_values_, row)) {
      ReadPairs(*partition_values_, row, &file_.partition_values);
    } else {
      file_.partition_values.clear();
    }
    file_.size = Long(size_, row).value_or(0);
    file_.modification_time = Long(modification_time_, row).value_or(0);
    file_.data_change = Bool(data_change_, row).value_or(false);
    if (!HasValue(stats_, row)) {
      file_.stats = parsed_statistics_.Text(row);
    } else if (file_.stats) {
      file_.stats->assign(stats_->Bytes(row));
    } else {
      file_.stats.emplace(stats_->Bytes(row));
    }
    file_.tags = Map(tags_, row);
    file_.deletion_vector = deletion_vector_.Read(row);
    file_.base_row_id = Long(base_row_id_, row);
    file_.default_row_commit_version = Long(default_row_commit_version_, row);
    file_.clustering_provider = Text(clustering_provider_, row);
    return &file_;
  }

 private:
  ActionColumn column_;
  const VectorColumn* path_ = column_.Field("path");
  const VectorColumn* partition_values_ = column_.Field("partitionValues");
  const VectorColumn* size_ = column_.Field("size");
  const VectorColumn* modification_time_ = column_.Field("modificationTime");
  const VectorColumn* data_change_ = column_.Field("dataChange");
  const VectorColumn* stats_ = column_.Field("stats");
  const VectorColumn* tags_ = column_.Field("tags");
  DescriptorColumn deletion_vector_{column_.Field("deletionVector")};
  const VectorColumn* base_row_id_ = column_.Field("baseRowId");
  const VectorColumn* default_row_commit_version_ = column_.Field("defaultRowCommitVersion");
  const VectorColumn* clustering_provider_ = column_.Field("clusteringProvider");
  ParsedStatistics parsed_statistics_;
  AddFile file_;
};

/// `remove`.
class RemoveColumn {
 public:
  explicit RemoveColumn(const VectorColumn* column) : column_(column) {}

  bool Has(idx_t row) const { return column_.Has(row); }
  std::optional<RemoveFile> Read(idx_t row) const {
    if (!HasValue(path_, row)) return std::nullopt;
    RemoveFile file;
    file.path.assign(path_->Bytes(row));
    file.deletion_timestamp = Long(deletion_timestamp_, row);
    file.data_change = Bool(data_change_, row).value_or(false);
    file.extended_file_metadata = Bool(extended_file_metadata_, row);
    if (HasValue(partition_values_, row))
      ReadPairs(*partition_values_, row, &file.partition_values.emplace());
    file.size = Long(size_, row);
    file.deletion_vector = deletion_vector_.Read(row);
    file.base_row_id = Long(base_row_id_, row);
    file.default_row_commit_version = Long(default_row_commit_version_, row);
    return file;
  }

 private:
  ActionColumn column_;
  const VectorColumn* path_ = column_.Field("path");
  const VectorColumn* deletion_timestamp_ = column_.Field("deletionTimestamp");
  const VectorColumn* data_change_ = column_.Field("dataChange");
  const VectorColumn* extended_file_metadata_ = column_.Field("extendedFileMetadata");
  const VectorColumn* partition_values_ = column_.Field("partitionValues");
  const VectorColumn* size_ = column_.Field("size");
  DescriptorColumn deletion_vector_{column_.Field("deletionVector")};
  const VectorColumn* base_row_id_ = column_.Field("baseRowId");
  const VectorColumn* default_row_commit_version_ = column_.Field("defaultRowCommitVersion");
};

// The others are few. Each gives nothing if the row lacks what makes it an action.

std::optional<Metadata> ReadMetadata(const ActionColumn& column, idx_t row) {
  // Old writers leave the schema of a table without columns out.
  const auto id = Text(column.Field("id"), row);
  auto schema = Text(column.Field("schemaString"), row);
  if (!id && !schema) return std::nullopt;
  Metadata action;
  action.id = id.value_or("");
  action.name = Text(column.Field("name"), row);
  action.description = Text(column.Field("description"), row);
  const ActionColumn format(column.Field("format"));
  if (format.Has(row)) {
    action.format.provider = Text(format.Field("provider"), row).value_or(action.format.provider);
    action.format.options = Map(format.Field("options"), row).value_or(StringMap());
  }
  action.schema_string = std::move(schema).value_or("");
  action.partition_columns =
      List(column.Field("partitionColumns"), row).value_or(std::vector<std::string>());
  action.configuration = Map(column.Field("configuration"), row).value_or(StringMap());
  action.created_time = Long(column.Field("createdTime"), row);
  return action;
}

std::optional<Protocol> ReadProtocol(const ActionColumn& column, idx_t row) {
  const auto reader = Int(column.Field("minReaderVersion"), row);
  const auto writer = Int(column.Field("minWriterVersion"), row);
  if (!reader || !writer) return std::nullopt;
  return Protocol{*reader, *writer, List(column.Field("readerFeatures"), row),
                  List(column.Field("writerFeatures"), row)};
}

std::optional<SetTransaction> ReadTransaction(const ActionColumn& column, idx_t row) {
  auto id = Text(column.Field("appId"), row);
  if (!id) return std::nullopt;
  return SetTransaction{*std::move(id), Long(column.Field("version"), row).value_or(0),
                        Long(column.Field("lastUpdated"), row)};
}

std::optional<DomainMetadata> ReadDomain(const ActionColumn& column, idx_t row) {
  auto domain = Text(column.Field("domain"), row);
  if (!domain) return std::nullopt;
  return DomainMetadata{*std::move(domain), Text(column.Field("configuration"), row).value_or(""),
                        Bool(column.Field("removed"), row).value_or(false)};
}

std::optional<CheckpointMetadata> ReadCheckpointMetadata(const ActionColumn& column, idx_t row) {
  const auto version = Long(column.Field("version"), row);
  if (!version) return std::nullopt;
  return CheckpointMetadata{Version(*version), Map(column.Field("tags"), row)};
}

std::optional<Sidecar> ReadSidecar(const ActionColumn& column, idx_t row) {
  auto path = Text(column.Field("path"), row);
  if (!path) return std::nullopt;
  return Sidecar{*std::move(path), Long(column.Field("sizeInBytes"), row).value_or(0),
                 Long(column.Field("modificationTime"), row).value_or(0),
                 Map(column.Field("tags"), row)};
}

template <typename Action>
bool Hand(const std::optional<Action>& action, ActionVisitor& visitor) {
  if (action) visitor.Visit(*action);
  return action.has_value();
}

}  // namespace

class ActionReader::Rows {
 public:
  Rows(const StructType& schema, const std::vector<StatisticsColumn>& statistics_columns)
      : columns_(DataType::Struct(schema)),
        add_(columns_.Field("add"), statistics_columns),
        remove_(columns_.Field("remove")),
        metadata_(columns_.Field("metaData")),
        protocol_(columns_.Field("protocol")),
        transaction_(columns_.Field("txn")),
        domain_(columns_.Field("domainMetadata")),
        checkpoint_(columns_.Field("checkpointMetadata")),
        sidecar_(columns_.Field("sidecar")) {}

  void Bind(duckdb::DataChunk& rows) { columns_.Bind(rows); }

  // Each row holds one action.
  bool Read(idx_t row, ActionVisitor& visitor) {
    if (add_.Has(row)) {
      const AddFile* file = add_.Read(row);
      if (file != nullptr) visitor.Visit(*file);
      return file != nullptr;
    }
    if (remove_.Has(row)) return Hand(remove_.Read(row), visitor);
    if (metadata_.Has(row)) return Hand(ReadMetadata(metadata_, row), visitor);
    if (protocol_.Has(row)) return Hand(ReadProtocol(protocol_, row), visitor);
    if (transaction_.Has(row)) return Hand(ReadTransaction(transaction_, row), visitor);
    if (domain_.Has(row)) return Hand(ReadDomain(domain_, row), visitor);
    if (checkpoint_.Has(row)) return Hand(ReadCheckpointMetadata(checkpoint_, row), visitor);
    if (sidecar_.Has(row)) return Hand(ReadSidecar(sidecar_, row), visitor);
    return true;
  }

 private:
  VectorColumn columns_;  // Of the row as a struct.
  AddColumn add_;
  RemoveColumn remove_;
  ActionColumn metadata_;
  ActionColumn protocol_;
  ActionColumn transaction_;
  ActionColumn domain_;
  ActionColumn checkpoint_;
  ActionColumn sidecar_;
};

ActionReader::ActionReader(const StructType& schema,
                           const std::vector<StatisticsColumn>& statistics_columns)
    : rows_(std::make_unique<Rows>(schema, statistics_columns)) {}

ActionReader::~ActionReader() = default;

void ActionReader::Bind(duckdb::DataChunk& rows) { rows_->Bind(rows); }

bool ActionReader::Read(duckdb::idx_t row, ActionVisitor& visitor) {
  return rows_->Read(row, visitor);
}

}  // namespace merganser::engine
