#include "merganser/engine/checkpoint/action_reader.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace merganser::engine {
namespace {

/// The fields of one struct column, by name; a missing field is always NULL.
class Fields {
 public:
  explicit Fields(const ArrowColumn* column) : column_(column) {}

  bool Has(int64_t row) const { return column_ != nullptr && !column_->IsNull(row); }
  /// The field's column and the row in it, if it has a value there. Requires `Has(row)`.
  const ArrowColumn* Find(std::string_view name, int64_t row) const {
    const int position = column_->type().fields().IndexOf(name, true);
    if (position < 0) return nullptr;
    const ArrowColumn& field = column_->child(static_cast<size_t>(position));
    return field.IsNull(column_->FieldRow(row)) ? nullptr : &field;
  }
  int64_t FieldRow(int64_t row) const { return column_->FieldRow(row); }

  /// The field's column whatever its values are, looked up once; null if there is none.
  const ArrowColumn* Field(std::string_view name) const {
    if (column_ == nullptr) return nullptr;
    const int position = column_->type().fields().IndexOf(name, true);
    return position < 0 ? nullptr : &column_->child(static_cast<size_t>(position));
  }
  /// False if the field has no value in the row.
  bool ReadText(const ArrowColumn* field, int64_t row, std::string* out) const {
    if (field == nullptr || field->IsNull(FieldRow(row))) return false;
    out->assign(field->Bytes(FieldRow(row)));
    return true;
  }
  std::optional<int64_t> Number(const ArrowColumn* field, int64_t row) const {
    if (field == nullptr || field->IsNull(FieldRow(row))) return std::nullopt;
    return field->Int64(FieldRow(row));
  }
  void ReadPairs(const ArrowColumn* field, int64_t row, PartitionValues* out) const {
    if (field == nullptr || field->IsNull(FieldRow(row))) {
      out->clear();
      return;
    }
    const auto range = field->Elements(FieldRow(row));
    out->resize(static_cast<size_t>(range.end - range.begin));
    for (int64_t i = range.begin; i < range.end; ++i) {
      auto& [name, value] = (*out)[static_cast<size_t>(i - range.begin)];
      name.assign(field->child(0).Bytes(i));
      if (field->child(1).IsNull(i)) {
        value.reset();
      } else if (value) {
        value->assign(field->child(1).Bytes(i));
      } else {
        value.emplace(field->child(1).Bytes(i));
      }
    }
  }

  std::optional<std::string> Text(std::string_view name, int64_t row) const {
    const ArrowColumn* field = Find(name, row);
    if (field == nullptr) return std::nullopt;
    return std::string(field->Bytes(FieldRow(row)));
  }
  std::optional<int64_t> Long(std::string_view name, int64_t row) const {
    const ArrowColumn* field = Find(name, row);
    if (field == nullptr) return std::nullopt;
    return field->Int64(FieldRow(row));
  }
  std::optional<int32_t> Int(std::string_view name, int64_t row) const {
    const auto value = Long(name, row);
    if (!value) return std::nullopt;
    return static_cast<int32_t>(*value);
  }
  std::optional<bool> Bool(std::string_view name, int64_t row) const {
    const ArrowColumn* field = Find(name, row);
    if (field == nullptr) return std::nullopt;
    return field->Bool(FieldRow(row));
  }
  std::optional<std::vector<std::string>> List(std::string_view name, int64_t row) const {
    const ArrowColumn* field = Find(name, row);
    if (field == nullptr) return std::nullopt;
    std::vector<std::string> values;
    const auto range = field->Elements(FieldRow(row));
    for (int64_t i = range.begin; i < range.end; ++i) values.emplace_back(field->child(0).Bytes(i));
    return values;
  }
  std::optional<PartitionValues> Pairs(std::string_view name, int64_t row) const {
    const ArrowColumn* field = Find(name, row);
    if (field == nullptr) return std::nullopt;
    PartitionValues pairs;
    const auto range = field->Elements(FieldRow(row));
    for (int64_t i = range.begin; i < range.end; ++i) {
      std::optional<std::string> value;
      if (!field->child(1).IsNull(i)) value = std::string(field->child(1).Bytes(i));
      pairs.emplace_back(std::string(field->child(0).Bytes(i)), std::move(value));
    }
    return pairs;
  }
  std::optional<StringMap> Map(std::string_view name, int64_t row) const {
    auto pairs = Pairs(name, row);
    if (!pairs) return std::nullopt;
    StringMap map;
    for (auto& [key, value] : *pairs) map[std::move(key)] = std::move(value).value_or("");
    return map;
  }

