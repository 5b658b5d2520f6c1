#include "merganser/commands/optimize.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "merganser/base/json.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/base/uuid.h"
#include "merganser/commands/commit.h"
#include "merganser/commands/file_rewrite.h"
#include "merganser/commands/optimize_metrics.h"
#include "merganser/commands/partition_condition.h"
#include "merganser/commands/type_changes.h"
#include "merganser/delta/protocol/data_path.h"
#include "merganser/delta/protocol/statistics.h"
#include "merganser/delta/schema/column_mapping.h"
#include "merganser/engine/lowering/lowering.h"
#include "merganser/engine/sql_text.h"

namespace merganser {
namespace {

constexpr const char* kClusteringProvider = "liquid";
constexpr const char* kCubeTag = "ZCUBE_ID";

/// What to rewrite and how.
struct RewritePlan {
  PartitionChoice partitions;
  std::vector<ColumnPath> cluster_by;
  /// The table itself is clustered: new files say so.
  bool is_clustered = false;
  /// Rewrite files that are alone in their group, too.
  bool takes_single_files = false;
  std::function<bool(const FileView&)> takes;
};

double DeletedRatio(const FileView& file) {
  const auto vector = file.deletion_vector();
  if (!vector) return 0;
  const auto records = ParseNumRecords(file.stats());
  // A file that does not say how many rows it has is worth rewriting: the new one will.
  if (!records || *records == 0) return 1;
  return static_cast<double>(vector->cardinality) / static_cast<double>(*records);
}

std::vector<std::vector<FileView>> Groups(const StatementContext& context,
                                          const std::vector<FileView>& files,
                                          const RewritePlan& plan) {
  std::vector<std::vector<FileView>> groups;
  for (auto& partition : GroupByPartition(files)) {
    if (!plan.cluster_by.empty()) {
      groups.push_back(std::move(partition));
      continue;
    }
    std::ranges::sort(partition, {}, &FileView::size);
    for (auto& group : PackBySize(partition, context.conf.optimize_max_file_size())) {
      if (group.size() > 1 || plan.takes_single_files) groups.push_back(std::move(group));
    }
  }
  return groups;
}

/// A clustered table whose files are all of one run of OPTIMIZE has nothing to gain from another.
bool IsClusteredAlready(const std::vector<FileView>& files) {
  std::string cube;
  for (const FileView& file : files) {
    const AddFile add = file.ToAddFile();
    if (add.clustering_provider != kClusteringProvider || !add.tags) return false;
    const auto tag = add.tags->find(kCubeTag);
    if (tag == add.tags->end() || (!cube.empty() && cube != tag->second)) return false;
    cube = tag->second;
  }
  return true;
}

void MarkClustered(std::vector<AddFile>& files, const std::vector<ColumnPath>& columns) {
  const std::string cube = RandomUuid();
  for (AddFile& file : files) {
    file.clustering_provider = kClusteringProvider;
    StringMap tags = file.tags.value_or(StringMap());
    tags[kCubeTag] = cube;
    tags["ZCUBE_ZORDER_BY"] = JsonList(ToStrings(columns));
    tags["ZCUBE_ZORDER_CURVE"] = "hilbert";
    file.tags = std::move(tags);
  }
}

/// Rewrites groups of files and commits them as one version.
class Rewrite {
 public:
  Rewrite(StatementContext& context, const TargetTable& target, const RewritePlan& plan)
      : context_(context), target_(target), snapshot_(*target.snapshot), plan_(plan) {}

  Result<OptimizeMetrics> Run(Operation operation) {
    metrics_.start_ms = context_.clock.NowMillis();
    const std::vector<FileView>& candidates = plan_.partitions.files;
    metrics_.considered_files = static_cast<int64_t>(candidates.size());
    std::vector<FileView> chosen;
    std::ranges::copy_if(candidates, std::back_inserter(chosen), plan_.takes);
    const bool is_done = plan_.is_clustered && IsClusteredAlready(chosen);
    const auto groups =
        is_done ? std::vector<std::vector<FileView>>() : Groups(context_, chosen, plan_);
    CountColumns();
    if (!groups.empty()) MERGANSER_RETURN_IF_ERROR(RewriteGroups(groups, std::move(operation)));
    metrics_.end_ms = context_.clock.NowMillis();
    return metrics_;
  }

