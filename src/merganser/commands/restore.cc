#include "merganser/commands/restore.h"

#include <algorithm>
#include <utility>

#include "merganser/commands/command_rows.h"
#include "merganser/commands/commit.h"
#include "merganser/commands/target_table.h"
#include "merganser/delta/protocol/data_path.h"
#include "merganser/delta/protocol/table_features.h"
#include "merganser/delta/schema/schema_json.h"
#include "merganser/delta/transaction/row_tracking.h"
#include "merganser/spark/analysis/identity_columns.h"

namespace merganser {
namespace {

/// RESTORE names the reasons for which a version cannot be had in its own way.
Error AsRestoreError(Error error, const Snapshot& latest) {
  const auto parameter = [&](const char* name) {
    const auto found = error.parameters().find(name);
    return found == error.parameters().end() ? std::string() : found->second;
  };
  switch (error.error_class()) {
    case ErrorClass::DELTA_VERSION_NOT_FOUND:
      return Error(ErrorClass::DELTA_CANNOT_RESTORE_TABLE_VERSION,
                   {{"version", parameter("userVersion")},
                    {"startVersion", parameter("earliest")},
                    {"endVersion", latest.version().ToString()}});
    case ErrorClass::DELTA_TIMESTAMP_EARLIER_THAN_COMMIT_RETENTION:
      return Error(ErrorClass::DELTA_CANNOT_RESTORE_TIMESTAMP_EARLIER,
                   {{"requestedTimestamp", parameter("userTimestamp")},
                    {"earliestTimestamp", parameter("commitTs")}});
    case ErrorClass::DELTA_TIMESTAMP_GREATER_THAN_COMMIT:
      return Error(ErrorClass::DELTA_CANNOT_RESTORE_TIMESTAMP_GREATER,
                   {{"requestedTimestamp", parameter("providedTimestamp")},
                    {"latestTimestamp", parameter("lastCommitTimestamp")}});
    default:
      return error;
  }
}

/// The old schema, with identity columns that do not forget numbers given out since.
StructType WithNewestMarks(StructType old_schema, const StructType& newest) {
  for (StructField& field : old_schema.fields()) {
    const auto identity = FindIdentity(field);
    const StructField* now = newest.Find(field.name);
    const auto present = now == nullptr ? std::nullopt : FindIdentity(*now);
    if (!identity || !present || !present->high_water_mark) continue;
    const bool is_further =
        !identity->high_water_mark ||
        (identity->step > 0 ? *present->high_water_mark > *identity->high_water_mark
                            : *present->high_water_mark < *identity->high_water_mark);
    if (is_further) SetHighWaterMark(field, *present->high_water_mark);
  }
  return old_schema;
}

/// The difference between two versions' files.
struct FileDifference {
  std::vector<FileView> added;
  std::vector<FileView> removed;
  int64_t added_bytes = 0;
  int64_t removed_bytes = 0;
};

FileDifference Difference(const Snapshot& latest, const Snapshot& wanted) {
  FileDifference difference;
  for (const FileView& file : wanted.files().Files()) {
    if (latest.files().Find(file.path(), file.deletion_vector())) continue;
    difference.added.push_back(file);
    difference.added_bytes += file.size();
  }
  for (const FileView& file : latest.files().Files()) {
    if (wanted.files().Find(file.path(), file.deletion_vector())) continue;
    difference.removed.push_back(file);
    difference.removed_bytes += file.size();
  }
  return difference;
}

Status CheckFilesExist(const Snapshot& latest, const std::vector<FileView>& files) {
  for (const FileView& file : files) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string path, DataFilePath(latest.path(), file.path()));
    MERGANSER_ASSIGN_OR_RETURN(const bool exists, latest.file_system().Exists(path));
    if (!exists) return FileNotFound(path);
  }
  return Status::Ok();
}

/// Domains of the old version come back, later ones go. Row ids only ever grow.
void RestoreDomains(const Snapshot& latest, const Snapshot& wanted, Transaction& transaction) {
  for (const auto& [name, domain] : wanted.domain_metadata()) {
    if (name != kRowTrackingDomain) transaction.SetDomainMetadata(domain);
  }
  for (const auto& [name, domain] : latest.domain_metadata()) {
    if (name == kRowTrackingDomain || wanted.domain_metadata().contains(name)) continue;
    DomainMetadata removed = domain;
    removed.removed = true;
    transaction.SetDomainMetadata(std::move(removed));
  }
}

