#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "merganser/base/result.h"
#include "merganser/io/file_systems.h"
#include "merganser/spark/plan/relation.h"
#include "merganser/streaming/delta_source.h"

namespace merganser {

/// One batch of a streaming query.
struct MicroBatch {
  int64_t id = 0;
  plan::RelationPtr source;         ///< The new rows of what the stream reads.
  std::optional<int64_t> num_rows;  ///< Where the log tells.
  DeltaSourceOffset start;
  DeltaSourceOffset end;
};

/// How a query takes what there is to read.
enum class BatchPace : uint8_t {
  kOngoing,       ///< Batch after batch, within the source's limits.
  kAvailableNow,  ///< What was there when the query started, within the limits.
  kOnce,          ///< The same in one batch.
};

/// The batches of a query that reads one Delta table, planned in a checkpoint folder of Spark's
/// layout: a batch is written down in `offsets` before it runs, and in `commits` when it is done,
/// so that the same batch runs again after a crash, and none twice after success.
///
/// Used by one thread at a time.
class MicroBatches {
 public:
  /// Open or make the checkpoint folder. Fails with kIo and kCorruption classes, and as
  /// DeltaSource::Start.
  static Result<MicroBatches> Open(FileLocation checkpoint, DeltaSource source, BatchPace pace);

  /// The query's id, which its checkpoint keeps.
  const std::string& query_id() const { return query_id_; }
  const DeltaSource& source() const { return source_; }

  /// The next batch, written down; no value if there are no new rows. The same batch is given until
  /// it is committed.
  Result<std::optional<MicroBatch>> Next();
  /// All rows that the query has read, with those of `batch`. Fails as DeltaSource::Rows.
  Result<plan::RelationPtr> RowsSoFar(const MicroBatch& batch);
  /// Note that `batch`, the one that Next gave, is done.
  Status Commit(const MicroBatch& batch);

 private:
  MicroBatches(FileLocation checkpoint, DeltaSource source)
      : checkpoint_(std::move(checkpoint)), source_(std::move(source)) {}
  Status Resume();
  /// Where a batch that was written down ends.
  Result<DeltaSourceOffset> ReadEnd(int64_t batch_id) const;
  /// Where the first batch begins.
  Result<DeltaSourceOffset> ReadStart() const;
  /// Write down that the next batch ends there.
  Status Plan(const DeltaSourceOffset& end);
  std::string PathOf(const char* folder, int64_t batch_id) const;

  FileLocation checkpoint_;
  DeltaSource source_;
  DeltaSource::Limits limits_;
  std::string query_id_;
  int64_t next_id_ = 0;
  DeltaSourceOffset done_;                    ///< Where the last committed batch ended.
  std::optional<DeltaSourceOffset> planned_;  ///< End of batch `next_id_`, if written down.
};

}  // namespace merganser