 private:
  void CountColumns() {
    metrics_.table_columns = static_cast<int64_t>(snapshot_.schema().size());
    const int64_t indexed = snapshot_.properties().data_skipping_num_indexed_columns();
    metrics_.table_columns_with_statistics =
        indexed < 0 ? indexed : std::min(indexed, metrics_.table_columns);
    if (plan_.is_clustered) metrics_.clustered = true;
    if (!plan_.cluster_by.empty() && !plan_.is_clustered) metrics_.strategy = "all";
  }

  Status RewriteGroups(const std::vector<std::vector<FileView>>& groups, Operation operation) {
    MERGANSER_ASSIGN_OR_RETURN(
        Transaction transaction,
        Transaction::Start(target_.snapshot, context_.transaction_options()));
    if (!plan_.partitions.predicate.empty()) transaction.ReadPredicate(plan_.partitions.predicate);
    const WriteTarget target = WriteTarget::Of(snapshot_);
    UncommittedFiles files(snapshot_.table().file_system);
    const RewriteLayout layout{context_.conf.optimize_max_file_size(), plan_.cluster_by};
    std::vector<AddFile> all_added;
    for (const auto& group : groups) {
      MERGANSER_ASSIGN_OR_RETURN(auto added,
                                 RewriteFiles(context_, snapshot_, group, target, layout, files));
      MERGANSER_RETURN_IF_ERROR(CheckRows(group, added));
      for (AddFile& file : added) all_added.push_back(std::move(file));
      for (const FileView& file : group) {
        transaction.ReadFile(std::string(file.path()));
        CountRemoved(file);
        transaction.Remove(TombstoneOf(file, context_.clock.NowMillis(), /*data_change=*/false));
      }
    }
    if (plan_.is_clustered) MarkClustered(all_added, plan_.cluster_by);
    for (AddFile& file : all_added) {
      metrics_.added_sizes.push_back(file.size);
      transaction.Add(std::move(file));
    }
    metrics_.bins = static_cast<int64_t>(groups.size());
    metrics_.partitions = static_cast<int64_t>(GroupByPartition(FirstFiles(groups)).size());
    AddMetrics(metrics_, operation);
    auto committed =
        CommitStatement(context_, std::move(transaction), std::move(operation), &files);
    return committed.ok() ? Status::Ok() : Status(std::move(committed).error());
  }

  static std::vector<FileView> FirstFiles(const std::vector<std::vector<FileView>>& groups) {
    std::vector<FileView> files;
    for (const auto& group : groups) files.push_back(group[0]);
    return files;
  }

  void CountRemoved(const FileView& file) {
    metrics_.removed_sizes.push_back(file.size());
    if (const auto vector = file.deletion_vector()) {
      metrics_.deletion_vectors_removed += 1;
      metrics_.deleted_rows_removed += vector->cardinality;
    }
  }

  /// No row may get lost: what was written against what the log says was there.
  static Status CheckRows(const std::vector<FileView>& group, const std::vector<AddFile>& added) {
    int64_t before = 0;
    for (const FileView& file : group) {
      const auto records = ParseNumRecords(file.stats());
      if (!records) return Status::Ok();
      before += *records;
      if (const auto vector = file.deletion_vector()) before -= vector->cardinality;
    }
    int64_t after = 0;
    for (const AddFile& file : added) after += ParseNumRecords(file.stats.value_or("")).value_or(0);
    if (before == after) return Status::Ok();
    return Error(ErrorClass::DELTA_NUM_RECORDS_MISMATCH,
                 {{"operation", "OPTIMIZE"},
                  {"numAddedRecords", std::to_string(after)},
                  {"numRemovedRecords", std::to_string(before)}});
  }

