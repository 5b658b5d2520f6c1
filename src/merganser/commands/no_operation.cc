#include "merganser/commands/no_operation.h"

#include <algorithm>
#include <array>

namespace merganser {

Result<ResultSet> RunNoOperation(StatementContext& context, const plan::NoOperation& command) {
  if (!command.table) return ResultSet();
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const CatalogEntry entry, analyzer->FindTable(*command.table));
  const auto* table = std::get_if<CatalogTable>(&entry);
  constexpr std::array kFileTablesOnly = {"ALTER TABLE ... RECOVER PARTITIONS", "ANALYZE TABLE",
                                          "MSCK REPAIR TABLE"};
  const bool refused = std::ranges::find(kFileTablesOnly, command.name) != kFileTablesOnly.end();
  if (refused && table != nullptr && table->is_delta())
    return Error(ErrorClass::NOT_SUPPORTED_COMMAND_FOR_V2_TABLE, {{"cmd", command.name}});
  return ResultSet();
}

}  // namespace merganser
