#include "merganser/commands/insert.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "merganser/base/json.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/commands/table_writer.h"
#include "merganser/spark/analysis/store_assignment.h"

namespace merganser {
namespace {

/// The query's columns in the order of the table's: for each table column, the position of its query column.
using ColumnMap = std::vector<std::optional<size_t>>;

Result<ColumnMap> MapColumns(Analyzer& analyzer, const plan::InsertInto& command, const BoundRelation& query,
                             const Snapshot& snapshot, const std::string& table_name) {
  const StructType& schema = snapshot.schema();
  ColumnMap map(schema.size());
  if (command.by_name) {
    for (size_t i = 0; i < query.columns.size(); ++i) {
      const int target = schema.IndexOf(query.columns[i].name, analyzer.typing().case_sensitive);
      if (target < 0) return Error(ErrorClass::DELTA_METADATA_MISMATCH);
      map[static_cast<size_t>(target)] = i;
    }
    return map;
  }
  std::vector<size_t> targets;
  for (const plan::MultipartName& name : command.columns) {
    const int target = schema.IndexOf(name.parts.back(), analyzer.typing().case_sensitive);
    if (target < 0) {
      std::vector<BoundColumn> columns;
      return analyzer.UnresolvedColumn(name.parts, Scope(), name.origin);
    }
    if (std::ranges::find(targets, static_cast<size_t>(target)) != targets.end()) {
      return Error(ErrorClass::COLUMN_ALREADY_EXISTS, {{"columnName", QuotedIdentifier(name.parts)}});
    }
    targets.push_back(static_cast<size_t>(target));
  }
  if (command.columns.empty()) {
    for (size_t i = 0; i < schema.size(); ++i) targets.push_back(i);
  }
  if (query.columns.size() < targets.size()) {
    return Error(ErrorClass::DELTA_INSERT_COLUMN_ARITY_MISMATCH,
                 {{"tableName", table_name},
                  {"columnName", schema[targets[query.columns.size()]].name},
                  {"numColumns", std::to_string(targets.size())},
                  {"insertColumns", std::to_string(query.columns.size())}});
  }
  if (query.columns.size() > targets.size()) return Error(ErrorClass::DELTA_METADATA_MISMATCH);
  for (size_t i = 0; i < targets.size(); ++i) map[targets[i]] = i;
  return map;
}

/// The query's rows as rows of the table.
Result<BoundRelationPtr> AlignRows(StatementContext& context, Analyzer& analyzer, const BoundRelationPtr& query,
                                   const ColumnMap& map, const StructType& schema) {
  BoundProject project{query, {}};
  std::vector<BoundColumn> columns;
  for (size_t i = 0; i < schema.size(); ++i) {
    BoundExpressionPtr value;
    if (map[i]) {
      value = ColumnReference(query->columns[*map[i]]);
    } else {
      value = MakeBound(plan::Literal{schema[i].type, std::monostate{}}, schema[i].type, true);
    }
    MERGANSER_ASSIGN_OR_RETURN(
        const BoundExpressionPtr stored,
        StoreAssign(value, schema[i], context.conf.store_assignment_policy(), analyzer.typing()));
    const ColumnId id = analyzer.NextId();
    columns.push_back({id, schema[i].name, schema[i].type, stored->nullable, {}});
    project.outputs.push_back({stored, id});
  }
  return MakeBoundRelation(std::move(project), std::move(columns));
}

/// Does the query read the table it is inserted into? Then the insert depends on its rows.
bool Reads(const BoundRelation& relation, const Snapshot& snapshot) {
  const auto any = [&](std::initializer_list<const BoundRelationPtr*> children) {
    return std::ranges::any_of(children, [&](const BoundRelationPtr* child) { return Reads(**child, snapshot); });
  };
  return std::visit(
      [&](const auto& node) {
        using Node = std::decay_t<decltype(node)>;
        if constexpr (std::is_same_v<Node, BoundScan>) {
          return node.snapshot->path() == snapshot.path();
        } else if constexpr (requires { node.left; }) {
          return any({&node.left, &node.right});
        } else if constexpr (requires { node.child; }) {
          return any({&node.child});
        } else {
          return false;
        }
      },
      relation.node);
}

Operation DescribeWrite(const plan::InsertInto& command, const Snapshot& snapshot, const WrittenRows& written) {
  Operation operation;
  operation.name = "WRITE";
  operation.Text("mode", command.overwrite ? "Overwrite" : "Append");
  Json partitions = Json::MakeArray();
  for (const std::string& column : snapshot.partition_columns()) partitions.Append(column);
  operation.Encoded("partitionBy", partitions.Dump());
  operation.Metric("numFiles", static_cast<int64_t>(written.files.size()))
      .Metric("numOutputRows", written.num_rows)
      .Metric("numOutputBytes", written.num_bytes);
  return operation;
}

}  // namespace

Result<ResultSet> RunInsert(StatementContext& context, const plan::InsertInto& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const CatalogEntry entry, analyzer->FindTable(command.target));
  const auto* table = std::get_if<CatalogTable>(&entry);
  MERGANSER_ASSIGN_OR_RETURN(const auto parts, analyzer->NameParts(command.target));
  if (table == nullptr) {
    return Error(ErrorClass::EXPECT_TABLE_NOT_VIEW,
                 {{"viewName", QuotedIdentifier(parts)}, {"operation", "INSERT"}}, "NO_ALTERNATIVE");
  }
  MERGANSER_ASSIGN_OR_RETURN(const SnapshotRef snapshot, analyzer->SnapshotOf(*table, command.target));
  const std::string table_name = table->identifier ? table->identifier->ToString() : snapshot->table().uri;

  MERGANSER_ASSIGN_OR_RETURN(const BoundRelationPtr query, analyzer->BindQuery(command.query));
  MERGANSER_ASSIGN_OR_RETURN(const ColumnMap map, MapColumns(*analyzer, command, *query, *snapshot, table_name));
  MERGANSER_ASSIGN_OR_RETURN(const BoundRelationPtr rows,
                             AlignRows(context, *analyzer, query, map, snapshot->schema()));

  MERGANSER_ASSIGN_OR_RETURN(Transaction transaction,
                             Transaction::Start(snapshot, context.transaction_options()));
  if (Reads(*query, *snapshot)) transaction.ReadWholeTable();
  UncommittedFiles files(snapshot->table().file_system);
  MERGANSER_ASSIGN_OR_RETURN(WrittenRows written, WriteRows(context, rows, WriteTarget::Of(*snapshot), files));
  Operation operation = DescribeWrite(command, *snapshot, written);
  for (AddFile& file : written.files) transaction.Add(std::move(file));
  if (command.overwrite) {
    transaction.ReadWholeTable();
    for (const FileView& file : snapshot->files().Files()) transaction.Remove(TombstoneOf(file, context.clock.NowMillis()));
  }
  auto committed = std::move(transaction).Commit(std::move(operation));
  files.Settle(committed.ok() ? Status::Ok() : Status(committed.error()));
  if (!committed.ok()) return std::move(committed).error();
  if (committed->snapshot != nullptr) context.catalog.snapshots().Put(committed->snapshot);
  return ResultSet();
}

}  // namespace merganser
