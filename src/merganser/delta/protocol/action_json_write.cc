#include <string>
#include <string_view>
#include <variant>

#include "merganser/base/json.h"
#include "merganser/delta/protocol/action_json.h"

namespace merganser {
namespace {

/// Writes the members of one JSON object; members without a value are left out.
class ObjectWriter {
 public:
  explicit ObjectWriter(std::string* out) : out_(out) { out_->push_back('{'); }
  void Close() { out_->push_back('}'); }

  void Text(std::string_view key, std::string_view value) {
    Key(key);
    AppendJsonString(value, out_);
  }
  void Text(std::string_view key, const std::string& value) { Text(key, std::string_view(value)); }
  void Text(std::string_view key, const std::optional<std::string>& value) {
    if (value) Text(key, std::string_view(*value));
  }
  void Number(std::string_view key, int64_t value) {
    Key(key);
    out_->append(std::to_string(value));
  }
  template <typename T>
  void Number(std::string_view key, const std::optional<T>& value) {
    if (value) Number(key, int64_t{*value});
  }
  void Boolean(std::string_view key, bool value) {
    Key(key);
    out_->append(value ? "true" : "false");
  }
  void Boolean(std::string_view key, const std::optional<bool>& value) {
    if (value) Boolean(key, *value);
  }
  void Raw(std::string_view key, std::string_view json) {
    Key(key);
    out_->append(json);
  }
  void Strings(std::string_view key, const std::vector<std::string>& values) {
    Key(key);
    out_->push_back('[');
    for (const std::string& value : values) {
      if (out_->back() != '[') out_->push_back(',');
      AppendJsonString(value, out_);
    }
    out_->push_back(']');
  }
  void Map(std::string_view key, const StringMap& values) {
    ObjectWriter map = Object(key);
    for (const auto& [name, value] : values) map.Text(name, value);
    map.Close();
  }
  void Map(std::string_view key, const std::optional<StringMap>& values) {
    if (values) Map(key, *values);
  }
  void Partitions(std::string_view key, const PartitionValues& values) {
    ObjectWriter map = Object(key);
    for (const auto& [name, value] : values) {
      if (value) {
        map.Text(name, *value);
      } else {
        map.Raw(name, "null");
      }
    }
    map.Close();
  }
  ObjectWriter Object(std::string_view key) {
    Key(key);
    return ObjectWriter(out_);
  }

 private:
  void Key(std::string_view key) {
    if (!first_) out_->push_back(',');
    first_ = false;
    AppendJsonString(key, out_);
    out_->push_back(':');
  }