  StatementContext& context_;
  const TargetTable& target_;
  const Snapshot& snapshot_;
  const RewritePlan& plan_;
  OptimizeMetrics metrics_;
};

/// The columns of ZORDER BY in the table's spelling.
Result<std::vector<ColumnPath>> FindZOrderColumns(const plan::Optimize& command,
                                                  const Snapshot& snapshot) {
  std::vector<ColumnPath> columns;
  const auto with_statistics = StatisticsColumns(
      snapshot.physical_schema(), snapshot.partition_columns(), snapshot.properties());
  for (const ColumnPath& wanted : command.zorder_by) {
    ColumnPath path;
    FieldPath physical;
    const StructType* level = &snapshot.schema();
    for (const std::string& name : wanted) {
      const StructField* field = level == nullptr ? nullptr : level->Find(name);
      if (field == nullptr) {
        return Error(ErrorClass::DELTA_ZORDERING_COLUMN_DOES_NOT_EXIST,
                     {{"columnName", QuotedIfNeeded(wanted)}});
      }
      path.push_back(field->name);
      physical.push_back(PhysicalName(*field, snapshot.column_mapping_mode()));
      level = field->type.is(TypeId::kStruct) ? &field->type.fields() : nullptr;
    }
    if (path.size() == 1 && snapshot.is_partition_column(path[0])) {
      return Error(ErrorClass::DELTA_ZORDERING_ON_PARTITION_COLUMN, {{"colName", path[0]}});
    }
    const bool has_statistics = std::ranges::any_of(
        with_statistics, [&](const StatisticsColumn& column) { return column.path == physical; });
    if (!has_statistics) {
      return Error(ErrorClass::DELTA_ZORDERING_ON_COLUMN_WITHOUT_STATS,
                   {{"cols", "[" + QuotedIfNeeded(path) + "]"},
                    {"zorderColStatKey",
                     "spark.databricks.delta.optimize.zorder.checkStatsCollection.enabled"}});
    }
    columns.push_back(std::move(path));
  }
  return columns;
}

/// Paths of the files in which a column that was widened has another type than it has now.
Result<std::set<std::string, std::less<>>> FilesOfOldTypes(StatementContext& context,
                                                           const Snapshot& snapshot) {
  std::set<std::string, std::less<>> old;
  for (const FileView& file : snapshot.files().Files()) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string path, DataFilePath(snapshot.path(), file.path()));
    MERGANSER_ASSIGN_OR_RETURN(
        const auto rows,
        context.connection->Query("SELECT * FROM read_parquet(" + engine::QuoteString(path) +
                                  ", hive_partitioning = false) LIMIT 0"));
    for (size_t i = 0; i < snapshot.schema().size(); ++i) {
      if (!HasTypeChanges(StructType({snapshot.schema()[i]}))) continue;
      const StructField* stored = rows->schema().Find(snapshot.physical_schema()[i].name);
      const bool differs =
          stored != nullptr && EngineType(stored->type) != EngineType(snapshot.schema()[i].type);
      if (differs) old.insert(std::string(file.path()));
    }
  }
  return old;
}

/// UPGRADE UNIFORM ends with Iceberg metadata, which nobody would write.
Error UpgradeError(int version) {
  constexpr int kLastVersion = 2;
  if (version >= 1 && version <= kLastVersion)
    return Error(ErrorClass::DELTA_MISSING_ICEBERG_CLASS, {{"docLink", "docs/features.md"}});
  return Error(ErrorClass::DELTA_ICEBERG_COMPAT_VIOLATION,
               {{"version", std::to_string(version)}, {"maxVersion", std::to_string(kLastVersion)}},
               "COMPAT_VERSION_NOT_SUPPORTED");
}

}  // namespace