Result<std::string> ShownTimestamp(Analyzer& analyzer, const plan::ExpressionPtr& timestamp) {
  MERGANSER_ASSIGN_OR_RETURN(const plan::Literal text,
                             analyzer.EvaluateConstant(plan::MakeExpression(plan::Cast{
                                 plan::MakeExpression(plan::Cast{timestamp, DataType::Timestamp()}),
                                 DataType::String()})));
  if (text.is_null()) return std::string();
  std::string shown = std::get<std::string>(text.value);
  // As java.sql.Timestamp shows itself: at least one digit of the fraction.
  if (shown.find('.') == std::string::npos) shown += ".0";
  return shown;
}

}  // namespace

Result<ResultSet> RunRestore(StatementContext& context, const plan::Restore& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const TargetTable target,
                             FindTargetTable(*analyzer, command.name, "RESTORE"));
  const Snapshot& latest = *target.snapshot;
  auto found = analyzer->SnapshotAsOf(target.table, command.to, command.name);
  if (!found.ok() &&
      found.error().error_class() == ErrorClass::INVALID_TIME_TRAVEL_TIMESTAMP_EXPR) {
    MERGANSER_ASSIGN_OR_RETURN(const BoundExpressionPtr timestamp,
                               analyzer->BindExpression(command.to.timestamp, Scope()));
    return Error(ErrorClass::DELTA_TIMESTAMP_INVALID, {{"expr", PrintSql(*timestamp)}});
  }
  if (!found.ok()) return AsRestoreError(std::move(found).error(), latest);
  const SnapshotRef wanted = std::move(found).value();
  if (wanted->version() >= latest.version()) {
    return Error(ErrorClass::DELTA_CANNOT_RESTORE_TABLE_VERSION,
                 {{"version", wanted->version().ToString()},
                  {"startVersion", "0"},
                  {"endVersion", latest.version().previous().ToString()}});
  }
  const FileDifference difference = Difference(latest, *wanted);
  MERGANSER_RETURN_IF_ERROR(CheckFilesExist(latest, difference.added));

  MERGANSER_ASSIGN_OR_RETURN(Transaction transaction,
                             Transaction::Start(target.snapshot, context.transaction_options()));
  transaction.ReadWholeTable();
  transaction.IgnoreAppendOnly();
  for (const FileView& file : difference.added) {
    AddFile add = file.ToAddFile();
    add.data_change = true;
    transaction.Add(std::move(add));
  }
  for (const FileView& file : difference.removed)
    transaction.Remove(TombstoneOf(file, context.clock.NowMillis()));
  Metadata metadata = wanted->metadata();
  metadata.schema_string = ToSchemaJson(WithNewestMarks(wanted->schema(), latest.schema()));
  transaction.SetMetadata(std::move(metadata));
  MERGANSER_ASSIGN_OR_RETURN(
      const Protocol protocol,
      WithFeatures(latest.protocol(), SupportedFeatures(wanted->protocol())));
  if (!(protocol == latest.protocol())) transaction.SetProtocol(protocol);
  RestoreDomains(latest, *wanted, transaction);

  Operation operation;
  operation.name = "RESTORE";
  operation.parameters = {{"version", "null"}, {"timestamp", "null"}};
  if (command.to.version != nullptr) {
    operation.parameters["version"] = wanted->version().ToString();
  } else {
    MERGANSER_ASSIGN_OR_RETURN(const std::string shown,
                               ShownTimestamp(*analyzer, command.to.timestamp));
    operation.Text("timestamp", shown);
  }
  const auto count = [](const auto& files) { return static_cast<int64_t>(files.size()); };
  operation.Metric("tableSizeAfterRestore", wanted->size_in_bytes())
      .Metric("numOfFilesAfterRestore", count(wanted->files()))
      .Metric("numRemovedFiles", count(difference.removed))
      .Metric("numRestoredFiles", count(difference.added))
      .Metric("removedFilesSize", difference.removed_bytes)
      .Metric("restoredFilesSize", difference.added_bytes);
  auto committed = CommitStatement(context, std::move(transaction), std::move(operation));
  if (!committed.ok()) return std::move(committed).error();

  StructType schema;
  for (const char* name :
       {"table_size_after_restore", "num_of_files_after_restore", "num_removed_files",
        "num_restored_files", "removed_files_size", "restored_files_size"}) {
    schema.Add({name, DataType::Long(), true, {}});
  }
  return CommandResult(
      context, std::move(schema),
      {{wanted->size_in_bytes(), count(wanted->files()), count(difference.removed),
        count(difference.added), difference.removed_bytes, difference.added_bytes}});
}

}  // namespace merganser
