#include "merganser/spark/sql/query_parser.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/sql/expression_parser.h"
#include "merganser/spark/sql/inline_table_parser.h"
#include "merganser/spark/sql/name_parser.h"
#include "merganser/spark/sql/number_literal.h"
#include "merganser/spark/sql/pipe_parser.h"
#include "merganser/spark/sql/relation_parser.h"
#include "merganser/spark/sql/select_parser.h"
#include "merganser/spark/sql/window_parser.h"

namespace merganser {
namespace {

using plan::RelationPtr;

Result<plan::CommonTable> ParseCommonTable(TokenStream& in) {
  const size_t first = in.position();
  plan::CommonTable table;
  MERGANSER_ASSIGN_OR_RETURN(table.name, ParseHyphenCheckedIdentifier(in));
  if (in.PeekSymbol("(") && !in.PeekParenthesizedQuery()) {
    MERGANSER_ASSIGN_OR_RETURN(table.columns, ParseIdentifierList(in));
  }
  if (in.AcceptWords("MAX", "RECURSION")) {
    MERGANSER_RETURN_IF_ERROR(in.ExpectWord("LEVEL"));
    MERGANSER_ASSIGN_OR_RETURN(table.recursion_limit, ParseInteger(in));
  }
  in.AcceptWord("AS");
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("("));
  MERGANSER_ASSIGN_OR_RETURN(table.query, ParseQuery(in));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  table.origin = in.OriginFrom(first);
  return table;
}

/// Set operations of one precedence, `read` reading the operands; both associate to the left.
Result<RelationPtr> ParseSetOperations(TokenStream& in, bool intersect) {
  const TreeHeight height(in);
  const size_t first = in.position();
  const auto read = [&]() {
    return intersect ? ParseQueryPrimary(in) : ParseSetOperations(in, true);
  };
  MERGANSER_ASSIGN_OR_RETURN(RelationPtr left, read());
  while (true) {
    if (in.PeekWord("INTERSECT") != intersect) return left;
    MERGANSER_ASSIGN_OR_RETURN(std::optional<plan::SetOperation> operation, ParseSetOperator(in));
    if (!operation) return left;
    operation->left = std::move(left);
    MERGANSER_ASSIGN_OR_RETURN(operation->right, read());
    MERGANSER_RETURN_IF_ERROR(height.AddLevel());
    left = plan::MakeRelation(*std::move(operation), in.OriginFrom(first));
  }
}

Result<RelationPtr> ParseQueryTerm(TokenStream& in) {
  const TreeHeight height(in);
  const size_t first = in.position();
  MERGANSER_ASSIGN_OR_RETURN(RelationPtr query, ParseSetOperations(in, false));
  while (in.AcceptSymbol("|>")) {
    MERGANSER_ASSIGN_OR_RETURN(query, ParsePipeOperator(in, std::move(query), first));
    MERGANSER_RETURN_IF_ERROR(height.AddLevel());
  }
  return query;
}

/// FROM first: `FROM t SELECT a`, or `FROM t` alone, in front of pipe operators above all.
Result<RelationPtr> ParseFromStatement(TokenStream& in) {
  const size_t first = in.position();
  MERGANSER_ASSIGN_OR_RETURN(const RelationPtr from, ParseFromClause(in));
  RelationPtr query;
  while (in.PeekWord("SELECT")) {
    MERGANSER_ASSIGN_OR_RETURN(RelationPtr body, ParseSelectAfterFrom(in, from));
    MERGANSER_ASSIGN_OR_RETURN(body, ParseQueryOrganization(in, std::move(body)));
    if (query == nullptr) {
      query = std::move(body);
      continue;
    }
    plan::SetOperation both{std::move(query), std::move(body), plan::SetOperator::kUnion, true};
    query = plan::MakeRelation(std::move(both), in.OriginFrom(first));
  }
  return query == nullptr ? from : query;
}

Status ParseSortClauses(TokenStream& in, RelationPtr& relation, size_t first) {
  const size_t clauses_at = in.position();
  int clauses = 0;
  plan::Sort sort;
  if (in.AcceptWords("ORDER", "BY")) {
    ++clauses;
    sort.order_by_all = in.PeekWord("ALL") && !in.PeekSymbol(".", 1) && !in.PeekSymbol("(", 1);
    MERGANSER_ASSIGN_OR_RETURN(sort.order_by, ParseSortItems(in));
    sort.order_by_all = sort.order_by_all && sort.order_by.size() == 1;
    if (sort.order_by_all) {
      plan::SortOrder all = *sort.order_by[0]->As<plan::SortOrder>();
      sort.order_by_all = all.child->As<plan::Attribute>() != nullptr;
      all.child = sort.order_by_all ? nullptr : all.child;
      sort.order_by[0] = plan::MakeExpression(std::move(all), sort.order_by[0]->origin);
    }
  }
  if (in.AcceptWords("CLUSTER", "BY")) {
    ++clauses;
    sort.global = false;
    MERGANSER_ASSIGN_OR_RETURN(const std::vector<plan::ExpressionPtr> keys, ParseExpressions(in));
    for (const plan::ExpressionPtr& key : keys) {
      sort.order_by.push_back(
          plan::MakeExpression(plan::SortOrder{key, true, std::nullopt}, key->origin));
    }
  }
  const bool distributed = in.AcceptWords("DISTRIBUTE", "BY");
  if (distributed) {
    // Where rows are computed changes nothing in the result.
    MERGANSER_RETURN_IF_ERROR(ParseExpressions(in));
    clauses += clauses == 0 ? 0 : 1;
  }
  if (in.AcceptWords("SORT", "BY")) {
    ++clauses;
    sort.global = false;
    MERGANSER_ASSIGN_OR_RETURN(sort.order_by, ParseSortItems(in));
  }
  if (clauses > 1) {
    return in.ErrorFrom(
        clauses_at, Error(ErrorClass::UNSUPPORTED_FEATURE, {}, "COMBINATION_QUERY_RESULT_CLAUSES"));
  }
  if (clauses == 0) return Status::Ok();
  sort.child = std::move(relation);
  relation = plan::MakeRelation(std::move(sort), in.OriginFrom(first));
  return Status::Ok();
}

}  // namespace

