#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "merganser/base/json.h"
#include "merganser/base/json_reader.h"
#include "merganser/delta/protocol/action_json.h"

namespace merganser {
namespace {

bool ReadStrings(JsonReader& value, std::vector<std::string>* out) {
  out->clear();
  return value.Items([&](JsonReader item) { return item.Read(&out->emplace_back()); });
}

/// String to string; entries without a value are left out.
bool ReadStringMap(JsonReader& value, StringMap* out) {
  out->clear();
  return value.Members([&](std::string_view key, JsonReader member) {
    if (member.is_null()) return true;
    std::string name(key);
    if (member.is_string()) return member.Read(&(*out)[std::move(name)]);
    std::string_view text;
    if (!member.ReadText(&text)) return false;
    (*out)[std::move(name)] = text;
    return true;
  });
}

bool ReadPartitionValues(JsonReader& value, PartitionValues* out) {
  out->clear();
  return value.Members([&](std::string_view key, JsonReader member) {
    auto& [name, text] = out->emplace_back(std::string(key), std::nullopt);
    return member.is_null() || member.Read(&text.emplace());
  });
}

/// Reads optional members: null and absence are the same.
template <typename T>
bool ReadOptional(JsonReader& value, std::optional<T>* out) {
  if (value.is_null()) {
    out->reset();
    return true;
  }
  return value.Read(&out->emplace());
}

bool ReadOptionalMap(JsonReader& value, std::optional<StringMap>* out) {
  return value.is_null() || ReadStringMap(value, &out->emplace());
}

bool ReadDeletionVector(JsonReader& value, std::optional<DeletionVectorDescriptor>* out) {
  if (value.is_null()) return true;
  DeletionVectorDescriptor& descriptor = out->emplace();
  bool has_storage = false;
  const bool ok = value.Members([&](std::string_view key, JsonReader member) {
    if (key == "storageType") {
      std::string_view text;
      if (!member.Read(&text) || text.size() != 1) return false;
      descriptor.storage = static_cast<DeletionVectorDescriptor::Storage>(text[0]);
      has_storage = text[0] == 'i' || text[0] == 'u' || text[0] == 'p';
      return has_storage;
    }
    if (key == "pathOrInlineDv") return member.Read(&descriptor.path_or_inline_dv);
    if (key == "offset") return ReadOptional(member, &descriptor.offset);
    if (key == "sizeInBytes") return member.Read(&descriptor.size_in_bytes);
    if (key == "cardinality") return member.Read(&descriptor.cardinality);
    if (key == "maxRowIndex") return ReadOptional(member, &descriptor.max_row_index);
    return true;
  });
  return ok && has_storage;
}

void Clear(AddFile* file) {
  // Keeps the strings' memory for the next file.
  file->path.clear();
  file->partition_values.clear();
  file->size = 0;
  file->modification_time = 0;
  file->data_change = true;
  file->stats.reset();
  file->tags.reset();
  file->deletion_vector.reset();
  file->base_row_id.reset();
  file->default_row_commit_version.reset();
  file->clustering_provider.reset();
}

bool ReadAddFile(JsonReader& value, AddFile* file) {
  Clear(file);
  const bool ok = value.Members([&](std::string_view key, JsonReader member) {
    if (key == "path") return member.Read(&file->path);
    if (key == "partitionValues") {
      return member.is_null() || ReadPartitionValues(member, &file->partition_values);
    }
    if (key == "size") return member.Read(&file->size);
    if (key == "modificationTime") return member.Read(&file->modification_time);
    if (key == "dataChange") return member.Read(&file->data_change);
    if (key == "stats") return ReadOptional(member, &file->stats);
    if (key == "tags") return ReadOptionalMap(member, &file->tags);
    if (key == "deletionVector") return ReadDeletionVector(member, &file->deletion_vector);
    if (key == "baseRowId") return ReadOptional(member, &file->base_row_id);
    if (key == "defaultRowCommitVersion") {
      return ReadOptional(member, &file->default_row_commit_version);
    }
    if (key == "clusteringProvider") return ReadOptional(member, &file->clustering_provider);
    return true;
  });
  return ok && !file->path.empty();
}

bool ReadRemoveFile(JsonReader& value, RemoveFile* file) {
  *file = RemoveFile();
  const bool ok = value.Members([&](std::string_view key, JsonReader member) {
    if (key == "path") return member.Read(&file->path);
    if (key == "deletionTimestamp") return ReadOptional(member, &file->deletion_timestamp);
    if (key == "dataChange") return member.Read(&file->data_change);
    if (key == "extendedFileMetadata") return ReadOptional(member, &file->extended_file_metadata);
    if (key == "partitionValues") {
      return member.is_null() || ReadPartitionValues(member, &file->partition_values.emplace());
    }
    if (key == "size") return ReadOptional(member, &file->size);
    if (key == "stats") return ReadOptional(member, &file->stats);
    if (key == "tags") return ReadOptionalMap(member, &file->tags);
    if (key == "deletionVector") return ReadDeletionVector(member, &file->deletion_vector);
    if (key == "baseRowId") return ReadOptional(member, &file->base_row_id);
    if (key == "defaultRowCommitVersion") {
      return ReadOptional(member, &file->default_row_commit_version);
    }
    return true;
  });
  return ok && !file->path.empty();
}

bool ReadAddCdcFile(JsonReader& value, AddCdcFile* file) {
  *file = AddCdcFile();
  const bool ok = value.Members([&](std::string_view key, JsonReader member) {
    if (key == "path") return member.Read(&file->path);
    if (key == "partitionValues") {
      return member.is_null() || ReadPartitionValues(member, &file->partition_values);
    }
    if (key == "size") return member.Read(&file->size);
    if (key == "dataChange") return member.Read(&file->data_change);
    if (key == "tags") return ReadOptionalMap(member, &file->tags);
    return true;
  });
  return ok && !file->path.empty();
}

bool ReadProtocol(JsonReader& value, Protocol* protocol) {
  *protocol = Protocol();
  bool has_reader = false;
  bool has_writer = false;
  const bool ok = value.Members([&](std::string_view key, JsonReader member) {
    if (key == "minReaderVersion") return has_reader = member.Read(&protocol->min_reader_version);
    if (key == "minWriterVersion") return has_writer = member.Read(&protocol->min_writer_version);
    if (key == "readerFeatures") {
      return member.is_null() || ReadStrings(member, &protocol->reader_features.emplace());
    }
    if (key == "writerFeatures") {
      return member.is_null() || ReadStrings(member, &protocol->writer_features.emplace());
    }
    return true;
  });
  return ok && has_reader && has_writer;
}

bool ReadFormat(JsonReader& value, TableFormat* format) {
  return value.Members([&](std::string_view key, JsonReader member) {
    if (key == "provider") return member.Read(&format->provider);
    if (key == "options") return member.is_null() || ReadStringMap(member, &format->options);
    return true;
  });
}

bool ReadMetadata(JsonReader& value, Metadata* metadata) {
  *metadata = Metadata();
  return value.Members([&](std::string_view key, JsonReader member) {
    if (member.is_null()) return true;
    if (key == "id") return member.Read(&metadata->id);
    if (key == "name") return ReadOptional(member, &metadata->name);
    if (key == "description") return ReadOptional(member, &metadata->description);
    if (key == "format") return ReadFormat(member, &metadata->format);
    if (key == "schemaString") return member.Read(&metadata->schema_string);
    if (key == "partitionColumns") return ReadStrings(member, &metadata->partition_columns);
    if (key == "configuration") return ReadStringMap(member, &metadata->configuration);
    if (key == "createdTime") return ReadOptional(member, &metadata->created_time);
    return true;
  });
}

bool ReadSetTransaction(JsonReader& value, SetTransaction* transaction) {
  *transaction = SetTransaction();
  bool has_id = false;
  const bool ok = value.Members([&](std::string_view key, JsonReader member) {
    if (key == "appId") return has_id = member.Read(&transaction->app_id);
    if (key == "version") return member.Read(&transaction->version);
    if (key == "lastUpdated") return ReadOptional(member, &transaction->last_updated);
    return true;
  });
  return ok && has_id;
}

bool ReadDomainMetadata(JsonReader& value, DomainMetadata* domain) {
  *domain = DomainMetadata();
  bool has_domain = false;
  const bool ok = value.Members([&](std::string_view key, JsonReader member) {
    if (key == "domain") return has_domain = member.Read(&domain->domain);
    if (key == "configuration") return member.is_null() || member.Read(&domain->configuration);
    if (key == "removed") return member.Read(&domain->removed);
    return true;
  });
  return ok && has_domain;
}

bool ReadCheckpointMetadata(JsonReader& value, CheckpointMetadata* metadata) {
  *metadata = CheckpointMetadata();
  int64_t version = -1;
  const bool ok = value.Members([&](std::string_view key, JsonReader member) {
    if (key == "version") return member.Read(&version);
    if (key == "tags") return ReadOptionalMap(member, &metadata->tags);
    return true;
  });
  metadata->version = Version(version);
  return ok;
}

bool ReadSidecar(JsonReader& value, Sidecar* sidecar) {
  *sidecar = Sidecar();
  const bool ok = value.Members([&](std::string_view key, JsonReader member) {
    if (key == "path") return member.Read(&sidecar->path);
    if (key == "sizeInBytes") return member.Read(&sidecar->size_in_bytes);
    if (key == "modificationTime") return member.Read(&sidecar->modification_time);
    if (key == "tags") return ReadOptionalMap(member, &sidecar->tags);
    return true;
  });
  return ok && !sidecar->path.empty();
}

/// Any member of a commitInfo; one of an unexpected type is kept as text and never an error, for
/// implementations may store what they like here.
bool ReadCommitInfoMember(std::string_view key, std::string_view text, CommitInfo* info) {
  const Result<Json> parsed = Json::Parse(text);
  if (!parsed.ok()) return false;
  const auto string_member = [&](std::optional<std::string>* out) {
    if (!parsed->is_string()) return false;
    *out = parsed->as_string();
    return true;
  };
  const auto number_member = [&](std::optional<int64_t>* out) {
    if (!parsed->is_int()) return false;
    *out = parsed->as_int();
    return true;
  };
  const auto map_member = [&](std::optional<StringMap>* out) {
    if (!parsed->is_object()) return false;
    StringMap& map = out->emplace();
    for (const auto& [name, value] : parsed->members()) {
      if (!value.is_null()) map[name] = value.is_string() ? value.as_string() : value.Dump();
    }
    return true;
  };
  bool known = false;
  if (key == "inCommitTimestamp") known = number_member(&info->in_commit_timestamp);
  if (key == "timestamp") known = number_member(&info->timestamp);
  if (key == "userId") known = string_member(&info->user_id);
  if (key == "userName") known = string_member(&info->user_name);
  if (key == "operation") known = string_member(&info->operation);
  if (key == "operationParameters" && parsed->is_object()) {
    for (const auto& [name, value] : parsed->members()) {
      info->operation_parameters[name] = value.Dump();
    }
    known = true;
  }
  if (key == "clusterId") known = string_member(&info->cluster_id);
  if (key == "readVersion") known = number_member(&info->read_version);
  if (key == "isolationLevel") known = string_member(&info->isolation_level);
  if (key == "isBlindAppend" && parsed->is_bool()) {
    info->is_blind_append = parsed->as_bool();
    known = true;
  }
  if (key == "operationMetrics") known = map_member(&info->operation_metrics);
  if (key == "userMetadata") known = string_member(&info->user_metadata);
  if (key == "tags") known = map_member(&info->tags);
  if (key == "engineInfo") known = string_member(&info->engine_info);
  if (key == "txnId") known = string_member(&info->txn_id);
  if (!known) info->other[std::string(key)] = parsed->Dump();
  return true;
}

bool ReadCommitInfo(JsonReader& value, CommitInfo* info) {
  *info = CommitInfo();
  return value.Members([&](std::string_view key, JsonReader member) {
    if (member.is_null()) return true;
    const std::string name(key);
    std::string_view text;
    return member.ReadText(&text) && ReadCommitInfoMember(name, text, info);
  });
}

/// Reads lines into objects that it reuses.
class ActionLineReader {
 public:
  ActionLineReader(ActionSet wanted, ActionVisitor& visitor) : wanted_(wanted), visitor_(visitor) {}

