#include "merganser/spark/sql/partition_parser.h"

#include <algorithm>

#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/sql/expression_parser.h"
#include "merganser/spark/sql/name_parser.h"

namespace merganser {

Result<std::vector<std::pair<std::string, plan::ExpressionPtr>>> ParsePartitionValues(
    TokenStream& in) {
  std::vector<std::pair<std::string, plan::ExpressionPtr>> values;
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("("));
  do {
    const size_t first = in.position();
    MERGANSER_ASSIGN_OR_RETURN(std::string column, ParseIdentifier(in));
    if (std::ranges::any_of(values, [&](const auto& known) { return known.first == column; })) {
      return in.ErrorFrom(
          first, Error(ErrorClass::DUPLICATE_KEY, {{"keyColumn", QuotedIdentifier(column)}}));
    }
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
