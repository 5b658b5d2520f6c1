#include "merganser/commands/insert.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/ranges.h>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/commands/clustering.h"
#include "merganser/commands/commit.h"
#include "merganser/commands/create_table.h"
#include "merganser/commands/dependent_expressions.h"
#include "merganser/commands/file_tables.h"
#include "merganser/commands/insert_columns.h"
#include "merganser/commands/insert_defaults.h"
#include "merganser/commands/insert_rows.h"
#include "merganser/commands/metadata_change.h"
#include "merganser/commands/predicate_text.h"
#include "merganser/commands/row_replacement.h"
#include "merganser/commands/table_writer.h"
#include "merganser/commands/write_options.h"
#include "merganser/spark/analysis/identity_columns.h"
#include "merganser/spark/analysis/relation_walk.h"
#include "merganser/spark/sql/parser.h"

namespace merganser {
namespace {

/// Does the query read the table it is inserted into? Then the insert depends on its rows.
bool Reads(const BoundRelation& query, const Snapshot& snapshot) {
  return AnyRelation(query, [&](const BoundRelation& relation) {
    const auto* scan = relation.As<BoundScan>();
    return scan != nullptr && scan->snapshot->path() == snapshot.path();
  });
}

/// The columns that the query's values go to, as far as the statement says before the query is
/// bound.
std::vector<const StructField*> DefaultTargets(const InsertTargets& targets,
                                               const Snapshot& snapshot) {
  std::vector<const StructField*> fields;
  for (const size_t position : targets.positions) fields.push_back(&snapshot.schema()[position]);
  return fields;
}

plan::ExpressionPtr Operator(const char* name, std::vector<plan::ExpressionPtr> arguments) {
  plan::Call call;
  call.name = {name};
  call.arguments = std::move(arguments);
  call.is_operator = true;
  return plan::MakeExpression(std::move(call));
}

/// What the inserted rows take the place of, as a condition; null if none is given.
Result<plan::ExpressionPtr> ReplacedRows(Analyzer& analyzer, const plan::InsertInto& command,
                                         const Snapshot& snapshot, const InsertTargets& targets,
                                         const WriteOptions& options) {
  if (command.replace_where != nullptr) return command.replace_where;
  if (options.replace_where && command.overwrite) return ParseExpression(*options.replace_where);
  if (!command.overwrite || options.dynamic_partition_overwrite) return plan::ExpressionPtr();
  plan::ExpressionPtr condition;
  for (const auto& [position, value] : targets.constants) {
    const StructField& field = snapshot.schema()[position];
    MERGANSER_ASSIGN_OR_RETURN(
        plan::Literal constant,
        analyzer.EvaluateConstant(plan::MakeExpression(plan::Cast{value, field.type})));
    const plan::ExpressionPtr part =
        Operator("<=>", {plan::MakeExpression(plan::Attribute{{field.name}, -1}),
                         plan::MakeExpression(std::move(constant))});
    condition = condition == nullptr ? part : Operator("and", {condition, part});
  }
  return condition;
}

/// The replaced rows' condition over the columns of the inserted rows: they must satisfy it too.
Result<RowCondition> ConditionOnRows(Analyzer& analyzer, const plan::ExpressionPtr& condition,
                                     const StructType& schema, const BoundRelation& rows,
                                     const std::string& text) {
  Scope scope;
  for (size_t i = 0; i < schema.size(); ++i) {
    ScopeColumn column{.column = rows.columns[i]};
    column.column.name = schema[i].name;
    column.identity = rows.columns[i].id;
    scope.Add(std::move(column));
  }
  MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr bound, analyzer.BindExpression(condition, scope));
  return RowCondition{std::move(bound), Error(ErrorClass::DELTA_REPLACE_WHERE_MISMATCH,
                                              {{"replaceWhere", text}, {"message", ""}})};
}

/// What an INSERT into a Delta table is made of.
class DeltaInsert {
 public:
  DeltaInsert(StatementContext& context, Analyzer& analyzer, const plan::InsertInto& command,
              const CatalogTable& table, SnapshotRef snapshot)
      : context_(context),
        analyzer_(analyzer),
        command_(command),
        snapshot_(std::move(snapshot)),
        is_managed_(table.managed),
        table_name_(table.identifier ? table.identifier->ToString() : snapshot_->table().uri) {}