  /// False if the line is malformed; then `fault` names the action.
  bool Read(std::string_view line, size_t readable) {
    fault_ = "it is no JSON object";
    return parser_.Parse(line, readable, [&](JsonReader root) {
      return root.Members(
          [&](std::string_view key, JsonReader value) { return ReadAction(key, value); });
    });
  }
  const std::string& fault() const { return fault_; }

 private:
  template <typename T, typename Reader>
  bool Deliver(std::string_view name, ActionSet::Kind kind, JsonReader& value, Reader&& read,
               T* action) {
    if (!wanted_.Contains(kind) || value.is_null()) return true;
    if (!read(value, action)) {
      fault_ = "the action " + std::string(name) + " is malformed";
      return false;
    }
    visitor_.Visit(*action);
    return true;
  }

  bool ReadAction(std::string_view key, JsonReader& value) {
    if (key == "add") return Deliver(key, ActionSet::kAdd, value, ReadAddFile, &add_);
    if (key == "remove") return Deliver(key, ActionSet::kRemove, value, ReadRemoveFile, &remove_);
    if (key == "commitInfo") {
      return Deliver(key, ActionSet::kCommitInfo, value, ReadCommitInfo, &commit_info_);
    }
    if (key == "txn") {
      return Deliver(key, ActionSet::kSetTransaction, value, ReadSetTransaction, &transaction_);
    }
    if (key == "metaData") {
      return Deliver(key, ActionSet::kMetadata, value, ReadMetadata, &metadata_);
    }
    if (key == "protocol") {
      return Deliver(key, ActionSet::kProtocol, value, ReadProtocol, &protocol_);
    }
    if (key == "domainMetadata") {
      return Deliver(key, ActionSet::kDomainMetadata, value, ReadDomainMetadata, &domain_);
    }
    if (key == "cdc") return Deliver(key, ActionSet::kCdc, value, ReadAddCdcFile, &cdc_);
    if (key == "checkpointMetadata") {
      return Deliver(key, ActionSet::kCheckpointMetadata, value, ReadCheckpointMetadata,
                     &checkpoint_);
    }
    if (key == "sidecar") return Deliver(key, ActionSet::kSidecar, value, ReadSidecar, &sidecar_);
    return true;
  }