 private:
  const ArrowColumn* column_;
};

std::optional<DeletionVectorDescriptor> ReadDescriptor(const Fields& action, int64_t row) {
  const ArrowColumn* column = action.Find("deletionVector", row);
  if (column == nullptr) return std::nullopt;
  const Fields fields(column);
  const int64_t at = action.FieldRow(row);
  const std::string storage = fields.Text("storageType", at).value_or("");
  if (storage.empty()) return std::nullopt;
  DeletionVectorDescriptor descriptor;
  descriptor.storage = static_cast<DeletionVectorDescriptor::Storage>(storage[0]);
  descriptor.path_or_inline_dv = fields.Text("pathOrInlineDv", at).value_or("");
  descriptor.offset = fields.Int("offset", at);
  descriptor.size_in_bytes = fields.Int("sizeInBytes", at).value_or(0);
  descriptor.cardinality = fields.Long("cardinality", at).value_or(0);
  descriptor.max_row_index = fields.Long("maxRowIndex", at);
  return descriptor;
}

std::optional<Scalar> ReadScalar(const ArrowColumn& column, int64_t row) {
  const DataType& type = column.type();
  switch (type.id()) {
    case TypeId::kFloat:
      return Scalar::Float(static_cast<float>(column.Double(row)));
    case TypeId::kDouble:
      return Scalar::Double(column.Double(row));
    case TypeId::kDecimal:
      return Scalar::Decimal(type, column.Decimal(row));
    case TypeId::kString:
    case TypeId::kChar:
    case TypeId::kVarchar:
      return Scalar::String(std::string(column.Bytes(row)));
    case TypeId::kByte:
    case TypeId::kShort:
    case TypeId::kInteger:
    case TypeId::kLong:
    case TypeId::kDate:
    case TypeId::kTimestamp:
    case TypeId::kTimestampNtz:
      return Scalar::Integral(type, column.Int64(row));
    default:
      return std::nullopt;
  }
}

// The leaf that `path` leads to from the struct `column`, and its row; null if it has no value.
const ArrowColumn* FindLeaf(const ArrowColumn* column, const FieldPath& path, int64_t* row) {
  for (const std::string& name : path) {
    if (column == nullptr || !column->type().is(TypeId::kStruct)) return nullptr;
    const Fields fields(column);
    const ArrowColumn* next = fields.Find(name, *row);
    *row = fields.FieldRow(*row);
    column = next;
  }
  return column;
}

std::optional<std::string> StatisticsText(const Fields& add, int64_t row,
                                          const std::vector<StatisticsColumn>& columns) {
  const ArrowColumn* parsed = add.Find("stats_parsed", row);
  if (parsed == nullptr) return std::nullopt;
  const Fields fields(parsed);
  const int64_t at = add.FieldRow(row);
  FileStatistics statistics;
  statistics.num_records = fields.Long("numRecords", at);
  statistics.tight_bounds = fields.Bool("tightBounds", at);
  const auto leaf = [&](std::string_view group, const FieldPath& path, int64_t* leaf_row) {
    *leaf_row = fields.FieldRow(at);
    return FindLeaf(fields.Find(group, at), path, leaf_row);
  };
  for (const StatisticsColumn& column : columns) {
    ColumnStatistics of_column;
    of_column.path = column.path;
    int64_t leaf_row = 0;
    if (const auto* min = leaf("minValues", column.path, &leaf_row))
      of_column.min = ReadScalar(*min, leaf_row);
    if (const auto* max = leaf("maxValues", column.path, &leaf_row))
      of_column.max = ReadScalar(*max, leaf_row);
    if (const auto* nulls = leaf("nullCount", column.path, &leaf_row))
      of_column.null_count = nulls->Int64(leaf_row);
    statistics.columns.push_back(std::move(of_column));
  }
  return ToJson(statistics, columns);
}

class RowReader {
 public:
  RowReader(const std::vector<ArrowColumn>& columns, const StructType& schema,
            const std::vector<StatisticsColumn>& statistics_columns, ActionVisitor& visitor)
      : statistics_columns_(statistics_columns),
        visitor_(visitor),
        add_(Column(columns, schema, "add")),
        remove_(Column(columns, schema, "remove")),
        metadata_(Column(columns, schema, "metaData")),
        protocol_(Column(columns, schema, "protocol")),
        transaction_(Column(columns, schema, "txn")),
        domain_(Column(columns, schema, "domainMetadata")),
        checkpoint_(Column(columns, schema, "checkpointMetadata")),
        sidecar_(Column(columns, schema, "sidecar")),
        path_(add_.Field("path")),
        partition_values_(add_.Field("partitionValues")),
        size_(add_.Field("size")),
        modification_time_(add_.Field("modificationTime")),
        stats_(add_.Field("stats")) {}