  Status Run() {
    MERGANSER_ASSIGN_OR_RETURN(options_, ReadWriteOptions(context_, command_.options));
    TransactionOptions settings = context_.transaction_options();
    if (options_.user_metadata) settings.user_metadata = options_.user_metadata;
    MERGANSER_ASSIGN_OR_RETURN(Transaction transaction,
                               Transaction::Start(snapshot_, std::move(settings)));
    if (IsWrittenAlready(options_, transaction)) return Status::Ok();
    if (!command_.partition_by.empty() &&
        !std::ranges::equal(command_.partition_by, snapshot_->partition_columns(),
                            EqualsIgnoringCase))
      return Error(ErrorClass::DELTA_METADATA_MISMATCH);
    MERGANSER_RETURN_IF_ERROR(BindRows());
    if (Reads(*query_, *snapshot_)) transaction.ReadWholeTable();
    MERGANSER_ASSIGN_OR_RETURN(WriteTarget target, EvolvedTarget(transaction));

    UncommittedFiles files(snapshot_->table().file_system);
    std::optional<RowReplacement> replacement;
    if (condition_ != nullptr) {
      MERGANSER_ASSIGN_OR_RETURN(replacement, ReplaceWhere(context_, analyzer_, command_.target,
                                                           condition_, transaction, files));
    }
    if (!command_.replace_using.empty()) {
      MERGANSER_ASSIGN_OR_RETURN(const auto keys, FindKeys());
      MERGANSER_ASSIGN_OR_RETURN(
          replacement,
          ReplaceMatching(context_, analyzer_, snapshot_, rows_.rows, keys, transaction, files));
    }
    MERGANSER_ASSIGN_OR_RETURN(WrittenRows written, Write(target, replacement, files));
    if (command_.overwrite && !replacement) {
      if (options_.dynamic_partition_overwrite && !snapshot_->partition_columns().empty()) {
        MERGANSER_ASSIGN_OR_RETURN(
            replacement, ReplacePartitionsOf(context_, *snapshot_, written.files, transaction));
      } else {
        replacement = ReplaceAll(context_, *snapshot_, transaction);
      }
    }
    MERGANSER_RETURN_IF_ERROR(UpdateMarks(target.schema, written.num_rows, transaction));
    Operation operation = Describe(written, replacement);
    Collect(std::move(written), std::move(replacement), transaction);
    auto committed =
        CommitStatement(context_, std::move(transaction), std::move(operation), &files);
    return committed.ok() ? Status::Ok() : Status(std::move(committed).error());
  }

 private:
  Status BindRows() {
    const bool evolution = options_.merge_schema || command_.with_schema_evolution;
    MERGANSER_ASSIGN_OR_RETURN(targets_,
                               FindInsertTargets(analyzer_, command_, *snapshot_, evolution));
    plan::RelationPtr query = command_.query;
    if (!command_.by_name) {
      MERGANSER_ASSIGN_OR_RETURN(query,
                                 ReplaceDefaults(query, DefaultTargets(targets_, *snapshot_)));
    }
    auto bound = analyzer_.BindQuery(query);
    if (!bound.ok()) return OfMisplacedDefault(bound.error());
    query_ = std::move(bound).value();
    MERGANSER_ASSIGN_OR_RETURN(
        columns_, MatchInsertColumns(context_, analyzer_, command_, *snapshot_, targets_, *query_,
                                     table_name_, evolution));
    MERGANSER_ASSIGN_OR_RETURN(rows_, CompleteInsertRows(context_, analyzer_, query_, columns_));
    MERGANSER_ASSIGN_OR_RETURN(condition_,
                               ReplacedRows(analyzer_, command_, *snapshot_, targets_, options_));
    return Status::Ok();
  }

