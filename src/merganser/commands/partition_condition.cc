#include "merganser/commands/partition_condition.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "merganser/base/json.h"
#include "merganser/commands/statement_scans.h"
#include "merganser/delta/table/file_pruning.h"
#include "merganser/engine/lowering/lowering.h"
#include "merganser/engine/sql_text.h"
#include "merganser/spark/analysis/file_predicates.h"

namespace merganser {
namespace {

/// Delta records the condition before names are resolved, so columns stand with a tick: `('p = a)`.
std::string UnresolvedText(const BoundExpressionPtr& condition) {
  return GeneratedName(
      *Transform(condition, [](const BoundExpressionPtr& node) -> BoundExpressionPtr {
        const auto* column = node->As<BoundColumnRef>();
        if (column == nullptr) return nullptr;
        return MakeBound(BoundColumnRef{column->id, "'" + column->name, {}}, node->type,
                         node->nullable);
      }));
}

Error NotPartitionColumn(const Snapshot& snapshot, std::string name) {
  std::string partitions;
  for (const std::string& column : snapshot.partition_columns())
    partitions += (partitions.empty() ? "" : ", ") + column;
  return Error(ErrorClass::DELTA_NON_PARTITION_COLUMN_REFERENCE,
               {{"columnName", std::move(name)}, {"columnList", partitions}});
}

/// The files whose partition values satisfy a condition that only the engine can evaluate.
Result<std::vector<FileView>> Evaluate(StatementContext& context, const Snapshot& snapshot,
                                       const std::vector<FileView>& files,
                                       const BoundExpression& condition,
                                       const std::vector<BoundColumn>& columns) {
  StatementScans scans(context);
  MERGANSER_ASSIGN_OR_RETURN(const std::string sql, LowerExpression(condition, scans.lowering()));
  MERGANSER_ASSIGN_OR_RETURN(auto source, ScanSourceOf(snapshot, files));
  std::string select = fmt::format("SELECT {} AS file_index", engine::kFileIndexColumn);
  for (const BoundColumn& column : columns) {
    if (snapshot.is_partition_column(column.name)) {
      select +=
          fmt::format(", {} AS {}", engine::QuoteIdentifier(column.name), EngineColumn(column.id));
    }
  }
  MERGANSER_ASSIGN_OR_RETURN(const engine::RowTable chosen,
                             context.connection->QueryTable(
                                 fmt::format("SELECT DISTINCT CAST(file_index AS BIGINT) AS f FROM "
                                             "({} FROM {} AS scan) AS rows WHERE {} ORDER BY f",
                                             select, scans.Register(std::move(source)), sql)));
  std::vector<FileView> result;
  for (int64_t row = 0; row < chosen.num_rows(); ++row) {
    result.push_back(files[static_cast<size_t>(chosen.Int64(row, 0))]);
  }
  return result;
}

}  // namespace

std::string PartitionChoice::ForHistory() const {
  Json list = Json::MakeArray();
  if (!text.empty()) list.Append(text);
  return list.Dump();
}

Result<PartitionChoice> ChoosePartitions(StatementContext& context, Analyzer& analyzer,
                                         const TargetTable& target,
                                         const plan::ExpressionPtr& condition) {
  const Snapshot& snapshot = *target.snapshot;
  PartitionChoice choice;
  choice.files = snapshot.files().Files();
  if (condition == nullptr) return choice;

  std::vector<BoundColumn> columns;
  Scope scope;
  for (const StructField& field : snapshot.schema()) {
    columns.push_back({analyzer.NextId(), field.name, field.type, true, {}});
    ScopeColumn column{.column = columns.back()};
    column.identity = column.column.id;
    scope.Add(std::move(column));
  }
  auto bound_condition = analyzer.BindExpression(condition, scope);
  if (!bound_condition.ok()) {
    // A name of nothing is no partition column either.
    const Error& error = bound_condition.error();
    if (error.error_class() != ErrorClass::UNRESOLVED_COLUMN) return error;
    std::string name = error.parameters().at("objectName");
    std::erase(name, '`');
    return NotPartitionColumn(snapshot, std::move(name));
  }
  const BoundExpressionPtr bound = std::move(bound_condition).value();
  if (snapshot.Supports("clustering"))
    return Error(ErrorClass::DELTA_CLUSTERING_WITH_PARTITION_PREDICATE,
                 {{"predicates", UnresolvedText(bound)}});
  std::vector<ColumnId> used;
  CollectColumns(*bound, used);
  const auto find = [&](ColumnId id) { return std::ranges::find(columns, id, &BoundColumn::id); };
  for (const ColumnId id : used) {
    const auto column = find(id);
    if (column == columns.end() || snapshot.is_partition_column(column->name)) continue;
    return NotPartitionColumn(snapshot, column->name);
  }
  const auto names = [&](ColumnId id) -> std::vector<std::string> {
    const auto column = find(id);
    return column == columns.end() ? std::vector<std::string>() : std::vector{column->name};
  };
  const auto conjuncts = SplitConjuncts(bound);
  choice.text = UnresolvedText(bound);
  choice.predicate = ToFilePredicate(conjuncts, names);
  choice.files = PruneFiles(snapshot, choice.predicate).files;
  if (choice.predicate.conjuncts.size() < conjuncts.size()) {
    MERGANSER_ASSIGN_OR_RETURN(choice.files,
                               Evaluate(context, snapshot, choice.files, *bound, columns));
  }
  return choice;
}

}  // namespace merganser
