#include "test/fuzz/targets.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

#include "merganser/delta/deletion_vector/deletion_vector_storage.h"
#include "merganser/delta/deletion_vector/z85.h"
#include "merganser/delta/log/last_checkpoint.h"
#include "merganser/delta/log/log_path.h"
#include "merganser/delta/log/log_segment.h"
#include "merganser/delta/log/text_checkpoint_codec.h"
#include "merganser/delta/log/version_checksum.h"
#include "merganser/delta/protocol/action_json.h"
#include "merganser/delta/protocol/data_path.h"
#include "merganser/delta/protocol/statistics.h"
#include "merganser/delta/schema/partition_value.h"
#include "merganser/delta/schema/schema_json.h"
#include "merganser/delta/table/snapshot.h"
#include "merganser/io/in_memory_file_system.h"

namespace merganser::test {
namespace {

constexpr const char* kTable = "/table";
constexpr std::string_view kFirstCommit =
    R"({"protocol":{"minReaderVersion":1,"minWriterVersion":2}}
{"metaData":{"id":"i","format":{"provider":"parquet","options":{}},"schemaString":"{\"type\":\"struct\",\"fields\":[{\"name\":\"id\",\"type\":\"long\",\"nullable\":true,\"metadata\":{}}]}","partitionColumns":[],"configuration":{}}}
{"add":{"path":"a","partitionValues":{},"size":1,"modificationTime":1,"dataChange":true}}
)";

void Expect(bool promise, const char* what) {
  if (promise) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

std::shared_ptr<InMemoryFileSystem> TableWith(const std::string& name, std::string_view bytes) {
  auto memory = std::make_shared<InMemoryFileSystem>();
  (void)memory->Write(JoinPath(LogDirectory(kTable), CommitFileName(Version(0))), kFirstCommit);
  (void)memory->Write(JoinPath(LogDirectory(kTable), name), bytes);
  return memory;
}

void ReadCommitLines(std::string_view input) {
  const auto actions = ParseActions(input, "fuzz");
  if (actions.ok()) {
    const std::string lines = ToJsonLines(*actions);
    const auto again = ParseActions(lines, "fuzz");
    Expect(again.ok() && again->size() == actions->size(), "what is written can be read");
    Expect(ToJsonLines(*again) == lines, "what is read again is written the same");
  }
  // A table with this commit: a snapshot or an error, and then every file lies in the table.
  const auto memory = TableWith(CommitFileName(Version(1)), input);
  const auto snapshot =
      Snapshot::Load({memory, kTable, "file:/table"}, std::make_shared<TextCheckpointCodec>());
  if (!snapshot.ok() || *snapshot == nullptr) return;
  for (const FileView& file : (*snapshot)->files().Files()) {
    (void)DataFilePath(kTable, file.path());
    (void)ParseNumRecords(file.stats());
  }
}

void ReadSchema(std::string_view input) {
  const auto schema = ParseSchemaJson(input);
  if (!schema.ok()) return;
  const auto again = ParseSchemaJson(ToSchemaJson(*schema));
  Expect(again.ok() && *again == *schema, "a schema that is written can be read");
}

void ReadVectorBytes(std::string_view input) {
  const auto vector = DeletionVector::Deserialize(input);
  if (vector.ok()) {
    const auto again = DeletionVector::Deserialize(vector->Serialize());
    Expect(again.ok() && *again == *vector, "a vector that is written can be read");
    Expect(vector->empty() == !vector->Last().has_value(), "an empty vector has no last row");
  }
  (void)DecodeUuidZ85(input);
  if (const auto bytes = DecodeZ85(input)) (void)DeletionVector::Deserialize(*bytes);
  // The same bytes as a file, read where its first bytes say.
  auto memory = std::make_shared<InMemoryFileSystem>();
  (void)memory->Write("/table/v.bin", input);
  DeletionVectorDescriptor descriptor;
  descriptor.storage = DeletionVectorDescriptor::Storage::kAbsoluteFile;
  descriptor.path_or_inline_dv = "/table/v.bin";
  descriptor.offset = input.empty() ? 0 : static_cast<signed char>(input[0]);
  descriptor.size_in_bytes = static_cast<int32_t>(input.size()) - 9;
  (void)ReadDeletionVector(*memory, kTable, descriptor);
  descriptor.storage = DeletionVectorDescriptor::Storage::kInline;
  descriptor.path_or_inline_dv = input;
  (void)ReadDeletionVector(*memory, kTable, descriptor);
}

void ReadHint(std::string_view input) {
  if (const auto hint = ParseLastCheckpoint(input)) {
    const auto again = ParseLastCheckpoint(ToJson(*hint));
    Expect(again && again->version == hint->version && again->parts == hint->parts,
           "a hint that is written can be read");
  }
  // Whatever it says, the table opens.
  const auto memory = TableWith(std::string(kLastCheckpointFileName), input);
  const auto segment = LogSegment::Find(*memory, kTable);
  Expect(segment.ok() && segment->has_value() && (*segment)->version == Version(0),
         "a hint is never the reason for an error");
}

void ReadPaths(std::string_view input) {
  const auto path = DataFilePath(kTable, input);
  const bool is_relative = !input.starts_with('/') && input.find(':') == std::string_view::npos;
  if (path.ok() && is_relative) {
    int depth = 0;
    std::string_view rest = std::string_view(*path).substr(std::string_view(kTable).size());
    while (!rest.empty()) {
      const std::string_view part = rest.substr(0, rest.find('/'));
      rest.remove_prefix(std::min(part.size() + 1, rest.size()));
      if (part == "..") --depth;
      if (!part.empty() && part != "." && part != "..") ++depth;
      Expect(depth >= 0, "a path below the table stays below it");
    }
  }
  Expect(DecodeDataPath(EncodeDataPath(input)) == input, "a path survives the log");
  (void)CanonicalDataPath(input);
  (void)LogPath::Parse(input);
  for (const DataType& type :
       {DataType::Integer(), DataType::Double(), DataType::Decimal(38, 5), DataType::Date(),
        DataType::Timestamp(), DataType::TimestampNtz(), DataType::Boolean(), DataType::Binary()}) {
    (void)ParsePartitionValue(type, input);
  }
}

void ReadChecksumFile(std::string_view input) {
  const auto checksum = ParseVersionChecksum(input);
  if (!checksum) return;
  const auto again = ParseVersionChecksum(ToJson(*checksum));
  Expect(again.has_value(), "a checksum that is written can be read");
}

}  // namespace

const std::vector<FuzzTarget>& FuzzTargets() {
  static const auto* targets = new std::vector<FuzzTarget>{
      {"checkpoint_file", ReadCheckpointBytes},
      {"checksum_file", ReadChecksumFile},
      {"commit_lines", ReadCommitLines},
      {"deletion_vector", ReadVectorBytes},
      {"last_checkpoint", ReadHint},
      {"paths", ReadPaths},
      {"schema_json", ReadSchema},
  };
  return *targets;
}

const FuzzTarget* FindFuzzTarget(std::string_view name) {
  for (const FuzzTarget& target : FuzzTargets()) {
    if (target.name == name) return &target;
  }
  return nullptr;
}

}  // namespace merganser::test
