#include "merganser/spark/sql/merge_parser.h"

#include <string>
#include <utility>
#include <vector>

#include "merganser/spark/sql/expression_parser.h"
#include "merganser/spark/sql/name_parser.h"
#include "merganser/spark/sql/query_parser.h"
#include "merganser/spark/sql/relation_parser.h"
#include "merganser/spark/sql/update_parser.h"

namespace merganser {
namespace {

using plan::MergeActionKind;

enum class Family { kMatched, kNotMatched, kNotMatchedBySource };

Result<plan::RelationPtr> ParseTableReference(TokenStream& in) {
  const size_t first = in.position();
  plan::TableReference table;
  MERGANSER_ASSIGN_OR_RETURN(table.name, ParseName(in));
  return plan::MakeRelation(std::move(table), in.OriginFrom(first));
}

Result<plan::RelationPtr> ParseSource(TokenStream& in) {
  if (!in.AcceptSymbol("(")) return ParseTableReference(in);
  MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr query, ParseQuery(in));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  return query;
}

/// The target or source under its alias.
Result<plan::RelationPtr> WithTargetAlias(TokenStream& in, plan::RelationPtr relation) {
  MERGANSER_ASSIGN_OR_RETURN(std::string alias, ParseTargetAlias(in, "MERGE"));
  return WithAlias(std::move(relation), std::move(alias));
}

/// `* [EXCEPT (columns)]`, if it stands at the cursor.
Result<bool> AcceptStar(TokenStream& in, plan::MergeClause& clause) {
  if (!in.AcceptSymbol("*")) return false;
  if (in.AcceptWord("EXCEPT")) {
    MERGANSER_ASSIGN_OR_RETURN(clause.except, ParseNamePartsList(in));
  }
  return true;
}

Status ParseInsertAction(TokenStream& in, plan::MergeClause& clause) {
  const size_t action_at = in.position();
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("INSERT"));
  MERGANSER_ASSIGN_OR_RETURN(const bool star, AcceptStar(in, clause));
  clause.action = star ? MergeActionKind::kInsertStar : MergeActionKind::kInsert;
  if (star) return Status::Ok();
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("("));
  do {
    const size_t column_at = in.position();
    plan::Assignment assignment;
    MERGANSER_ASSIGN_OR_RETURN(assignment.key.parts, ParseNameParts(in));
    assignment.key.origin = assignment.origin = in.OriginFrom(column_at);
    clause.assignments.push_back(std::move(assignment));
  } while (in.AcceptSymbol(","));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("VALUES"));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("("));
  size_t values = 0;
  do {
    MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr value, ParseExpressionOrDefault(in));
    if (values < clause.assignments.size()) clause.assignments[values].value = std::move(value);
    ++values;
  } while (in.AcceptSymbol(","));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  if (values == clause.assignments.size()) return Status::Ok();
  return in.ErrorFrom(action_at,
                      Error(ErrorClass::MERGE_INSERT_VALUE_COUNT_MISMATCH,
                            {{"expectedCount", std::to_string(clause.assignments.size())},
                             {"actualCount", std::to_string(values)}}));
}

Status ParseAction(TokenStream& in, Family family, plan::MergeClause& clause) {
  if (family == Family::kNotMatched) return ParseInsertAction(in, clause);
  if (in.AcceptWord("DELETE")) {
    clause.action = MergeActionKind::kDelete;
    return Status::Ok();
  }
  MERGANSER_RETURN_IF_ERROR(in.ExpectWords("UPDATE", "SET"));
  if (family == Family::kMatched) {
    MERGANSER_ASSIGN_OR_RETURN(const bool star, AcceptStar(in, clause));
    clause.action = star ? MergeActionKind::kUpdateStar : MergeActionKind::kUpdate;
    if (star) return Status::Ok();
  }
  MERGANSER_ASSIGN_OR_RETURN(clause.assignments, ParseAssignments(in));
  return Status::Ok();
}

