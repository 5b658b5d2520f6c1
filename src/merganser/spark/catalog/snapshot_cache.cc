#include "merganser/spark/catalog/snapshot_cache.h"

#include <utility>

namespace merganser {
namespace {

/// Is the commit that `snapshot` ends with still the one on disk? A table that was dropped and made
/// again has other files under the same names, and refreshing would mix the two.
Result<bool> StillThere(const Snapshot& snapshot) {
  const auto& known = snapshot.segment().last_commit;
  if (!known) return false;
  MERGANSER_ASSIGN_OR_RETURN(const auto now,
                             snapshot.file_system().Stat(snapshot.segment().Path(*known)));
  return now && now->size == known->size && now->modification_time == known->modification_time;
}

}  // namespace

SnapshotCache::SnapshotCache(std::shared_ptr<CheckpointCodec> codec, size_t capacity)
    : codec_(std::move(codec)), capacity_(capacity) {}

Result<SnapshotRef> SnapshotCache::Latest(const FileLocation& table) {
  SnapshotRef known;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = entries_.find(table.uri); found != entries_.end())
      known = found->second.snapshot;
  }
  if (known != nullptr) {
    MERGANSER_ASSIGN_OR_RETURN(const bool same_table, StillThere(*known));
    auto refreshed = same_table ? known->Refresh() : Result<SnapshotRef>(SnapshotRef());
    if (refreshed.ok() && *refreshed != nullptr) {
      Put(*refreshed);
      return std::move(refreshed).value();
    }
    Forget(table);
  }
  MERGANSER_ASSIGN_OR_RETURN(SnapshotRef snapshot, Snapshot::Load(table, codec_));
  if (snapshot != nullptr) Put(snapshot);
  return snapshot;
}

Result<SnapshotRef> SnapshotCache::At(const FileLocation& table, Version version) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(table.uri);
    if (found != entries_.end() && found->second.snapshot->version() == version)
      return found->second.snapshot;
  }
  return Snapshot::Load(table, codec_, version);
}

void SnapshotCache::Put(const SnapshotRef& snapshot) {
  const std::lock_guard lock(mutex_);
  const std::string& key = snapshot->table().uri;
  if (const auto found = entries_.find(key); found != entries_.end()) {
    if (found->second.snapshot->version() < snapshot->version() ||
        found->second.snapshot->metadata().id != snapshot->metadata().id) {
      found->second.snapshot = snapshot;
    }
    order_.splice(order_.begin(), order_, found->second.use);
    return;
  }
  order_.push_front(key);
  entries_.emplace(key, Entry{snapshot, order_.begin()});
  if (entries_.size() > capacity_) {
    entries_.erase(order_.back());
    order_.pop_back();
  }
}

void SnapshotCache::Forget(const FileLocation& table) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(table.uri);
  if (found == entries_.end()) return;
  order_.erase(found->second.use);
  entries_.erase(found);
}

}  // namespace merganser
