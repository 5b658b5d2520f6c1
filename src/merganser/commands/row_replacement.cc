#include "merganser/commands/row_replacement.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "merganser/commands/merge/match_phase.h"
#include "merganser/commands/merge/write_phase.h"
#include "merganser/delta/protocol/statistics.h"
#include "merganser/delta/schema/column_mapping.h"
#include "merganser/delta/schema/partition_value.h"
#include "merganser/delta/table/file_pruning.h"
#include "merganser/spark/analysis/dml_binding.h"
#include "merganser/spark/analysis/file_predicates.h"
#include "merganser/spark/analysis/store_assignment.h"

namespace merganser {
namespace {

void Remove(const FileView& file, int64_t now_ms, RowReplacement& replacement) {
  replacement.removed.push_back(TombstoneOf(file, now_ms));
  replacement.removed_bytes += file.size();
}

/// The log does not promise an order of partition values.
PartitionValues Sorted(PartitionValues values) {
  std::ranges::sort(values);
  return values;
}

std::optional<int64_t> RowsOf(const FileView& file) {
  auto rows = ParseNumRecords(file.stats());
  if (const auto vector = file.deletion_vector(); rows && vector) *rows -= vector->cardinality;
  return rows;
}

/// The whole condition as a predicate on partitions; nothing if rows have to be looked at.
std::optional<FilePredicate> PartitionPredicate(const BoundMerge& merge) {
  const auto names = [&](ColumnId id) -> std::vector<std::string> {
    const auto column = std::ranges::find(merge.target_columns, id, &BoundColumn::id);
    return column == merge.target_columns.end() ? std::vector<std::string>()
                                                : std::vector{column->name};
  };
  const auto conjuncts = SplitConjuncts(merge.condition);
  FilePredicate predicate = ToFilePredicate(conjuncts, names);
  if (predicate.conjuncts.size() != conjuncts.size()) return std::nullopt;
  if (!FilePruner(*merge.snapshot, predicate).partition_only()) return std::nullopt;
  return predicate;
}

/// Remove the files of the partitions that satisfy `predicate`. Nothing if that cannot be told, or
/// if a file does not say how many rows it has.
std::optional<RowReplacement> RemovePartitions(const Snapshot& snapshot,
                                               const FilePredicate& predicate, int64_t now_ms) {
  const FilePruner pruner(snapshot, predicate);
  RowReplacement replacement;
  for (const FileView& file : snapshot.files().Files()) {
    if (!pruner.PartitionMayMatch(file)) continue;
    const auto rows = RowsOf(file);
    if (!rows || !pruner.PartitionSurelyMatches(file.ToAddFile().partition_values))
      return std::nullopt;
    replacement.deleted_rows += *rows;
    Remove(file, now_ms, replacement);
  }
  return replacement;
}

/// Run `merge`, which only deletes. Its new files and tombstones are the replacement's.
Result<RowReplacement> DeleteRows(StatementContext& context, const BoundMerge& merge,
                                  Transaction& transaction, UncommittedFiles& files) {
  MergeMetrics metrics;
  StatementScans scans(context);
  MERGANSER_ASSIGN_OR_RETURN(const MatchResult match,
                             RunMatchPhase(context, scans, merge, metrics));
  if (match.read_whole_table) {
    transaction.ReadWholeTable();
  } else {
    transaction.ReadPredicate(match.read_predicate);
  }
  for (const FileView& file : match.candidates) transaction.ReadFile(std::string(file.path()));
  const bool deletion_vectors = merge.snapshot->properties().enable_deletion_vectors() &&
                                merge.snapshot->Supports("deletionVectors") &&
                                context.conf.delete_deletion_vectors();
  MERGANSER_ASSIGN_OR_RETURN(FileChanges changes, RunWritePhase(context, scans, merge, match,
                                                                WriteTarget::Of(*merge.snapshot),
                                                                deletion_vectors, files, metrics));
  RowReplacement replacement;
  replacement.removed = std::move(changes.removed);
  replacement.kept = std::move(changes.added);
  replacement.change_files = std::move(changes.change_files);
  replacement.deleted_rows = metrics.deleted();
  replacement.copied_rows = metrics.copied;
  replacement.removed_bytes = metrics.bytes_removed;
  return replacement;
}

BoundExpressionPtr Operator(const char* name, const BoundExpressionPtr& left,
                            const BoundExpressionPtr& right) {
  return MakeBound(BoundCall{name, {left, right}, /*is_operator=*/true}, DataType::Boolean(),
                   left->nullable || right->nullable);
}

}  // namespace

RowReplacement ReplaceAll(const StatementContext& context, const Snapshot& snapshot,
                          Transaction& transaction) {
  transaction.ReadWholeTable();
  RowReplacement replacement;
  for (const FileView& file : snapshot.files().Files())
    Remove(file, context.clock.NowMillis(), replacement);
  return replacement;
}

Result<RowReplacement> ReplaceWhere(StatementContext& context, Analyzer& analyzer,
                                    const plan::MultipartName& target,
                                    const plan::ExpressionPtr& condition, Transaction& transaction,
                                    UncommittedFiles& files) {
  plan::Delete command;
  command.target = target;
  command.condition = condition;
  MERGANSER_ASSIGN_OR_RETURN(const BoundMerge merge, BindDelete(analyzer, command, context.conf));
  RowReplacement replacement;
  const auto partitions = PartitionPredicate(merge);
  std::optional<RowReplacement> whole_files;
  if (partitions)
    whole_files = RemovePartitions(*merge.snapshot, *partitions, context.clock.NowMillis());
  if (whole_files) {
    transaction.ReadPredicate(*partitions);
    replacement = *std::move(whole_files);
  } else {
    MERGANSER_ASSIGN_OR_RETURN(replacement, DeleteRows(context, merge, transaction, files));
  }
  replacement.condition = merge.condition;
  replacement.by_condition = true;
  return replacement;
}

Result<RowReplacement> ReplaceMatching(StatementContext& context, Analyzer& analyzer,
                                       const SnapshotRef& snapshot, const BoundRelationPtr& rows,
                                       const std::vector<size_t>& keys, Transaction& transaction,
                                       UncommittedFiles& files) {
  BoundMerge merge;
  merge.snapshot = snapshot;
  merge.schema = snapshot->schema();
  merge.source = rows;
  for (const StructField& field : snapshot->schema()) {
    merge.target_columns.push_back({analyzer.NextId(), field.name, field.type, field.nullable, {}});
    merge.unchanged.push_back(ColumnReference(merge.target_columns.back()));
  }
  for (const size_t key : keys) {
    BoundExpressionPtr same = Operator("=", ColumnReference(merge.target_columns[key]),
                                       ColumnReference(rows->columns[key]));
    merge.condition = merge.condition == nullptr ? same : Operator("and", merge.condition, same);
  }
  merge.matched.push_back({plan::MergeActionKind::kDelete, nullptr, {}});
  MERGANSER_ASSIGN_OR_RETURN(RowReplacement replacement,
                             DeleteRows(context, merge, transaction, files));
  replacement.by_condition = true;
  return replacement;
}

Result<RowReplacement> ReplacePartitionsOf(const StatementContext& context,
                                           const Snapshot& snapshot,
                                           const std::vector<AddFile>& written,
                                           Transaction& transaction) {
  RowReplacement replacement;
  if (snapshot.partition_columns().empty()) return ReplaceAll(context, snapshot, transaction);
  std::set<PartitionValues> partitions;
  for (const AddFile& file : written) partitions.insert(Sorted(file.partition_values));
  for (const PartitionValues& partition : partitions) {
    FilePredicate predicate;
    for (const std::string& name : snapshot.partition_columns()) {
      const StructField& field = *snapshot.schema().Find(name, /*case_sensitive=*/true);
      const std::string physical = PhysicalName(field, snapshot.column_mapping_mode());
      const auto value =
          std::ranges::find(partition, physical, &PartitionValues::value_type::first);
      const std::optional<std::string> text =
          value == partition.end() ? std::nullopt : value->second;
      MERGANSER_ASSIGN_OR_RETURN(Scalar scalar, ParsePartitionValue(field.type, text));
      if (scalar.is_null()) {
        predicate.conjuncts.push_back({{name}, PredicateOperator::kIsNull, {}});
      } else {
        predicate.conjuncts.push_back({{name}, PredicateOperator::kEqual, {std::move(scalar)}});
      }
    }
    transaction.ReadPredicate(std::move(predicate));
  }
  for (const FileView& file : snapshot.files().Files()) {
    if (partitions.contains(Sorted(file.ToAddFile().partition_values))) {
      Remove(file, context.clock.NowMillis(), replacement);
    }
  }
  return replacement;
}

}  // namespace merganser