/// One WHEN clause, put at the end of its family.
Status ParseClause(TokenStream& in, plan::MergeInto& merge) {
  const size_t first = in.position();
  in.Next();
  Family family = Family::kMatched;
  if (in.AcceptWord("NOT") || in.AcceptSymbol("!")) family = Family::kNotMatched;
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("MATCHED"));
  if (family == Family::kNotMatched && in.AcceptWord("BY")) {
    if (in.AcceptWord("SOURCE")) {
      family = Family::kNotMatchedBySource;
    } else {
      MERGANSER_RETURN_IF_ERROR(in.ExpectWord("TARGET"));
    }
  }
  plan::MergeClause clause;
  if (in.AcceptWord("AND")) {
    MERGANSER_ASSIGN_OR_RETURN(clause.condition, ParseExpression(in));
  }
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("THEN"));
  MERGANSER_RETURN_IF_ERROR(ParseAction(in, family, clause));
  clause.origin = in.OriginFrom(first);
  auto& clauses = family == Family::kMatched      ? merge.matched
                  : family == Family::kNotMatched ? merge.not_matched
                                                  : merge.not_matched_by_source;
  clauses.push_back(std::move(clause));
  return Status::Ok();
}

/// Of a family's clauses only the last may have no condition.
Status CheckConditions(const TokenStream& in, size_t first,
                       const std::vector<plan::MergeClause>& clauses, ErrorClass error_class) {
  for (size_t i = 0; i + 1 < clauses.size(); ++i) {
    if (clauses[i].condition == nullptr) return in.ErrorFrom(first, Error(error_class));
  }
  return Status::Ok();
}

}  // namespace

Result<plan::MergeInto> ParseMerge(TokenStream& in, plan::With with) {
  const size_t first = in.position();
  plan::MergeInto merge;
  merge.with = std::move(with.tables);
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("MERGE"));
  if (in.AcceptWord("WITH")) {
    MERGANSER_RETURN_IF_ERROR(in.ExpectWords("SCHEMA", "EVOLUTION"));
    merge.with_schema_evolution = true;
  }
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("INTO"));
  MERGANSER_ASSIGN_OR_RETURN(merge.target, ParseTableReference(in));
  MERGANSER_ASSIGN_OR_RETURN(merge.target, WithTargetAlias(in, std::move(merge.target)));
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("USING"));
  MERGANSER_ASSIGN_OR_RETURN(merge.source, ParseSource(in));
  MERGANSER_ASSIGN_OR_RETURN(merge.source, WithTargetAlias(in, std::move(merge.source)));
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("ON"));
  MERGANSER_ASSIGN_OR_RETURN(merge.condition, ParseExpression(in));
  while (in.PeekWord("WHEN")) MERGANSER_RETURN_IF_ERROR(ParseClause(in, merge));
  merge.dry_run = in.AcceptWords("DRY", "RUN");
  MERGANSER_RETURN_IF_ERROR(in.ExpectEnd());
  if (merge.matched.empty() && merge.not_matched.empty() && merge.not_matched_by_source.empty()) {
    return in.ErrorFrom(first, Error(ErrorClass::MERGE_WITHOUT_WHEN));
  }
  MERGANSER_RETURN_IF_ERROR(CheckConditions(in, first, merge.matched,
                                            ErrorClass::NON_LAST_MATCHED_CLAUSE_OMIT_CONDITION));
  MERGANSER_RETURN_IF_ERROR(
      CheckConditions(in, first, merge.not_matched,
                      ErrorClass::NON_LAST_NOT_MATCHED_BY_TARGET_CLAUSE_OMIT_CONDITION));
  MERGANSER_RETURN_IF_ERROR(
      CheckConditions(in, first, merge.not_matched_by_source,
                      ErrorClass::NON_LAST_NOT_MATCHED_BY_SOURCE_CLAUSE_OMIT_CONDITION));
  return merge;
}

}  // namespace merganser
