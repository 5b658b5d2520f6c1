#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/protocol/statistics.h"
#include "merganser/delta/schema/partition_value.h"
#include "merganser/delta/table/file_predicate.h"
#include "merganser/delta/table/snapshot.h"

namespace merganser {

/// Judges files by a predicate: their partition values first, then their statistics.
///
/// Never wrong to the unsafe side: a file is passed over only if no row of it can satisfy the
/// predicate. Unknown columns, missing or odd statistics and values that cannot be compared keep
/// the file. Not for two threads at once: it reuses its buffers.
class FilePruner {
 public:
  FilePruner(const Snapshot& snapshot, FilePredicate predicate,
             LocalToInstant local_to_instant = {});

  /// May a row of the file satisfy the predicate?
  bool MayMatch(const FileView& file) const;
  bool MayMatch(const AddFile& file) const;
  /// The same, judged by partition values alone.
  bool PartitionMayMatch(const FileView& file) const;
  bool PartitionMayMatch(const PartitionValues& values) const;
  /// The same, judged by statistics alone: the text of AddFile::stats, empty if there is none.
  bool StatisticsMayMatch(std::string_view stats) const;
  /// Does every row of the file satisfy the predicate? True only if the partition values prove it;
  /// then a DELETE may drop the file without reading it.
  bool PartitionSurelyMatches(const PartitionValues& values) const;
  /// All conjuncts are about partition columns.
  bool partition_only() const { return statistics_conjuncts_.empty(); }

 private:
  struct Conjunct {
    ColumnPredicate predicate;
    DataType type;
    std::string partition_column;  // Physical name; empty if the column is data.
    size_t statistics_index = 0;   // Into the columns of reader_.
  };
  std::vector<Conjunct> partition_conjuncts_;
  std::vector<Conjunct> statistics_conjuncts_;
  LocalToInstant local_to_instant_;
  std::unique_ptr<StatisticsReader> reader_;  // Of the columns the predicate tests.
  mutable FileStatistics statistics_;
};

/// The files a scan has to read.
struct FileSelection {
  std::vector<FileView> files;  ///< Valid as long as the snapshot.
  size_t total_files = 0;
  size_t files_after_partition_pruning = 0;
  int64_t total_bytes = 0;
  int64_t selected_bytes = 0;
};

FileSelection PruneFiles(const Snapshot& snapshot, const FilePredicate& predicate,
                         const LocalToInstant& local_to_instant = {});

/// Rows of the table from statistics alone, deletion vectors taken off: nothing if a file does not
/// say.
std::optional<int64_t> CountRows(const Snapshot& snapshot);

}  // namespace merganser