  // Each row holds one action. False if it lacks what makes it one.
  bool Read(int64_t row) {
    if (add_.Has(row)) return ReadAdd(row);
    if (remove_.Has(row)) return ReadRemove(row);
    if (metadata_.Has(row)) return ReadMetadata(row);
    if (protocol_.Has(row)) return ReadProtocol(row);
    if (transaction_.Has(row)) return ReadTransaction(row);
    if (domain_.Has(row)) return ReadDomain(row);
    if (checkpoint_.Has(row)) return ReadCheckpointMetadata(row);
    if (sidecar_.Has(row)) return ReadSidecar(row);
    return true;
  }

 private:
  static const ArrowColumn* Column(const std::vector<ArrowColumn>& columns,
                                   const StructType& schema, const char* name) {
    const int position = schema.IndexOf(name, true);
    return position < 0 ? nullptr : &columns[static_cast<size_t>(position)];
  }

  bool ReadAdd(int64_t row) {
    // By far the most rows: the file's memory is reused from one to the next.
    if (!add_.ReadText(path_, row, &file_.path)) return false;
    add_.ReadPairs(partition_values_, row, &file_.partition_values);
    file_.size = add_.Number(size_, row).value_or(0);
    file_.modification_time = add_.Number(modification_time_, row).value_or(0);
    file_.data_change = add_.Bool("dataChange", row).value_or(false);
    if (!file_.stats) file_.stats.emplace();
    if (!add_.ReadText(stats_, row, &*file_.stats))
      file_.stats = StatisticsText(add_, row, statistics_columns_);
    file_.tags = add_.Map("tags", row);
    file_.deletion_vector = ReadDescriptor(add_, row);
    file_.base_row_id = add_.Long("baseRowId", row);
    file_.default_row_commit_version = add_.Long("defaultRowCommitVersion", row);
    file_.clustering_provider = add_.Text("clusteringProvider", row);
    visitor_.Visit(file_);
    return true;
  }

  bool ReadRemove(int64_t row) {
    auto path = remove_.Text("path", row);
    if (!path) return false;
    RemoveFile action;
    action.path = *std::move(path);
    action.deletion_timestamp = remove_.Long("deletionTimestamp", row);
    action.data_change = remove_.Bool("dataChange", row).value_or(false);
    action.extended_file_metadata = remove_.Bool("extendedFileMetadata", row);
    action.partition_values = remove_.Pairs("partitionValues", row);
    action.size = remove_.Long("size", row);
    action.deletion_vector = ReadDescriptor(remove_, row);
    action.base_row_id = remove_.Long("baseRowId", row);
    action.default_row_commit_version = remove_.Long("defaultRowCommitVersion", row);
    visitor_.Visit(action);
    return true;
  }

