#include "merganser/spark/sql/update_parser.h"

#include <utility>

#include "merganser/spark/sql/expression_parser.h"
#include "merganser/spark/sql/name_parser.h"

namespace merganser {

Result<plan::Update> ParseUpdate(TokenStream& in, plan::With with) {
  plan::Update update;
  update.with = std::move(with.tables);
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("UPDATE"));
  MERGANSER_ASSIGN_OR_RETURN(update.target, ParseName(in));
  MERGANSER_ASSIGN_OR_RETURN(update.alias, ParseTargetAlias(in, "UPDATE"));
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("SET"));
  MERGANSER_ASSIGN_OR_RETURN(update.assignments, ParseAssignments(in));
  MERGANSER_ASSIGN_OR_RETURN(update.condition, ParseWhere(in));
  return update;
}

Result<plan::Delete> ParseDelete(TokenStream& in, plan::With with) {
  plan::Delete statement;
  statement.with = std::move(with.tables);
  MERGANSER_RETURN_IF_ERROR(in.ExpectWords("DELETE", "FROM"));
  MERGANSER_ASSIGN_OR_RETURN(statement.target, ParseName(in));
  MERGANSER_ASSIGN_OR_RETURN(statement.alias, ParseTargetAlias(in, "DELETE"));
  MERGANSER_ASSIGN_OR_RETURN(statement.condition, ParseWhere(in));
  return statement;
}

Result<std::vector<plan::Assignment>> ParseAssignments(TokenStream& in) {
  std::vector<plan::Assignment> assignments;
  do {
    const size_t first = in.position();
    plan::Assignment assignment;
    MERGANSER_ASSIGN_OR_RETURN(assignment.key.parts, ParseNameParts(in));
    assignment.key.origin = in.OriginFrom(first);
    MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("="));
    MERGANSER_ASSIGN_OR_RETURN(assignment.value, ParseExpressionOrDefault(in));
    assignment.origin = in.OriginFrom(first);
    assignments.push_back(std::move(assignment));
  } while (in.AcceptSymbol(","));
  return assignments;
}

}  // namespace merganser
