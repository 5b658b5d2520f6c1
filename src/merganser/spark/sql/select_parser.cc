#include "merganser/spark/sql/select_parser.h"

#include <string>
#include <utility>
#include <vector>

#include "merganser/spark/sql/expression_parser.h"
#include "merganser/spark/sql/grouping_parser.h"
#include "merganser/spark/sql/name_parser.h"
#include "merganser/spark/sql/relation_parser.h"
#include "merganser/spark/sql/window_parser.h"

namespace merganser {
namespace {

using plan::ExpressionPtr;
using plan::RelationPtr;

struct SelectClause {
  std::vector<std::string> hints;
  bool distinct = false;
  std::vector<ExpressionPtr> expressions;
};

/// `/*+ NAME(a, b), NAME */`: only the names are kept.
Status ParseHints(TokenStream& in, std::vector<std::string>& hints) {
  while (in.Peek().is(TokenKind::kHintStart)) {
    in.Next();
    do {
      MERGANSER_ASSIGN_OR_RETURN(std::string name, ParseIdentifier(in));
      if (in.AcceptSymbol("(")) {
        MERGANSER_RETURN_IF_ERROR(ParseExpressions(in));
        MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
      }
      hints.push_back(std::move(name));
      in.AcceptSymbol(",");
    } while (!in.Peek().is(TokenKind::kHintEnd));
    in.Next();
  }
  return Status::Ok();
}

Result<ExpressionPtr> ParseSelectItem(TokenStream& in, bool default_values) {
  if (!default_values || !PeekDefaultValue(in)) return ParseNamedExpression(in);
  const size_t first = in.position();
  MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr value, ParseExpressionOrDefault(in));
  MERGANSER_ASSIGN_OR_RETURN(std::vector<std::string> names, ParseColumnAlias(in));
  if (names.empty()) return value;
  return plan::MakeExpression(plan::Alias{std::move(value), std::move(names)},
                              in.OriginFrom(first));
}

Result<SelectClause> ParseSelectClause(TokenStream& in) {
  const bool default_values = std::exchange(in.default_values, false);
  SelectClause clause;
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("SELECT"));
  MERGANSER_RETURN_IF_ERROR(ParseHints(in, clause.hints));
  const bool quantified = in.PeekAnyWord({"DISTINCT", "ALL"}) && !in.Peek(1).is(TokenKind::kEnd) &&
                          !in.PeekSymbol(",", 1) && !in.PeekSymbol(".", 1) &&
                          !in.PeekSymbol(")", 1);
  if (quantified) clause.distinct = in.Next().is_word("DISTINCT");
  do {
    MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr item, ParseSelectItem(in, default_values));
    clause.expressions.push_back(std::move(item));
  } while (in.AcceptSymbol(","));
  return clause;
}

/// The clauses behind a SELECT list, put around a relation from the inside out.
class SelectBuilder {
 public:
  SelectBuilder(TokenStream& in, size_t first, SelectClause clause, RelationPtr from)
      : in_(in), first_(first), clause_(std::move(clause)), relation_(std::move(from)) {}

  Result<RelationPtr> Build() {
    MERGANSER_ASSIGN_OR_RETURN(relation_, ParseLateralViews(in_, std::move(relation_)));
    if (in_.AcceptWord("WHERE")) {
      plan::Filter filter{std::move(relation_), nullptr};
      MERGANSER_ASSIGN_OR_RETURN(filter.condition, ParseExpression(in_));
      Wrap(std::move(filter));
    }
    MERGANSER_RETURN_IF_ERROR(ParseGroupingAndHaving());
    plan::NamedWindows named;
    MERGANSER_ASSIGN_OR_RETURN(named.windows, ParseWindowClause(in_));
    if (in_.AcceptWord("QUALIFY")) {
      plan::Qualify qualify{std::move(relation_), nullptr};
      MERGANSER_ASSIGN_OR_RETURN(qualify.condition, ParseExpression(in_));
      Wrap(std::move(qualify));
    }
    if (clause_.distinct) Wrap(plan::Distinct{std::move(relation_)});
    if (!named.windows.empty()) {
      named.child = std::move(relation_);
      Wrap(std::move(named));
    }
    WrapHints();
    return relation_;
  }

  /// As Build, for the pipe operator: GROUP BY and WINDOW are all that may follow.
  Result<RelationPtr> BuildPipe() {
    MERGANSER_RETURN_IF_ERROR(ParseGroupingAndHaving());
    if (clause_.distinct) Wrap(plan::Distinct{std::move(relation_)});
    plan::NamedWindows named;
    MERGANSER_ASSIGN_OR_RETURN(named.windows, ParseWindowClause(in_));
    if (!named.windows.empty()) {
      named.child = std::move(relation_);
      Wrap(std::move(named));
    }
    WrapHints();
    return relation_;
  }

 private:
  template <typename Node>
  void Wrap(Node node) {
    relation_ = plan::MakeRelation(std::move(node), in_.OriginFrom(first_));
  }

  void WrapHints() {
    for (std::string& name : clause_.hints) Wrap(plan::Hint{std::move(relation_), std::move(name)});
  }

  Status ParseGroupingAndHaving() {
    const bool grouped = in_.PeekWords("GROUP", "BY");
    Grouping grouping;
    if (grouped) {
      MERGANSER_ASSIGN_OR_RETURN(grouping, ParseGroupBy(in_));
    }
    const bool having = in_.PeekWord("HAVING");
    if (grouped || having) {
      // HAVING without GROUP BY makes the whole input one group.
      Wrap(plan::Aggregate{std::move(relation_), std::move(grouping.expressions),
                           std::move(clause_.expressions), grouping.kind, std::move(grouping.sets),
                           grouping.all});
    } else {
      Wrap(plan::Project{std::move(relation_), std::move(clause_.expressions)});
    }
    if (!having) return Status::Ok();
    in_.Next();
    plan::Having node{std::move(relation_), nullptr};
    MERGANSER_ASSIGN_OR_RETURN(node.condition, ParseExpression(in_));
    Wrap(std::move(node));
    return Status::Ok();
  }

  TokenStream& in_;
  size_t first_;
  SelectClause clause_;
  RelationPtr relation_;
};

}  // namespace

Result<RelationPtr> ParseSelect(TokenStream& in) {
  const size_t first = in.position();
  MERGANSER_ASSIGN_OR_RETURN(SelectClause clause, ParseSelectClause(in));
  RelationPtr from;
  if (in.PeekWord("FROM")) {
    MERGANSER_ASSIGN_OR_RETURN(from, ParseFromClause(in));
  } else {
    from = plan::MakeRelation(plan::OneRow{}, in.OriginFrom(first));
  }
  return SelectBuilder(in, first, std::move(clause), std::move(from)).Build();
}

Result<RelationPtr> ParseSelectAfterFrom(TokenStream& in, RelationPtr from) {
  const size_t first = in.position();
  MERGANSER_ASSIGN_OR_RETURN(SelectClause clause, ParseSelectClause(in));
  return SelectBuilder(in, first, std::move(clause), std::move(from)).Build();
}

Result<RelationPtr> ParsePipeSelect(TokenStream& in, RelationPtr child) {
  const size_t first = in.position();
  MERGANSER_ASSIGN_OR_RETURN(SelectClause clause, ParseSelectClause(in));
  return SelectBuilder(in, first, std::move(clause), std::move(child)).BuildPipe();
}

}  // namespace merganser
