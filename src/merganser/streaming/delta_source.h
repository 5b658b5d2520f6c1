#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "merganser/base/result.h"
#include "merganser/base/version.h"
#include "merganser/delta/table/snapshot.h"
#include "merganser/spark/catalog/snapshot_cache.h"
#include "merganser/spark/plan/relation.h"

namespace merganser {

/// How far a stream has read a Delta table: all versions before `next_version`. No version: nothing
/// was read.
struct DeltaSourceOffset {
  std::optional<int64_t> next_version;
  bool operator==(const DeltaSourceOffset&) const = default;

  /// In the form that Delta writes into a query's offset log, for the table of `table_id`.
  std::string ToJson(std::string_view table_id) const;
  /// Fails with MALFORMED_JSON, and with DELTA_INVALID_SOURCE_OFFSET_FORMAT where members are
  /// missing.
  static Result<DeltaSourceOffset> FromJson(std::string_view json);
};

/// The rows of a Delta table as a stream: those that are there at first, then those of each commit;
/// of the change feed where `readChangeFeed` is set.
class DeltaSource {
 public:
  /// `table` is the reference or file source that the query reads, with its options.
  DeltaSource(plan::RelationPtr table, FileLocation location, plan::Options options,
              std::shared_ptr<SnapshotCache> snapshots);

  const std::string& table_id() const { return table_id_; }

  /// Where the stream begins, as its options say. Fails with DELTA_ILLEGAL_OPTION, and as Latest.
  Result<DeltaSourceOffset> Start();

  /// Where a batch that takes all there is ends. The same as `start` if there is nothing new.
  Result<DeltaSourceOffset> LatestEnd(const DeltaSourceOffset& start);

  /// The rows from `start` to `end` as a relation.
  ///
  /// After the first rows, those of a table come from its change feed, which has to be on. Fails
  /// with DELTA_SOURCE_TABLE_IGNORE_CHANGES or DELTA_SOURCE_IGNORE_DELETE where rows were changed
  /// or deleted in between and no option allows it.
  Result<plan::RelationPtr> Rows(const DeltaSourceOffset& start, const DeltaSourceOffset& end);

 private:
  Result<SnapshotRef> Latest();
  Status RefuseChanges(int64_t first, int64_t last) const;

  plan::RelationPtr table_;
  FileLocation location_;
  plan::Options options_;
  std::shared_ptr<SnapshotCache> snapshots_;
  std::string table_id_;
};

}  // namespace merganser
