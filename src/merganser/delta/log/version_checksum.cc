#include "merganser/delta/log/version_checksum.h"

#include <utility>

#include "merganser/base/json.h"
#include "merganser/delta/protocol/action_json.h"

namespace merganser {
namespace {

/// Read a JSON object as the action called `name`.
template <typename T>
std::optional<T> ReadAction(std::string_view name, const Json& json) {
  if (!json.is_object()) return std::nullopt;
  Json line = Json::MakeObject();
  line.Set(name, json);
  auto actions = ParseActions(line.Dump(), "checksum");
  if (!actions.ok() || actions->size() != 1) return std::nullopt;
  T* action = std::get_if<T>(&actions->front());
  if (action == nullptr) return std::nullopt;
  return std::move(*action);
}

/// False if the member is there and malformed.
template <typename T>
bool ReadList(const Json& json, std::string_view key, std::string_view name,
              std::optional<std::vector<T>>* out) {
  const Json* list = json.find(key);
  if (list == nullptr || list->is_null()) return true;
  if (!list->is_array()) return false;
  std::vector<T>& items = out->emplace();
  for (const Json& item : list->items()) {
    auto action = ReadAction<T>(name, item);
    if (!action) return false;
    items.push_back(*std::move(action));
  }
  return true;
}

std::optional<std::vector<int64_t>> ReadNumbers(const Json& json, std::string_view key) {
  const Json* list = json.find(key);
  if (list == nullptr || !list->is_array()) return std::nullopt;
  std::vector<int64_t> numbers;
  for (const Json& item : list->items()) {
    if (!item.is_int()) return std::nullopt;
    numbers.push_back(item.as_int());
  }
  return numbers;
}

std::optional<FileSizeHistogram> ReadHistogram(const Json& json) {
  // Spark's own files have the older name.
  const Json* histogram = json.find("fileSizeHistogram");
  if (histogram == nullptr) histogram = json.find("histogramOpt");
  if (histogram == nullptr) return std::nullopt;
  auto boundaries = ReadNumbers(*histogram, "sortedBinBoundaries");
  auto counts = ReadNumbers(*histogram, "fileCounts");
  auto bytes = ReadNumbers(*histogram, "totalBytes");
  if (!boundaries || !counts || !bytes) return std::nullopt;
  return FileSizeHistogram{*std::move(boundaries), *std::move(counts), *std::move(bytes)};
}

/// The body of an action's JSON line.
template <typename T>
Json BodyOf(const T& action) {
  Result<Json> line = Json::Parse(ToJson(Action(action)));
  if (!line.ok() || line->members().empty()) return Json();
  return line->members().front().second;
}

template <typename T>
Json ListOf(const std::vector<T>& actions) {
  Json list = Json::MakeArray();
  for (const T& action : actions) list.Append(BodyOf(action));
  return list;
}

Json NumbersOf(const std::vector<int64_t>& numbers) {
  Json list = Json::MakeArray();
  for (const int64_t number : numbers) list.Append(number);
  return list;
}

}  // namespace

std::optional<VersionChecksum> ParseVersionChecksum(std::string_view text) {
  const Result<Json> json = Json::Parse(text);
  if (!json.ok() || !json->is_object()) return std::nullopt;
  VersionChecksum checksum;
  const auto size = json->find_int("tableSizeBytes");
  const auto files = json->find_int("numFiles");
  const Json* metadata = json->find("metadata");
  const Json* protocol = json->find("protocol");
  if (!size || !files || metadata == nullptr || protocol == nullptr) return std::nullopt;
  auto read_metadata = ReadAction<Metadata>("metaData", *metadata);
  auto read_protocol = ReadAction<Protocol>("protocol", *protocol);
  if (!read_metadata || !read_protocol) return std::nullopt;
  if (!ReadList(*json, "setTransactions", "txn", &checksum.set_transactions) ||
      !ReadList(*json, "domainMetadata", "domainMetadata", &checksum.domain_metadata) ||
      !ReadList(*json, "allFiles", "add", &checksum.all_files)) {
    return std::nullopt;
  }
  if (const Json* id = json->find("txnId"); id != nullptr && id->is_string())
    checksum.txn_id = id->as_string();
  checksum.table_size_bytes = *size;
  checksum.num_files = *files;
  checksum.num_metadata = json->int_or("numMetadata", 1);
  checksum.num_protocol = json->int_or("numProtocol", 1);
  checksum.in_commit_timestamp = json->find_int("inCommitTimestampOpt");
  checksum.metadata = *std::move(read_metadata);
  checksum.protocol = *std::move(read_protocol);
  checksum.file_size_histogram = ReadHistogram(*json);
  checksum.num_deleted_records = json->find_int("numDeletedRecordsOpt");
  checksum.num_deletion_vectors = json->find_int("numDeletionVectorsOpt");
  if (const Json* counts = json->find("deletedRecordCountsHistogramOpt"); counts != nullptr) {
    checksum.deleted_record_counts = ReadNumbers(*counts, "deletedRecordCounts");
  }
  return checksum;
}

std::string ToJson(const VersionChecksum& checksum) {
  Json json = Json::MakeObject();
  if (checksum.txn_id) json.Set("txnId", *checksum.txn_id);
  json.Set("tableSizeBytes", checksum.table_size_bytes);
  json.Set("numFiles", checksum.num_files);
  if (checksum.num_deleted_records) json.Set("numDeletedRecordsOpt", *checksum.num_deleted_records);
  if (checksum.num_deletion_vectors)
    json.Set("numDeletionVectorsOpt", *checksum.num_deletion_vectors);
  json.Set("numMetadata", checksum.num_metadata);
  json.Set("numProtocol", checksum.num_protocol);
  if (checksum.in_commit_timestamp) json.Set("inCommitTimestampOpt", *checksum.in_commit_timestamp);
  if (checksum.set_transactions) json.Set("setTransactions", ListOf(*checksum.set_transactions));
  if (checksum.domain_metadata) json.Set("domainMetadata", ListOf(*checksum.domain_metadata));
  json.Set("metadata", BodyOf(checksum.metadata));
  json.Set("protocol", BodyOf(checksum.protocol));
  if (const auto& histogram = checksum.file_size_histogram) {
    Json object = Json::MakeObject();
    object.Set("sortedBinBoundaries", NumbersOf(histogram->sorted_bin_boundaries));
    object.Set("fileCounts", NumbersOf(histogram->file_counts));
    object.Set("totalBytes", NumbersOf(histogram->total_bytes));
    json.Set("fileSizeHistogram", std::move(object));
  }
  if (checksum.deleted_record_counts) {
    Json object = Json::MakeObject();
    object.Set("deletedRecordCounts", NumbersOf(*checksum.deleted_record_counts));
    json.Set("deletedRecordCountsHistogramOpt", std::move(object));
  }
  if (checksum.all_files) json.Set("allFiles", ListOf(*checksum.all_files));
  return json.Dump();
}

}  // namespace merganser
