#include "merganser/commands/alter/alter_table.h"

#include <utility>

#include <fmt/ranges.h>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/commands/alter/alter_columns.h"
#include "merganser/commands/alter/alter_constraints.h"
#include "merganser/commands/alter/alter_properties.h"
#include "merganser/commands/alter/alter_record.h"
#include "merganser/commands/alter/change_column.h"
#include "merganser/commands/alter/drop_feature.h"
#include "merganser/commands/alter/remove_column_mapping.h"
#include "merganser/commands/alter/row_tracking_backfill.h"
#include "merganser/commands/alter/table_change.h"
#include "merganser/commands/clustering.h"
#include "merganser/commands/commit.h"
#include "merganser/commands/iceberg_properties.h"
#include "merganser/config/table_property.h"

namespace merganser {
namespace {

/// ALTER TABLE ... CLUSTER BY: how rows are laid out from the next OPTIMIZE on.
Status SetClustering(StatementContext& context, const TargetTable& target,
                     const plan::AlterClusterBy& action) {
  const Snapshot& snapshot = *target.snapshot;
  if (!snapshot.partition_columns().empty()) {
    return Error(ErrorClass::DELTA_ALTER_TABLE_CLUSTER_BY_ON_PARTITIONED_TABLE_NOT_ALLOWED);
  }
  MERGANSER_ASSIGN_OR_RETURN(
      const auto columns,
      FindClusteringColumns(action.columns, snapshot.schema(), snapshot.partition_columns(),
                            snapshot.properties()));
  if (columns.empty() && !snapshot.Supports("clustering")) return Status::Ok();
  MERGANSER_ASSIGN_OR_RETURN(Transaction transaction,
                             Transaction::Start(target.snapshot, context.transaction_options()));
  if (!snapshot.Supports("clustering")) {
    auto changed = ChangeMetadata(
        snapshot,
        {.metadata = snapshot.metadata(), .schema = snapshot.schema(), .features = {"clustering"}},
        transaction);
    if (!changed.ok()) return std::move(changed).error();
  }
  transaction.SetDomainMetadata(
      ClusteringAction(columns, snapshot.schema(), snapshot.column_mapping_mode()));
  Operation operation;
  operation.name = "CLUSTER BY";
  operation
      .Text("oldClusteringColumns",
            fmt::format("{}", fmt::join(ToStrings(ClusteringColumns(snapshot)), ",")))
      .Text("newClusteringColumns", fmt::format("{}", fmt::join(ToStrings(columns), ",")));
  auto committed = CommitStatement(context, std::move(transaction), std::move(operation));
  return committed.ok() ? Status::Ok() : Status(std::move(committed).error());
}

/// ALTER TABLE ... SET LOCATION: the name stands for another table of the same schema.
Status SetLocation(StatementContext& context, const TargetTable& target,
                   const plan::AlterSetLocation& action) {
  if (!target.table.identifier)
    return Error(ErrorClass::DELTA_CANNOT_SET_LOCATION_ON_PATH_IDENTIFIER);
  MERGANSER_ASSIGN_OR_RETURN(const FileLocation location,
                             context.catalog.file_systems().Resolve(action.location));
  MERGANSER_ASSIGN_OR_RETURN(const SnapshotRef other, context.catalog.snapshots().Latest(location));
  if (other == nullptr)
    return Error(ErrorClass::DELTA_MISSING_DELTA_TABLE, {{"tableName", location.uri}});
  if (!DataType::Struct(other->schema()).SameType(DataType::Struct(target.snapshot->schema()))) {
    return Error(ErrorClass::DELTA_SET_LOCATION_SCHEMA_MISMATCH,
                 {{"original", DataType::Struct(target.snapshot->schema()).CatalogString()},
                  {"destination", DataType::Struct(other->schema()).CatalogString()},
                  {"config", "spark.databricks.delta.alterLocation.bypassSchemaCheck"}});
  }
  WarehouseEntry entry;
  entry.provider = "delta";
  entry.location = location.uri;
  return context.catalog.warehouse().Add(*target.table.identifier, entry, /*replace=*/true);
}

/// RENAME TO: tables and views alike; the log knows nothing of names.
Status Rename(StatementContext& context, Analyzer& analyzer, const plan::AlterTable& command,
              const plan::AlterRenameTable& action) {
  MERGANSER_ASSIGN_OR_RETURN(const CatalogEntry entry, analyzer.FindTable(command.name));
  MERGANSER_ASSIGN_OR_RETURN(const auto from, analyzer.NameParts(command.name));
  MERGANSER_ASSIGN_OR_RETURN(const auto to, analyzer.NameParts(action.new_name));
  const auto* view = std::get_if<CatalogView>(&entry);
  if (view != nullptr && view->temporary) {
    if (context.catalog.FindTemporaryView(to.back()) != nullptr) {
      return Error(ErrorClass::TEMP_TABLE_OR_VIEW_ALREADY_EXISTS,
                   {{"relationName", QuotedIdentifier(to)}});
    }
    CatalogView renamed = *view;
    renamed.name = to.back();
    context.catalog.DropView(view->name);
    context.catalog.PutView(std::move(renamed));
    return Status::Ok();
  }
  if (view != nullptr && !command.is_view) {
    return Error(ErrorClass::EXPECT_TABLE_NOT_VIEW,
                 {{"viewName", QuotedIdentifier(from)}, {"operation", "ALTER TABLE ... RENAME TO"}},
                 "USE_ALTER_VIEW");
  }
  if (view == nullptr && command.is_view) {
    return Error(ErrorClass::EXPECT_VIEW_NOT_TABLE,
                 {{"tableName", QuotedIdentifier(from)}, {"operation", "ALTER VIEW ... RENAME TO"}},
                 "USE_ALTER_TABLE");
  }
  MERGANSER_ASSIGN_OR_RETURN(const TableIdentifier source, context.catalog.Identify(from));
  if (to.size() > 2) {
    return Error(
        ErrorClass::REQUIRES_SINGLE_PART_NAMESPACE,
        {{"sessionCatalog", std::string(kSparkCatalog)}, {"identifier", QuotedIdentifier(to)}});
  }
  if (to.size() == 2 && !EqualsIgnoringCase(to[0], source.schema)) {
    return Error(ErrorClass::_LEGACY_ERROR_TEMP_1073, {{"db", source.schema}, {"newDb", to[0]}});
  }
  const TableIdentifier destination{source.schema, to.back()};
  if (const auto* table = std::get_if<CatalogTable>(&entry))
    context.catalog.snapshots().Forget(table->location);
  return context.catalog.warehouse().Rename(source, destination);
}

/// Properties that change more than metadata come first, in commits of their own.
Status SetTableProperties(StatementContext& context, Analyzer& analyzer, TargetTable& target,
                          const plan::AlterSetProperties& action) {
  MERGANSER_RETURN_IF_ERROR(CheckIcebergUpgrade(*target.snapshot, action.properties));
  for (const auto& [key, value] : action.properties) {
    const std::string property = NormalizedPropertyKey(key);
    const bool unmaps = property == "delta.columnMapping.mode" && value == "none" &&
                        target.snapshot->column_mapping_mode() != ColumnMappingMode::kNone;
    if (unmaps) {
      MERGANSER_RETURN_IF_ERROR(
          RemoveColumnMapping(context, target.snapshot, /*keeps_property=*/true));
      if (action.properties.size() == 1) return Status::Ok();
    } else if ((property == "delta.enableRowTracking" ||
                property == "delta.enableIcebergCompatV3") &&
               EqualsIgnoringCase(value, "true")) {
      MERGANSER_RETURN_IF_ERROR(BackfillRowTracking(context, target.snapshot));
    } else {
      continue;
    }
    MERGANSER_ASSIGN_OR_RETURN(target.snapshot,
                               context.catalog.snapshots().Latest(target.snapshot->table()));
  }
  MERGANSER_ASSIGN_OR_RETURN(TableChange change, TableChange::Start(context, analyzer, target));
  return SetProperties(std::move(change), action);
}

Status UnsetTableProperties(StatementContext& context, Analyzer& analyzer, TargetTable& target,
                            const plan::AlterUnsetProperties& action) {
  for (const std::string& key : action.keys) {
    if (NormalizedPropertyKey(key) != "delta.columnMapping.mode" ||
        target.snapshot->column_mapping_mode() == ColumnMappingMode::kNone) {
      continue;
    }
    MERGANSER_RETURN_IF_ERROR(
        RemoveColumnMapping(context, target.snapshot, /*keeps_property=*/false));
    if (action.keys.size() == 1) return Status::Ok();
    MERGANSER_ASSIGN_OR_RETURN(target.snapshot,
                               context.catalog.snapshots().Latest(target.snapshot->table()));
  }
  MERGANSER_ASSIGN_OR_RETURN(TableChange change, TableChange::Start(context, analyzer, target));
  return UnsetProperties(std::move(change), action);
}

/// Runs the action of ALTER TABLE on a Delta table.
struct Alteration {
  StatementContext& context;
  Analyzer& analyzer;
  TargetTable& target;

