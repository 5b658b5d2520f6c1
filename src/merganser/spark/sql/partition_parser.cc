#include "merganser/spark/sql/partition_parser.h"

#include "merganser/spark/sql/expression_parser.h"
#include "merganser/spark/sql/name_parser.h"

namespace merganser {

Result<std::vector<std::pair<std::string, plan::ExpressionPtr>>> ParsePartitionValues(
    TokenStream& in) {
  std::vector<std::pair<std::string, plan::ExpressionPtr>> values;
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("("));
  do {
    MERGANSER_ASSIGN_OR_RETURN(std::string column, ParseIdentifier(in));
    plan::ExpressionPtr value;
    if (in.AcceptSymbol("=")) {
      MERGANSER_ASSIGN_OR_RETURN(value, ParseExpressionOrDefault(in));
    }
    values.emplace_back(std::move(column), std::move(value));
  } while (in.AcceptSymbol(","));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  return values;
}

}  // namespace merganser