  bool ReadMetadata(int64_t row) {
    // Old writers leave the schema of a table without columns out.
    const auto id = metadata_.Text("id", row);
    auto schema = metadata_.Text("schemaString", row);
    if (!id && !schema) return false;
    Metadata action;
    action.id = id.value_or("");
    action.name = metadata_.Text("name", row);
    action.description = metadata_.Text("description", row);
    if (const ArrowColumn* column = metadata_.Find("format", row)) {
      const Fields format(column);
      const int64_t at = metadata_.FieldRow(row);
      action.format.provider = format.Text("provider", at).value_or(action.format.provider);
      action.format.options = format.Map("options", at).value_or(StringMap());
    }
    action.schema_string = std::move(schema).value_or("");
    action.partition_columns =
        metadata_.List("partitionColumns", row).value_or(std::vector<std::string>());
    action.configuration = metadata_.Map("configuration", row).value_or(StringMap());
    action.created_time = metadata_.Long("createdTime", row);
    visitor_.Visit(action);
    return true;
  }

  bool ReadProtocol(int64_t row) {
    const auto reader = protocol_.Int("minReaderVersion", row);
    const auto writer = protocol_.Int("minWriterVersion", row);
    if (!reader || !writer) return false;
    Protocol action;
    action.min_reader_version = *reader;
    action.min_writer_version = *writer;
    action.reader_features = protocol_.List("readerFeatures", row);
    action.writer_features = protocol_.List("writerFeatures", row);
    visitor_.Visit(action);
    return true;
  }

  bool ReadTransaction(int64_t row) {
    auto id = transaction_.Text("appId", row);
    if (!id) return false;
    SetTransaction action;
    action.app_id = *std::move(id);
    action.version = transaction_.Long("version", row).value_or(0);
    action.last_updated = transaction_.Long("lastUpdated", row);
    visitor_.Visit(action);
    return true;
  }

  bool ReadDomain(int64_t row) {
    auto domain = domain_.Text("domain", row);
    if (!domain) return false;
    DomainMetadata action;
    action.domain = *std::move(domain);
    action.configuration = domain_.Text("configuration", row).value_or("");
    action.removed = domain_.Bool("removed", row).value_or(false);
    visitor_.Visit(action);
    return true;
  }

  bool ReadCheckpointMetadata(int64_t row) {
    const auto version = checkpoint_.Long("version", row);
    if (!version) return false;
    visitor_.Visit(CheckpointMetadata{Version(*version), checkpoint_.Map("tags", row)});
    return true;
  }

  bool ReadSidecar(int64_t row) {
    auto path = sidecar_.Text("path", row);
    if (!path) return false;
    Sidecar action;
    action.path = *std::move(path);
    action.size_in_bytes = sidecar_.Long("sizeInBytes", row).value_or(0);
    action.modification_time = sidecar_.Long("modificationTime", row).value_or(0);
    action.tags = sidecar_.Map("tags", row);
    visitor_.Visit(action);
    return true;
  }

  const std::vector<StatisticsColumn>& statistics_columns_;
  ActionVisitor& visitor_;
  Fields add_;
  Fields remove_;
  Fields metadata_;
  Fields protocol_;
  Fields transaction_;
  Fields domain_;
  Fields checkpoint_;
  Fields sidecar_;
  const ArrowColumn* path_;
  const ArrowColumn* partition_values_;
  const ArrowColumn* size_;
  const ArrowColumn* modification_time_;
  const ArrowColumn* stats_;
  AddFile file_;
};

}  // namespace

Status ReadActions(const std::vector<ArrowColumn>& columns, const StructType& schema,
                   int64_t num_rows, const std::vector<StatisticsColumn>& statistics_columns,
                   const std::string& path, ActionVisitor& visitor) {
  RowReader reader(columns, schema, statistics_columns, visitor);
  for (int64_t row = 0; row < num_rows; ++row) {
    if (!reader.Read(row)) {
      return Error(ErrorClass::DELTA_LOG_CORRUPTED,
                   {{"file", path},
                    {"line", std::to_string(row)},
                    {"reason", "an action lacks a required field"}});
    }
  }
  return Status::Ok();
}

}  // namespace merganser::engine