  template <typename Run>
  Status Change(Run run) const {
    MERGANSER_ASSIGN_OR_RETURN(TableChange change, TableChange::Start(context, analyzer, target));
    return run(std::move(change));
  }

  Status operator()(const plan::AlterAddColumns& action) const {
    return Change([&](TableChange change) { return AddColumns(std::move(change), action); });
  }
  Status operator()(const plan::AlterDropColumns& action) const {
    return Change([&](TableChange change) { return DropColumns(std::move(change), action); });
  }
  Status operator()(const plan::AlterRenameColumn& action) const {
    return Change([&](TableChange change) { return RenameColumn(std::move(change), action); });
  }
  Status operator()(const plan::AlterReplaceColumns& action) const {
    return Change([&](TableChange change) { return ReplaceColumns(std::move(change), action); });
  }
  Status operator()(const plan::AlterChangeColumn& action) const {
    return Change([&](TableChange change) { return ChangeColumns(std::move(change), {action}); });
  }
  Status operator()(const plan::AlterChangeColumns& action) const {
    return Change(
        [&](TableChange change) { return ChangeColumns(std::move(change), action.columns); });
  }
  Status operator()(const plan::AlterAddConstraint& action) const {
    return Change([&](TableChange change) { return AddConstraint(std::move(change), action); });
  }
  Status operator()(const plan::AlterDropConstraint& action) const {
    return Change([&](TableChange change) { return DropConstraint(std::move(change), action); });
  }
  Status operator()(const plan::AlterSetProperties& action) const {
    return SetTableProperties(context, analyzer, target, action);
  }
  Status operator()(const plan::AlterUnsetProperties& action) const {
    return UnsetTableProperties(context, analyzer, target, action);
  }
  Status operator()(const plan::AlterPartition&) const {
    return Error(ErrorClass::INVALID_PARTITION_OPERATION, {{"name", target.name}},
                 "PARTITION_MANAGEMENT_IS_UNSUPPORTED");
  }
  Status operator()(const plan::AlterAddOtherConstraint& action) const {
    return Error(ErrorClass::UNSUPPORTED_FEATURE,
                 {{"tableName", target.name}, {"operation", action.operation}}, "TABLE_OPERATION");
  }
  Status operator()(const plan::AlterDropFeature& action) const {
    return DropFeature(context, target, action);
  }
  Status operator()(const plan::AlterClusterBy& action) const {
    return SetClustering(context, target, action);
  }
  Status operator()(const plan::AlterSetLocation& action) const {
    return SetLocation(context, target, action);
  }
  Status operator()(const plan::AlterRenameTable&) const {
    return Error::Internal("RENAME needs no Delta table");
  }
};

}  // namespace

Result<ResultSet> RunAlterTable(StatementContext& context, const plan::AlterTable& command) {
  const auto analyzer = context.MakeAnalyzer();
  if (const auto* rename = std::get_if<plan::AlterRenameTable>(&command.action)) {
    MERGANSER_RETURN_IF_ERROR(Rename(context, *analyzer, command, *rename));
    return ResultSet();
  }
  MERGANSER_ASSIGN_OR_RETURN(const bool altered, AlterRecord(context, *analyzer, command));
  if (altered) return ResultSet();
  const bool set = std::holds_alternative<plan::AlterSetProperties>(command.action);
  const bool unset = std::holds_alternative<plan::AlterUnsetProperties>(command.action);
  const char* operation = set     ? "ALTER TABLE ... SET TBLPROPERTIES"
                          : unset ? "ALTER TABLE ... UNSET TBLPROPERTIES"
                                  : "ALTER TABLE";
  MERGANSER_ASSIGN_OR_RETURN(TargetTable target,
                             FindTargetTable(*analyzer, command.name, operation));
  MERGANSER_RETURN_IF_ERROR(std::visit(Alteration{context, *analyzer, target}, command.action));
  return ResultSet();
}

Result<ResultSet> RunCommentOn(StatementContext& context, const plan::CommentOn& command) {
  const auto analyzer = context.MakeAnalyzer();
  if (command.schema) {
    MERGANSER_ASSIGN_OR_RETURN(const auto parts, analyzer->NameParts(command.name));
    MERGANSER_ASSIGN_OR_RETURN(const std::string name, context.catalog.IdentifySchema(parts));
    MERGANSER_ASSIGN_OR_RETURN(SchemaEntry schema, context.catalog.warehouse().GetSchema(name));
    schema.comment = command.comment.value_or("");
    MERGANSER_RETURN_IF_ERROR(context.catalog.warehouse().ReplaceSchema(schema));
    return ResultSet();
  }
  MERGANSER_ASSIGN_OR_RETURN(const TargetTable target,
                             FindTargetTable(*analyzer, command.name, "COMMENT ON TABLE"));
  MERGANSER_ASSIGN_OR_RETURN(TableChange change, TableChange::Start(context, *analyzer, target));
  MERGANSER_RETURN_IF_ERROR(SetComment(std::move(change), command.comment));
  return ResultSet();
}

}  // namespace merganser
