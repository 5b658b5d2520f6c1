#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/base/version.h"
#include "merganser/delta/protocol/actions.h"
#include "merganser/delta/table/snapshot.h"
#include "merganser/spark/catalog/snapshot_cache.h"
#include "merganser/spark/plan/relation.h"
#include "merganser/streaming/delta_source_options.h"

namespace merganser {

/// How far a stream has read a Delta table: all that commits before `version` added, and of that
/// version the files up to and with number `index`.
struct DeltaSourceOffset {
  int64_t version = 0;
  int64_t index = -1;
  /// The files are those of the whole table at `version`, oldest first, with which a stream begins,
  /// and not only those that the commit added.
  bool initial = false;
  bool operator==(const DeltaSourceOffset&) const = default;

  /// In the form that Delta writes into a query's offset log, for the table of `table_id`.
  std::string ToJson(std::string_view table_id) const;
  /// Fails with MALFORMED_JSON, and with DELTA_INVALID_SOURCE_OFFSET_FORMAT where members are
  /// missing.
  static Result<DeltaSourceOffset> FromJson(std::string_view json);
};

/// The rows of a Delta table as a stream: those that are there at first, then those that each
/// commit adds; of the change feed where the options say so.
class DeltaSource {
 public:
  /// What a batch may take at most.
  struct Limits {
    bool files = true;  ///< As many files and bytes as the options say; else all there is.
    std::optional<int64_t> last_version = {};  ///< No later version.
  };

  /// `table` is the reference or file source that the query reads.
  DeltaSource(plan::RelationPtr table, FileLocation location, DeltaSourceOptions options,
              std::shared_ptr<SnapshotCache> snapshots);

  const std::string& table_id() const { return table_id_; }
  const std::string& uri() const { return location_.uri; }

  /// The newest version. Fails with DELTA_MISSING_DELTA_TABLE, and as Snapshot::Load.
  Result<int64_t> LatestVersion();

  /// Where the stream begins, as its options say. Fails with DELTA_TIMESTAMP_GREATER_THAN_COMMIT,
  /// and as LatestVersion.
  Result<DeltaSourceOffset> Start();

  /// Where the batch that begins at `start` ends.
  struct Extent {
    DeltaSourceOffset end;
    int64_t num_files = 0;  ///< None: there are no new rows, whatever the end is.
  };
  /// Fails with DELTA_SOURCE_TABLE_IGNORE_CHANGES or DELTA_SOURCE_IGNORE_DELETE where rows were
  /// changed or deleted and no option allows it; and as LatestVersion.
  Result<Extent> NextExtent(const DeltaSourceOffset& start, const Limits& limits);

  /// The rows from `start` to `end`.
  struct Batch {
    plan::RelationPtr rows;
    std::optional<int64_t> num_rows;  ///< Where the log tells.
  };
  /// Fails as NextExtent.
  Result<Batch> Rows(const DeltaSourceOffset& start, const DeltaSourceOffset& end);

  /// No rows, with the stream's columns. Fails as LatestVersion.
  Result<plan::RelationPtr> NoRows();

 private:
  class Admission;

  Result<SnapshotRef> Latest();
  using Files = std::shared_ptr<const std::vector<AddFile>>;

  /// The files of an offset's version, in the order of their numbers. Those asked for last are
  /// kept: the batches of a version, and the bounds and the rows of a batch, ask for the same.
  Result<Files> FilesAt(int64_t version, bool initial);
  Result<std::vector<AddFile>> ReadFilesAt(int64_t version, bool initial);
  Result<Extent> NextChanges(const DeltaSourceOffset& start, int64_t last, Admission& admission);
  Result<Batch> ChangeRows(const DeltaSourceOffset& start, const DeltaSourceOffset& end);

  plan::RelationPtr table_;
  FileLocation location_;
  DeltaSourceOptions options_;
  std::shared_ptr<SnapshotCache> snapshots_;
  std::string table_id_;
  std::pair<int64_t, bool> files_of_ = {-1, false};
  Files files_;
};

}  // namespace merganser
