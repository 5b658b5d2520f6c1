#pragma once

#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "merganser/base/result.h"
#include "merganser/base/version.h"
#include "merganser/delta/log/checkpoint_codec.h"
#include "merganser/delta/table/snapshot.h"
#include "merganser/io/file_systems.h"

namespace merganser {

/// The newest known snapshots of the tables a process works with, so that a statement reads only
/// what was committed since the last one. Thread-safe; shared by the sessions of a process.
class SnapshotCache {
 public:
  /// Keeps at most `capacity` tables, the least recently used one goes first.
  explicit SnapshotCache(std::shared_ptr<CheckpointCodec> codec, size_t capacity = 64);

  const std::shared_ptr<CheckpointCodec>& codec() const { return codec_; }

  /// The newest version of the table at `table`; null if the folder holds no Delta table. Fails as
  /// Snapshot::Load.
  Result<SnapshotRef> Latest(const FileLocation& table);
  /// The table at `version`. Fails as Snapshot::Load.
  Result<SnapshotRef> At(const FileLocation& table, Version version);
  /// Remember a snapshot that a commit produced.
  void Put(const SnapshotRef& snapshot);
  /// Forget the table at `uri` (it was dropped or replaced).
  void Forget(const FileLocation& table);

 private:
  struct Entry {
    SnapshotRef snapshot;
    std::list<std::string>::iterator use;
  };

  std::shared_ptr<CheckpointCodec> codec_;
  size_t capacity_;
  std::mutex mutex_;
  std::list<std::string> order_;  ///< Most recently used first.
  std::map<std::string, Entry> entries_;
};

}  // namespace merganser
