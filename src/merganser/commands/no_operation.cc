#include "merganser/commands/no_operation.h"

namespace merganser {

Result<ResultSet> RunNoOperation(StatementContext& context, const plan::NoOperation& command) {
  if (!command.table) return ResultSet();
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const CatalogEntry entry, analyzer->FindTable(*command.table));
  const auto* table = std::get_if<CatalogTable>(&entry);
  if (command.name == "ANALYZE TABLE" && table != nullptr && table->is_delta())
    return Error(ErrorClass::NOT_SUPPORTED_COMMAND_FOR_V2_TABLE, {{"cmd", "ANALYZE TABLE"}});
  return ResultSet();
}

}  // namespace merganser
