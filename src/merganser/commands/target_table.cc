#include "merganser/commands/target_table.h"

#include <algorithm>
#include <array>
#include <utility>

#include "merganser/base/quoted_identifier.h"

namespace merganser {

namespace {

/// What the reference says of a table that is not Delta, by statement.
Error NotDelta(const TableIdentifier& table, const std::vector<std::string>& parts,
               const std::string& operation) {
  constexpr std::array kDeltaOnly = {"DESCRIBE HISTORY", "GENERATE", "OPTIMIZE", "VACUUM"};
  if (std::ranges::find(kDeltaOnly, operation) != kDeltaOnly.end())
    return Error(ErrorClass::DELTA_ONLY_OPERATION, {{"operation", operation}});
  if (operation == "REORG") {
    return Error(ErrorClass::DELTA_NOT_A_DELTA_TABLE,
                 {{"tableName", table.schema + "." + table.table}});
  }
  if (operation == "RESTORE") {
    return Error(ErrorClass::TABLE_OR_VIEW_NOT_FOUND,
                 {{"relationName", QuotedIdentifier(parts)}, {"searchPath", "not available"}});
  }
  return Error(ErrorClass::DELTA_TABLE_ONLY_OPERATION,
               {{"tableName", QuotedIdentifier(parts)}, {"operation", operation}});
}

}  // namespace

Result<SnapshotRef> SnapshotToChange(Analyzer& analyzer, const CatalogTable& table,
                                     const plan::MultipartName& name) {
  auto snapshot = analyzer.SnapshotOf(table, name);
  if (snapshot.ok() || snapshot.error().error_class() != ErrorClass::PATH_NOT_FOUND)
    return snapshot;
  return Error(ErrorClass::DELTA_MISSING_DELTA_TABLE,
               {{"tableName", QuotedIdentifier(table.location.path)}});
}

Result<TargetTable> FindTargetTable(Analyzer& analyzer, const plan::MultipartName& name,
                                    const std::string& operation) {
  MERGANSER_ASSIGN_OR_RETURN(const auto parts, analyzer.NameParts(name));
  MERGANSER_ASSIGN_OR_RETURN(CatalogEntry entry, analyzer.FindTable(name));
  auto* table = std::get_if<CatalogTable>(&entry);
  if (table == nullptr && operation == "RESTORE")
    return Error(ErrorClass::DELTA_ONLY_OPERATION, {{"operation", operation}});
  if (table == nullptr) {
    const bool has_alternative = operation.ends_with("SET TBLPROPERTIES");
    return Error(ErrorClass::EXPECT_TABLE_NOT_VIEW,
                 {{"viewName", QuotedIdentifier(parts)}, {"operation", operation}},
                 has_alternative ? "USE_ALTER_VIEW" : "NO_ALTERNATIVE");
  }
  if (!table->is_delta()) return NotDelta(*table->identifier, parts, operation);
  TargetTable target;
  auto snapshot = SnapshotToChange(analyzer, *table, name);
  if (!snapshot.ok() && operation == "DESCRIBE HISTORY" &&
      snapshot.error().error_class() == ErrorClass::DELTA_MISSING_DELTA_TABLE) {
    return Error(ErrorClass::DELTA_TABLE_ONLY_OPERATION,
                 {{"tableName", QuotedIdentifier(table->location.path)}, {"operation", operation}});
  }
  MERGANSER_ASSIGN_OR_RETURN(target.snapshot, std::move(snapshot));
  target.name = table->identifier ? table->identifier->ToString() : target.snapshot->path();
  target.table = std::move(*table);
  return target;
}

}  // namespace merganser