  std::string* out_;
  bool first_ = true;
};

void WriteDeletionVector(ObjectWriter& parent,
                         const std::optional<DeletionVectorDescriptor>& descriptor) {
  if (!descriptor) return;
  ObjectWriter out = parent.Object("deletionVector");
  const char storage = static_cast<char>(descriptor->storage);
  out.Text("storageType", std::string_view(&storage, 1));
  out.Text("pathOrInlineDv", descriptor->path_or_inline_dv);
  out.Number("offset", descriptor->offset);
  out.Number("sizeInBytes", descriptor->size_in_bytes);
  out.Number("cardinality", descriptor->cardinality);
  out.Number("maxRowIndex", descriptor->max_row_index);
  out.Close();
}

std::string_view Name(const Protocol&) { return "protocol"; }
std::string_view Name(const Metadata&) { return "metaData"; }
std::string_view Name(const AddFile&) { return "add"; }
std::string_view Name(const RemoveFile&) { return "remove"; }
std::string_view Name(const AddCdcFile&) { return "cdc"; }
std::string_view Name(const SetTransaction&) { return "txn"; }
std::string_view Name(const CommitInfo&) { return "commitInfo"; }
std::string_view Name(const DomainMetadata&) { return "domainMetadata"; }
std::string_view Name(const CheckpointMetadata&) { return "checkpointMetadata"; }
std::string_view Name(const Sidecar&) { return "sidecar"; }

void WriteMembers(const Protocol& protocol, ObjectWriter& out) {
  out.Number("minReaderVersion", protocol.min_reader_version);
  out.Number("minWriterVersion", protocol.min_writer_version);
  if (protocol.reader_features) out.Strings("readerFeatures", *protocol.reader_features);
  if (protocol.writer_features) out.Strings("writerFeatures", *protocol.writer_features);
}

void WriteMembers(const Metadata& metadata, ObjectWriter& out) {
  out.Text("id", metadata.id);
  out.Text("name", metadata.name);
  out.Text("description", metadata.description);
  ObjectWriter format = out.Object("format");
  format.Text("provider", metadata.format.provider);
  format.Map("options", metadata.format.options);
  format.Close();
  out.Text("schemaString", metadata.schema_string);
  out.Strings("partitionColumns", metadata.partition_columns);
  out.Map("configuration", metadata.configuration);
  out.Number("createdTime", metadata.created_time);
}

void WriteMembers(const AddFile& file, ObjectWriter& out) {
  out.Text("path", file.path);
  out.Partitions("partitionValues", file.partition_values);
  out.Number("size", file.size);
  out.Number("modificationTime", file.modification_time);
  out.Boolean("dataChange", file.data_change);
  out.Text("stats", file.stats);
  out.Map("tags", file.tags);
  WriteDeletionVector(out, file.deletion_vector);
  out.Number("baseRowId", file.base_row_id);
  out.Number("defaultRowCommitVersion", file.default_row_commit_version);
  out.Text("clusteringProvider", file.clustering_provider);
}

void WriteMembers(const RemoveFile& file, ObjectWriter& out) {
  out.Text("path", file.path);
  out.Number("deletionTimestamp", file.deletion_timestamp);
  out.Boolean("dataChange", file.data_change);
  out.Boolean("extendedFileMetadata", file.extended_file_metadata);
  if (file.partition_values) out.Partitions("partitionValues", *file.partition_values);
  out.Number("size", file.size);
  out.Map("tags", file.tags);
  WriteDeletionVector(out, file.deletion_vector);
  out.Number("baseRowId", file.base_row_id);
  out.Number("defaultRowCommitVersion", file.default_row_commit_version);
  out.Text("stats", file.stats);
}

void WriteMembers(const AddCdcFile& file, ObjectWriter& out) {
  out.Text("path", file.path);
  out.Partitions("partitionValues", file.partition_values);
  out.Number("size", file.size);
  out.Map("tags", file.tags);
  out.Boolean("dataChange", file.data_change);
}

void WriteMembers(const SetTransaction& transaction, ObjectWriter& out) {
  out.Text("appId", transaction.app_id);
  out.Number("version", transaction.version);
  out.Number("lastUpdated", transaction.last_updated);
}

void WriteMembers(const CommitInfo& info, ObjectWriter& out) {
  out.Number("inCommitTimestamp", info.in_commit_timestamp);
  out.Number("timestamp", info.timestamp);
  out.Text("userId", info.user_id);
  out.Text("userName", info.user_name);
  out.Text("operation", info.operation);
  ObjectWriter parameters = out.Object("operationParameters");
  for (const auto& [name, value] : info.operation_parameters) parameters.Raw(name, value);
  parameters.Close();
  for (const auto& [name, value] : info.other) out.Raw(name, value);
  out.Text("clusterId", info.cluster_id);
  out.Number("readVersion", info.read_version);
  out.Text("isolationLevel", info.isolation_level);
  out.Boolean("isBlindAppend", info.is_blind_append);
  out.Map("operationMetrics", info.operation_metrics);
  out.Text("userMetadata", info.user_metadata);
  out.Map("tags", info.tags);
  out.Text("engineInfo", info.engine_info);
  out.Text("txnId", info.txn_id);
}

void WriteMembers(const DomainMetadata& domain, ObjectWriter& out) {
  out.Text("domain", domain.domain);
  out.Text("configuration", domain.configuration);
  out.Boolean("removed", domain.removed);
}

void WriteMembers(const CheckpointMetadata& metadata, ObjectWriter& out) {
  out.Number("version", metadata.version.value());
  out.Map("tags", metadata.tags);
}

void WriteMembers(const Sidecar& sidecar, ObjectWriter& out) {
  out.Text("path", sidecar.path);
  out.Number("sizeInBytes", sidecar.size_in_bytes);
  out.Number("modificationTime", sidecar.modification_time);
  out.Map("tags", sidecar.tags);
}

void AppendLine(const Action& action, std::string* out) {
  std::visit(
      [&](const auto& member) {
        ObjectWriter line(out);
        ObjectWriter body = line.Object(Name(member));
        WriteMembers(member, body);
        body.Close();
        line.Close();
      },
      action);
}

}  // namespace

std::string ToJson(const Action& action) {
  std::string text;
  AppendLine(action, &text);
  return text;
}

std::string ToJsonLines(const std::vector<Action>& actions) {
  std::string text;
  for (const Action& action : actions) {
    AppendLine(action, &text);
    text.push_back('\n');
  }
  return text;
}

}  // namespace merganser
