#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "merganser/base/clock.h"
#include "merganser/base/result.h"
#include "merganser/engine/database.h"
#include "merganser/io/file_systems.h"
#include "merganser/spark/catalog/snapshot_cache.h"
#include "merganser/spark/catalog/warehouse.h"

namespace merganser {

/// What a process's sessions share.
struct RuntimeOptions {
  std::string warehouse = "./spark-warehouse";  ///< Folder or URI.
  engine::DatabaseOptions engine;
  /// An engine that is already open, to share; `engine` is then not used.
  std::shared_ptr<engine::Database> database;
  /// Where locations are found; the local disk if null.
  std::shared_ptr<const FileSystems> file_systems;
  const Clock* clock = &Clock::System();
};

/// The engine, the warehouse and the snapshots that all sessions of a process use. Thread-safe.
class Runtime {
 public:
  /// Fails with UNSUPPORTED_FILE_SYSTEM, or as engine::Database::Open.
  static Result<std::shared_ptr<Runtime>> Open(RuntimeOptions options);

  const std::shared_ptr<engine::Database>& database() const { return database_; }
  const std::shared_ptr<const FileSystems>& file_systems() const { return file_systems_; }
  const std::shared_ptr<SnapshotCache>& snapshots() const { return snapshots_; }
  const std::shared_ptr<Warehouse>& warehouse() const { return warehouse_; }
  const Clock& clock() const { return *clock_; }

 private:
  Runtime() = default;

  std::shared_ptr<engine::Database> database_;
  std::shared_ptr<const FileSystems> file_systems_;
  std::shared_ptr<SnapshotCache> snapshots_;
  std::shared_ptr<Warehouse> warehouse_;
  const Clock* clock_ = nullptr;
};

}  // namespace merganser