Result<RelationPtr> ParseQuery(TokenStream& in) {
  const size_t first = in.position();
  plan::With with;
  if (in.PeekWord("WITH")) {
    MERGANSER_ASSIGN_OR_RETURN(with, ParseWithClause(in));
  }
  return ParseQueryAfterWith(in, std::move(with), first);
}

Result<plan::With> ParseWithClause(TokenStream& in) {
  const Nesting nesting(in);
  MERGANSER_RETURN_IF_ERROR(nesting.Check());
  const size_t first = in.position();
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("WITH"));
  plan::With with;
  if (in.PeekWord("RECURSIVE") && in.PeekIdentifier(1) && !in.PeekWord("AS", 1)) {
    with.recursive = in.AcceptWord("RECURSIVE");
  }
  do {
    MERGANSER_ASSIGN_OR_RETURN(plan::CommonTable table, ParseCommonTable(in));
    const bool repeated =
        std::any_of(with.tables.begin(), with.tables.end(),
                    [&](const plan::CommonTable& other) { return other.name == table.name; });
    if (repeated) {
      return in.ErrorFrom(first, Error(ErrorClass::DUPLICATED_CTE_NAMES,
                                       {{"duplicateNames", QuotedIdentifier(table.name)}}));
    }
    with.tables.push_back(std::move(table));
  } while (in.AcceptSymbol(","));
  return with;
}

Result<RelationPtr> ParseQueryAfterWith(TokenStream& in, plan::With with, size_t first) {
  const Nesting nesting(in);
  MERGANSER_RETURN_IF_ERROR(nesting.Check());
  const TreeHeight height(in);
  MERGANSER_ASSIGN_OR_RETURN(RelationPtr query, ParseQueryTerm(in));
  MERGANSER_ASSIGN_OR_RETURN(query, ParseQueryOrganization(in, std::move(query)));
  MERGANSER_RETURN_IF_ERROR(height.AddLevel());
  if (with.tables.empty()) return query;
  with.child = std::move(query);
  return plan::MakeRelation(std::move(with), in.OriginFrom(first));
}

Result<RelationPtr> ParseQueryPrimary(TokenStream& in) {
  const size_t first = in.position();
  if (in.PeekWord("SELECT")) return ParseSelect(in);
  if (in.PeekWord("FROM")) return ParseFromStatement(in);
  if (in.PeekWord("VALUES")) return ParseInlineTable(in);
  if (in.PeekWord("TABLE")) {
    in.Next();
    plan::TableReference table;
    MERGANSER_ASSIGN_OR_RETURN(table.name, ParseName(in));
    return plan::MakeRelation(std::move(table), in.OriginFrom(first));
  }
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("("));
  MERGANSER_ASSIGN_OR_RETURN(RelationPtr query, ParseQuery(in));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  return query;
}

Result<RelationPtr> ParseQueryOrganization(TokenStream& in, RelationPtr relation) {
  const size_t first = in.position();
  MERGANSER_RETURN_IF_ERROR(ParseSortClauses(in, relation, first));
  plan::NamedWindows named;
  MERGANSER_ASSIGN_OR_RETURN(named.windows, ParseWindowClause(in));
  if (!named.windows.empty()) {
    named.child = std::move(relation);
    relation = plan::MakeRelation(std::move(named), in.OriginFrom(first));
  }
  plan::Limit limit;
  if (in.AcceptWord("LIMIT")) {
    const bool all = in.PeekWord("ALL") && !in.PeekSymbol("(", 1) && !in.PeekSymbol(".", 1);
    if (all) {
      in.Next();
    } else {
      MERGANSER_ASSIGN_OR_RETURN(limit.limit, ParseExpression(in));
    }
  }
  if (in.AcceptWord("OFFSET")) {
    MERGANSER_ASSIGN_OR_RETURN(limit.offset, ParseExpression(in));
  }
  if (limit.limit == nullptr && limit.offset == nullptr) return relation;
  limit.child = std::move(relation);
  return plan::MakeRelation(std::move(limit), in.OriginFrom(first));
}

Result<std::optional<plan::SetOperation>> ParseSetOperator(TokenStream& in) {
  plan::SetOperation operation;
  if (in.PeekWord("UNION")) {
    operation.op = plan::SetOperator::kUnion;
  } else if (in.PeekWord("INTERSECT")) {
    operation.op = plan::SetOperator::kIntersect;
  } else if (in.PeekAnyWord({"EXCEPT", "MINUS"})) {
    operation.op = plan::SetOperator::kExcept;
  } else {
    return std::optional<plan::SetOperation>();
  }
  in.Next();
  operation.all = in.AcceptWord("ALL");
  if (!operation.all) in.AcceptWord("DISTINCT");
  return std::optional<plan::SetOperation>(std::move(operation));
}

}  // namespace merganser