Status RewriteOldTypes(StatementContext& context, const TargetTable& target) {
  const auto analyzer = context.MakeAnalyzer();
  RewritePlan plan;
  MERGANSER_ASSIGN_OR_RETURN(plan.partitions,
                             ChoosePartitions(context, *analyzer, target, nullptr));
  MERGANSER_ASSIGN_OR_RETURN(const auto old, FilesOfOldTypes(context, *target.snapshot));
  plan.takes_single_files = true;
  plan.takes = [&](const FileView& file) { return old.contains(file.path()); };
  Operation operation;
  operation.name = "REORG";
  operation.Encoded("predicate", plan.partitions.ForHistory()).Boolean("applyPurge", true);
  auto metrics = Rewrite(context, target, plan).Run(std::move(operation));
  return metrics.ok() ? Status::Ok() : Status(std::move(metrics).error());
}

Result<ResultSet> RunOptimize(StatementContext& context, const plan::Optimize& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const TargetTable target,
                             FindTargetTable(*analyzer, command.name, "OPTIMIZE"));
  const Snapshot& snapshot = *target.snapshot;
  RewritePlan plan;
  plan.is_clustered = snapshot.Supports("clustering");
  const auto clustering = ClusteringColumns(snapshot);
  if (plan.is_clustered && !command.zorder_by.empty()) {
    return Error(ErrorClass::DELTA_CLUSTERING_WITH_ZORDER_BY,
                 {{"zOrderBy", QuotedIfNeeded(command.zorder_by[0])}});
  }
  MERGANSER_ASSIGN_OR_RETURN(plan.partitions,
                             ChoosePartitions(context, *analyzer, target, command.condition));
  if (command.full && clustering.empty())
    return Error(ErrorClass::DELTA_OPTIMIZE_FULL_NOT_SUPPORTED);
  MERGANSER_ASSIGN_OR_RETURN(plan.cluster_by, FindZOrderColumns(command, snapshot));
  if (plan.is_clustered) plan.cluster_by = clustering;
  plan.is_clustered = !clustering.empty();
  plan.takes = [&](const FileView& file) {
    return !plan.cluster_by.empty() || file.size() < context.conf.optimize_min_file_size() ||
           DeletedRatio(file) > context.conf.optimize_max_deleted_rows_ratio();
  };

  Operation operation;
  operation.name = "OPTIMIZE";
  operation.Encoded("predicate", plan.partitions.ForHistory())
      .Encoded("zOrderBy", JsonList(plan.is_clustered ? std::vector<std::string>()
                                                      : ToStrings(plan.cluster_by)))
      .Encoded("clusterBy",
               JsonList(plan.is_clustered ? ToStrings(clustering) : std::vector<std::string>()))
      .Boolean("auto", false);
  if (plan.is_clustered && command.full) operation.Boolean("isFull", true);
  MERGANSER_ASSIGN_OR_RETURN(const OptimizeMetrics metrics,
                             Rewrite(context, target, plan).Run(std::move(operation)));
  return OptimizeResult(context, snapshot.table().uri, metrics);
}

Result<ResultSet> RunReorgPurge(StatementContext& context, const plan::ReorgPurge& command) {
  if (command.upgrade_uniform) return Error(UpgradeError(*command.upgrade_uniform));
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const TargetTable target,
                             FindTargetTable(*analyzer, command.name, "REORG"));
  RewritePlan plan;
  MERGANSER_ASSIGN_OR_RETURN(plan.partitions,
                             ChoosePartitions(context, *analyzer, target, command.condition));
  plan.takes_single_files = true;
  plan.takes = [](const FileView& file) { return file.has_deletion_vector(); };
  Operation operation;
  operation.name = "REORG";
  operation.Encoded("predicate", plan.partitions.ForHistory()).Boolean("applyPurge", true);
  MERGANSER_ASSIGN_OR_RETURN(const OptimizeMetrics metrics,
                             Rewrite(context, target, plan).Run(std::move(operation)));
  return OptimizeResult(context, target.snapshot->table().uri, metrics);
}

}  // namespace merganser
