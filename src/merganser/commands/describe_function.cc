#include "merganser/commands/describe_function.h"

#include <algorithm>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/commands/command_rows.h"
#include "merganser/spark/functions/resolve.h"

namespace merganser {

Result<ResultSet> RunDescribeFunction(StatementContext& context,
                                      const plan::DescribeFunction& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const auto name, analyzer->NameParts(command.name));
  const auto known = FunctionNames();
  const auto found = std::ranges::find_if(
      known, [&](const auto& function) { return EqualsIgnoringCase(function, name.back()); });
  if (found == known.end()) {
    return Error(ErrorClass::UNRESOLVED_ROUTINE,
                 {{"routineName", QuotedIdentifier(name)}, {"searchPath", analyzer->SearchPath()}});
  }
  return CommandResult(
      context, StructType({{"function_desc", DataType::String(), false, {}}}),
      {{"Function: " + std::string(*found)}, {"Usage: " + std::string(*found) + "(...)"}});
}

}  // namespace merganser
