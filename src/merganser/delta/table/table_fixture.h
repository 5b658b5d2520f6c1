#pragma once

#include <memory>
#include <string>
#include <vector>

#include "merganser/delta/log/log_path.h"
#include "merganser/delta/log/text_checkpoint_codec.h"
#include "merganser/delta/protocol/action_json.h"
#include "merganser/delta/schema/schema_json.h"
#include "merganser/delta/table/snapshot.h"
#include "merganser/io/in_memory_file_system.h"

namespace merganser {

/// A table in memory whose commits a test writes line by line.
class TableFixture {
 public:
  explicit TableFixture(const StructType& schema = {}) {
    protocol.min_reader_version = 1;
    protocol.min_writer_version = 2;
    metadata.id = "id";
    metadata.schema_string = ToSchemaJson(schema);
  }

  /// The next commit, at `time` (milliseconds since the epoch).
  void Commit(const std::vector<Action>& actions, int64_t time = 0) {
    Put(CommitFileName(next_), ToJsonLines(actions), time);
    next_ = next_.next();
  }
  /// Commit 0: protocol and metadata as they stand, and `more`.
  void Create(std::vector<Action> more = {}, int64_t time = 0) {
    more.insert(more.begin(), {protocol, metadata});
    Commit(more, time);
  }
  void Put(const std::string& name, const std::string& bytes, int64_t time = 0) {
    memory->SetTime(time);
    (void)memory->Write(JoinPath(LogDirectory(kPath), name), bytes);
  }

  Result<SnapshotRef> Load(std::optional<Version> version = std::nullopt) const {
    return Snapshot::Load({memory, kPath, "file:/table"}, codec, version);
  }

  static constexpr const char* kPath = "/table";
  std::shared_ptr<InMemoryFileSystem> memory = std::make_shared<InMemoryFileSystem>();
  std::shared_ptr<CheckpointCodec> codec = std::make_shared<TextCheckpointCodec>();
  Protocol protocol;
  Metadata metadata;

 private:
  Version next_ = Version(0);
};

/// A live file of one row.
inline AddFile MakeFile(std::string path, PartitionValues partition_values = {},
                        std::optional<std::string> stats = std::nullopt) {
  AddFile file;
  file.path = std::move(path);
  file.partition_values = std::move(partition_values);
  file.size = 1;
  file.stats = std::move(stats);
  return file;
}

inline RemoveFile MakeRemove(std::string path) {
  RemoveFile file;
  file.path = std::move(path);
  return file;
}

}  // namespace merganser
