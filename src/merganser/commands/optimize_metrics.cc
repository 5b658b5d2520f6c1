#include "merganser/commands/optimize_metrics.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "merganser/commands/command_rows.h"

namespace merganser {
namespace {

/// A count that is always there.
StructField Number(const char* name) { return {name, DataType::Long(), false, {}}; }

StructField Optional(const char* name) { return {name, DataType::Long(), true, {}}; }

StructField Nested(const char* name, std::vector<StructField> fields) {
  return {name, DataType::Struct(StructType(std::move(fields))), true, {}};
}

StructField FileSizes(const char* name) {
  return Nested(name, {Optional("min"),
                       Optional("max"),
                       {"avg", DataType::Double(), false, {}},
                       Number("totalFiles"),
                       Number("totalSize")});
}

StructField FileCount(const char* name, const char* count) {
  return Nested(name, {Number(count), Number("size")});
}

int64_t Sum(const std::vector<int64_t>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{0});
}

int64_t Count(const std::vector<int64_t>& sizes) { return static_cast<int64_t>(sizes.size()); }

CommandCell Sizes(const std::vector<int64_t>& sizes) {
  CommandStruct cell;
  if (sizes.empty()) {
    cell.emplace_back();
    cell.emplace_back();
    cell.emplace_back(0.0);
  } else {
    cell.emplace_back(*std::ranges::min_element(sizes));
    cell.emplace_back(*std::ranges::max_element(sizes));
    cell.emplace_back(static_cast<double>(Sum(sizes)) / static_cast<double>(sizes.size()));
  }
  cell.emplace_back(Count(sizes));
  cell.emplace_back(Sum(sizes));
  return cell;
}

CommandCell Files(int64_t count, int64_t bytes) { return CommandStruct{count, bytes}; }

/// The size below which `fraction` of the files are, as Delta reads it off the sorted sizes.
int64_t Percentile(std::vector<int64_t> sizes, double fraction) {
  if (sizes.empty()) return 0;
  std::ranges::sort(sizes);
  const auto place = static_cast<size_t>(fraction * static_cast<double>(sizes.size()));
  return sizes[std::min(place, sizes.size() - 1)];
}

}  // namespace

StructType OptimizeSchema() {
  const StructField z_order = Nested("zOrderStats", {{"strategyName", DataType::String(), true, {}},
                                                     FileCount("inputCubeFiles", "num"),
                                                     FileCount("inputOtherFiles", "num"),
                                                     Number("inputNumCubes"),
                                                     FileCount("mergedFiles", "num"),
                                                     Number("numOutputCubes"),
                                                     Optional("mergedNumCubes")});
  const StructField clustering =
      Nested("clusteringStats", {FileCount("inputZCubeFiles", "numFiles"),
                                 FileCount("inputOtherFiles", "numFiles"), Number("inputNumZCubes"),
                                 FileCount("mergedFiles", "numFiles"), Number("numOutputZCubes")});
  const StructField parallelism =
      Nested("autoCompactParallelismStats",
             {Optional("maxClusterActiveParallelism"), Optional("minClusterActiveParallelism"),
              Optional("maxSessionActiveParallelism"), Optional("minSessionActiveParallelism")});
  const StructField vectors =
      Nested("deletionVectorStats",
             {Number("numDeletionVectorsRemoved"), Number("numDeletionVectorRowsRemoved")});
  return StructType({{"path", DataType::String(), true, {}},
                     Nested("metrics", {Number("numFilesAdded"),
                                        Number("numFilesRemoved"),
                                        FileSizes("filesAdded"),
                                        FileSizes("filesRemoved"),
                                        Number("partitionsOptimized"),
                                        z_order,
                                        clustering,
                                        Number("numBins"),
                                        Number("numBatches"),
                                        Number("totalConsideredFiles"),
                                        Number("totalFilesSkipped"),
                                        {"preserveInsertionOrder", DataType::Boolean(), false, {}},
                                        Number("numFilesSkippedToReduceWriteAmplification"),
                                        Number("numBytesSkippedToReduceWriteAmplification"),
                                        Number("startTimeMs"),
                                        Number("endTimeMs"),
                                        Number("totalClusterParallelism"),
                                        Number("totalScheduledTasks"),
                                        parallelism,
                                        vectors,
                                        Number("numTableColumns"),
                                        Number("numTableColumnsWithStats")})});
}

Result<ResultSet> OptimizeResult(StatementContext& context, const std::string& path,
                                 const OptimizeMetrics& metrics) {
  const int64_t removed = Count(metrics.removed_sizes);
  const int64_t removed_bytes = Sum(metrics.removed_sizes);
  CommandCell z_order;
  if (!metrics.strategy.empty()) {
    z_order = CommandStruct{metrics.strategy,
                            Files(0, 0),
                            Files(removed, removed_bytes),
                            int64_t{0},
                            Files(removed, removed_bytes),
                            metrics.bins,
                            CommandCell()};
  }
  CommandCell clustering;
  if (metrics.clustered) {
    clustering = CommandStruct{Files(0, 0), Files(removed, removed_bytes), int64_t{0},
                               Files(removed, removed_bytes), metrics.bins};
  }
  CommandCell vectors;
  if (metrics.deletion_vectors_removed > 0) {
    vectors = CommandStruct{metrics.deletion_vectors_removed, metrics.deleted_rows_removed};
  }
  CommandStruct cells;
  cells.emplace_back(Count(metrics.added_sizes));
  cells.emplace_back(removed);
  cells.push_back(Sizes(metrics.added_sizes));
  cells.push_back(Sizes(metrics.removed_sizes));
  cells.emplace_back(metrics.partitions);
  cells.push_back(std::move(z_order));
  cells.push_back(std::move(clustering));
  cells.emplace_back(metrics.bins);
  cells.emplace_back(int64_t{1});
  cells.emplace_back(metrics.considered_files);
  cells.emplace_back(metrics.considered_files - removed);
  cells.emplace_back(false);
  cells.emplace_back(int64_t{0});
  cells.emplace_back(int64_t{0});
  cells.emplace_back(metrics.start_ms);
  cells.emplace_back(metrics.end_ms);
  cells.emplace_back(int64_t{1});
  cells.emplace_back(metrics.bins);
  cells.emplace_back();
  cells.push_back(std::move(vectors));
  cells.emplace_back(metrics.table_columns);
  cells.emplace_back(metrics.table_columns_with_statistics);
  return CommandResult(context, OptimizeSchema(), {{path, std::move(cells)}});
}

void AddMetrics(const OptimizeMetrics& metrics, Operation& operation) {
  const auto& added = metrics.added_sizes;
  operation.Metric("numAddedFiles", Count(added))
      .Metric("numRemovedFiles", Count(metrics.removed_sizes))
      .Metric("numAddedBytes", Sum(added))
      .Metric("numRemovedBytes", Sum(metrics.removed_sizes))
      .Metric("numDeletionVectorsRemoved", metrics.deletion_vectors_removed)
      .Metric("minFileSize", Percentile(added, 0))
      .Metric("p25FileSize", Percentile(added, 0.25))
      .Metric("p50FileSize", Percentile(added, 0.5))
      .Metric("p75FileSize", Percentile(added, 0.75))
      .Metric("maxFileSize", Percentile(added, 1));
}

}  // namespace merganser
