#include "merganser/spark/sql/pipe_parser.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "merganser/spark/sql/expression_parser.h"
#include "merganser/spark/sql/grouping_parser.h"
#include "merganser/spark/sql/name_parser.h"
#include "merganser/spark/sql/pivot_parser.h"
#include "merganser/spark/sql/query_parser.h"
#include "merganser/spark/sql/relation_parser.h"
#include "merganser/spark/sql/select_parser.h"

namespace merganser {
namespace {

using plan::ExpressionPtr;
using plan::RelationPtr;

Result<RelationPtr> ParseExtend(TokenStream& in, RelationPtr input, size_t first) {
  plan::Project project{std::move(input),
                        {plan::MakeExpression(plan::Star{}, in.OriginFrom(in.position()))}};
  MERGANSER_ASSIGN_OR_RETURN(const std::vector<ExpressionPtr> added, ParseNamedExpressions(in));
  project.expressions.insert(project.expressions.end(), added.begin(), added.end());
  return plan::MakeRelation(std::move(project), in.OriginFrom(first));
}

/// `SET a = expression, ...`: each assignment sees those before it.
Result<RelationPtr> ParseSet(TokenStream& in, RelationPtr input, size_t first) {
  const TreeHeight height(in);
  do {
    const size_t assignment_at = in.position();
    plan::Star star;
    MERGANSER_ASSIGN_OR_RETURN(std::vector<std::string> column, ParseNameParts(in));
    if (column.size() > 1) {
      return in.ErrorFrom(assignment_at, Error(ErrorClass::UNSUPPORTED_FEATURE,
                                               {{"clauses", "SET with a multi-part name"}},
                                               "CLAUSE_WITH_PIPE_OPERATORS"));
    }
    star.except.push_back(std::move(column));
    MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("="));
    MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr value, ParseExpression(in));
    star.replacements.push_back(std::move(value));
    plan::Project project{std::move(input),
                          {plan::MakeExpression(std::move(star), in.OriginFrom(assignment_at))}};
    input = plan::MakeRelation(std::move(project), in.OriginFrom(first));
    MERGANSER_RETURN_IF_ERROR(height.AddLevel());
  } while (in.AcceptSymbol(","));
  return input;
}

Result<RelationPtr> ParseDrop(TokenStream& in, RelationPtr input, size_t first) {
  plan::Star star;
  const size_t columns_at = in.position();
  MERGANSER_ASSIGN_OR_RETURN(star.except, ParseNamePartsSequence(in));
  plan::Project project{std::move(input),
                        {plan::MakeExpression(std::move(star), in.OriginFrom(columns_at))}};
  return plan::MakeRelation(std::move(project), in.OriginFrom(first));
}

Result<RelationPtr> ParseAggregate(TokenStream& in, RelationPtr input, size_t first) {
  plan::Aggregate aggregate;
  aggregate.child = std::move(input);
  std::vector<ExpressionPtr> functions;
  if (!in.PeekWords("GROUP", "BY")) {
    MERGANSER_ASSIGN_OR_RETURN(functions, ParseNamedExpressions(in));
  }
  if (in.PeekWords("GROUP", "BY")) {
    MERGANSER_ASSIGN_OR_RETURN(Grouping grouping, ParseGroupBy(in, true));
    aggregate.kind = grouping.kind;
    aggregate.grouping_sets = std::move(grouping.sets);
    aggregate.group_by_all = grouping.all;
    for (const ExpressionPtr& expression : grouping.expressions) {
      const auto* alias = expression->As<plan::Alias>();
      aggregate.group_by.push_back(alias == nullptr ? expression : alias->child);
      aggregate.expressions.push_back(expression);
    }
  }
  aggregate.expressions.insert(aggregate.expressions.end(), functions.begin(), functions.end());
  return plan::MakeRelation(std::move(aggregate), in.OriginFrom(first));
}

Result<RelationPtr> ParseWhere(TokenStream& in, RelationPtr input, size_t first) {
  plan::Filter filter{std::move(input), nullptr};
  MERGANSER_ASSIGN_OR_RETURN(filter.condition, ParseExpression(in));
  return plan::MakeRelation(std::move(filter), in.OriginFrom(first));
}

}  // namespace

Result<RelationPtr> ParsePipeOperator(TokenStream& in, RelationPtr input, size_t first) {
  if (in.PeekWord("SELECT")) return ParsePipeSelect(in, std::move(input));
  if (in.AcceptWord("EXTEND")) return ParseExtend(in, std::move(input), first);
  if (in.AcceptWord("SET")) return ParseSet(in, std::move(input), first);
  if (in.AcceptWord("DROP")) return ParseDrop(in, std::move(input), first);
  if (in.AcceptWord("AGGREGATE")) return ParseAggregate(in, std::move(input), first);
  if (in.AcceptWord("WHERE")) return ParseWhere(in, std::move(input), first);
  if (in.AcceptWord("AS")) {
    MERGANSER_ASSIGN_OR_RETURN(std::string name, ParseHyphenCheckedIdentifier(in));
    return WithAlias(std::move(input), std::move(name));
  }
  if (PeekPivot(in)) return ParsePivot(in, std::move(input), first);
  if (PeekUnpivot(in)) return ParseUnpivot(in, std::move(input), first);
  if (in.PeekWord("TABLESAMPLE")) return ParseSample(in, std::move(input));
  MERGANSER_ASSIGN_OR_RETURN(std::optional<plan::SetOperation> operation, ParseSetOperator(in));
  if (operation) {
    operation->left = std::move(input);
    MERGANSER_ASSIGN_OR_RETURN(operation->right, ParseQueryPrimary(in));
    return plan::MakeRelation(*std::move(operation), in.OriginFrom(first));
  }
  MERGANSER_ASSIGN_OR_RETURN(RelationPtr joined, ParseJoin(in, input, first));
  if (joined != nullptr) return joined;
  MERGANSER_ASSIGN_OR_RETURN(RelationPtr organized, ParseQueryOrganization(in, input));
  if (organized == input) return in.SyntaxError();
  return organized;
}

}  // namespace merganser