  /// Positions of the columns of REPLACE USING.
  Result<std::vector<size_t>> FindKeys() const {
    std::vector<size_t> keys;
    for (const std::string& name : command_.replace_using) {
      const int index = snapshot_->schema().IndexOf(name, /*case_sensitive=*/false);
      if (index < 0) {
        std::string known;
        for (const StructField& field : snapshot_->schema()) {
          known += (known.empty() ? "" : ", ") + QuotedIdentifier(field.name);
        }
        return Error(ErrorClass::UNRESOLVED_COLUMN,
                     {{"objectName", QuotedIdentifier(name)}, {"proposal", known}},
                     "WITH_SUGGESTION");
      }
      keys.push_back(static_cast<size_t>(index));
    }
    return keys;
  }

  /// DEFAULT inside of an expression is no column that could be missing.
  static Error OfMisplacedDefault(const Error& error) {
    const auto name = error.parameters().find("objectName");
    const bool is_default = error.error_class() == ErrorClass::UNRESOLVED_COLUMN &&
                            name != error.parameters().end() &&
                            EqualsIgnoringCase(name->second, "`DEFAULT`");
    return is_default ? Error(ErrorClass::DEFAULT_PLACEMENT_INVALID) : error;
  }

  Result<WriteTarget> EvolvedTarget(Transaction& transaction) {
    if (!columns_.schema_changed) return WriteTarget::Of(*snapshot_);
    MERGANSER_RETURN_IF_ERROR(CheckTypeChanges(*snapshot_, columns_.schema));
    return ChangeSchema(*snapshot_, columns_.schema, transaction);
  }

  Result<WrittenRows> Write(const WriteTarget& target,
                            const std::optional<RowReplacement>& replacement,
                            UncommittedFiles& files) {
    RowsToWrite rows{.rows = rows_.rows, .computed = rows_.computed};
    if (replacement) {
      // Either all changes of a commit are in change files, or none is.
      rows.change_rows = !replacement->change_files.empty();
      const bool is_checked = command_.replace_where != nullptr || options_.replace_where;
      if (is_checked &&
          context_.conf.GetBoolean("spark.databricks.delta.replaceWhere.constraintCheck.enabled")) {
        MERGANSER_ASSIGN_OR_RETURN(
            RowCondition condition,
            ConditionOnRows(analyzer_, condition_, target.schema, *rows_.rows,
                            PredicateSql(replacement->condition)));
        rows.conditions.push_back(std::move(condition));
      }
    }
    return WriteRows(context_, rows, target, files);
  }

  /// Identity columns remember the last number they gave out.
  Status UpdateMarks(StructType schema, int64_t num_rows, Transaction& transaction) {
    if (rows_.numbered.empty() || num_rows == 0) return Status::Ok();
    for (const size_t position : rows_.numbered) {
      StructField& field = schema.fields()[position];
      MERGANSER_ASSIGN_OR_RETURN(const int64_t last, FindIdentity(field)->Last(num_rows));
      SetHighWaterMark(field, last);
    }
    auto target = ChangeSchema(*snapshot_, std::move(schema), transaction);
    return target.ok() ? Status::Ok() : Status(std::move(target).error());
  }

  Operation Named(bool replaces) const {
    if (command_.saves_as_table && condition_ == nullptr) {
      return DescribeTableCreation("CREATE OR REPLACE TABLE AS SELECT", is_managed_,
                                   snapshot_->metadata(), ClusteringColumns(*snapshot_))
          .Text("isV1SaveAsTableOverwrite", "true");
    }
    Operation operation;
    operation.name = "WRITE";
    return operation.Text("mode", replaces ? "Overwrite" : "Append").Encoded("partitionBy", "[]");
  }

