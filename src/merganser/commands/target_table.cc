#include "merganser/commands/target_table.h"

#include <utility>

#include "merganser/base/quoted_identifier.h"

namespace merganser {

Result<TargetTable> FindTargetTable(Analyzer& analyzer, const plan::MultipartName& name,
                                    const std::string& operation) {
  MERGANSER_ASSIGN_OR_RETURN(const auto parts, analyzer.NameParts(name));
  MERGANSER_ASSIGN_OR_RETURN(CatalogEntry entry, analyzer.FindTable(name));
  auto* table = std::get_if<CatalogTable>(&entry);
  if (table == nullptr) {
    return Error(ErrorClass::EXPECT_TABLE_NOT_VIEW,
                 {{"viewName", QuotedIdentifier(parts)}, {"operation", operation}},
                 "NO_ALTERNATIVE");
  }
  if (!table->is_delta()) {
    return Error(ErrorClass::DELTA_TABLE_ONLY_OPERATION,
                 {{"tableName", QuotedIdentifier(parts)}, {"operation", operation}});
  }
  TargetTable target;
  MERGANSER_ASSIGN_OR_RETURN(target.snapshot, analyzer.SnapshotOf(*table, name));
  target.name = table->identifier ? table->identifier->ToString() : target.snapshot->path();
  target.table = std::move(*table);
  return target;
}

}  // namespace merganser