  ActionSet wanted_;
  ActionVisitor& visitor_;
  JsonDocumentParser parser_;
  std::string fault_;
  AddFile add_;
  RemoveFile remove_;
  AddCdcFile cdc_;
  SetTransaction transaction_;
  Metadata metadata_;
  Protocol protocol_;
  CommitInfo commit_info_;
  DomainMetadata domain_;
  CheckpointMetadata checkpoint_;
  Sidecar sidecar_;
};

bool IsBlank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

Status ReadActions(std::string_view bytes, std::string_view file, ActionSet wanted,
                   ActionVisitor& visitor, int64_t lines_before) {
  ActionLineReader reader(wanted, visitor);
  int64_t number = lines_before;
  while (!bytes.empty()) {
    ++number;
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    if (!IsBlank(line) && !reader.Read(line, bytes.size())) {
      return Error(ErrorClass::DELTA_LOG_CORRUPTED, {{"file", std::string(file)},
                                                     {"line", std::to_string(number)},
                                                     {"reason", reader.fault()}});
    }
    bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
  }
  return Status::Ok();
}

Result<std::vector<Action>> ParseActions(std::string_view bytes, std::string_view file) {
  ActionCollector collector;
  MERGANSER_RETURN_IF_ERROR(ReadActions(bytes, file, ActionSet::All(), collector));
  return collector.Take();
}

}  // namespace merganser