  Operation Describe(const WrittenRows& written,
                     const std::optional<RowReplacement>& replacement) const {
    Operation operation = Named(replacement.has_value());
    int64_t num_files = static_cast<int64_t>(written.files.size());
    int64_t num_rows = written.num_rows;
    int64_t num_bytes = written.num_bytes;
    if (replacement) {
      operation.Metric("numRemovedFiles", static_cast<int64_t>(replacement->removed.size()))
          .Metric("numRemovedBytes", replacement->removed_bytes);
    }
    if (replacement && replacement->by_condition) {
      if (replacement->condition != nullptr) {
        operation.Text("predicate", PredicateSql(replacement->condition));
      } else {
        operation.Text("replaceUsingCols",
                       fmt::format("({})", fmt::join(command_.replace_using, ", ")));
      }
      for (const AddFile& file : replacement->kept) num_bytes += file.size;
      num_files += static_cast<int64_t>(replacement->kept.size());
      num_rows += replacement->copied_rows;
      operation.Metric("numDeletedRows", replacement->deleted_rows)
          .Metric("numCopiedRows", replacement->copied_rows)
          .Metric("numAddedChangeFiles", static_cast<int64_t>(replacement->change_files.size() +
                                                              written.change_files.size()));
    } else if (replacement && options_.dynamic_partition_overwrite &&
               !snapshot_->partition_columns().empty()) {
      operation.Boolean("isDynamicPartitionOverwrite", true);
    }
    return operation.Metric("numFiles", num_files)
        .Metric("numOutputRows", num_rows)
        .Metric("numOutputBytes", num_bytes);
  }

  void Collect(WrittenRows written, std::optional<RowReplacement> replacement,
               Transaction& transaction) const {
    const auto add = [&](AddFile& file) {
      file.data_change = options_.data_change;
      transaction.Add(std::move(file));
    };
    for (AddFile& file : written.files) add(file);
    for (AddCdcFile& file : written.change_files) transaction.AddChangeFile(std::move(file));
    if (!replacement) return;
    for (AddFile& file : replacement->kept) add(file);
    for (AddCdcFile& file : replacement->change_files) transaction.AddChangeFile(std::move(file));
    for (RemoveFile& file : replacement->removed) {
      file.data_change = options_.data_change;
      transaction.Remove(std::move(file));
    }
  }

  StatementContext& context_;
  Analyzer& analyzer_;
  const plan::InsertInto& command_;
  SnapshotRef snapshot_;
  bool is_managed_;
  std::string table_name_;
  WriteOptions options_;
  InsertTargets targets_;
  BoundRelationPtr query_;
  InsertColumns columns_;
  InsertRows rows_;
  plan::ExpressionPtr condition_;  ///< Of the rows that are replaced; null if none is given.
};

}  // namespace

Result<ResultSet> RunInsert(StatementContext& context, const plan::InsertInto& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const CatalogEntry entry, analyzer->FindTable(command.target));
  const auto* table = std::get_if<CatalogTable>(&entry);
  if (table == nullptr) {
    MERGANSER_ASSIGN_OR_RETURN(const auto parts, analyzer->NameParts(command.target));
    return Error(ErrorClass::EXPECT_TABLE_NOT_VIEW,
                 {{"viewName", QuotedIdentifier(parts)}, {"operation", "INSERT"}},
                 "NO_ALTERNATIVE");
  }
  if (!table->is_delta()) {
    MERGANSER_RETURN_IF_ERROR(InsertIntoFiles(context, *analyzer, command, *table));
    return ResultSet();
  }
  MERGANSER_ASSIGN_OR_RETURN(SnapshotRef snapshot, analyzer->SnapshotOf(*table, command.target));
  MERGANSER_RETURN_IF_ERROR(
      DeltaInsert(context, *analyzer, command, *table, std::move(snapshot)).Run());
  return ResultSet();
}

}  // namespace merganser
