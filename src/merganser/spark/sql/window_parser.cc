#include "merganser/spark/sql/window_parser.h"

#include <algorithm>

#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/sql/expression_parser.h"
#include "merganser/spark/sql/name_parser.h"

namespace merganser {
namespace {

bool PeekClauseStart(const TokenStream& in) {
  return in.PeekAnyWord({"PARTITION", "DISTRIBUTE", "CLUSTER", "ORDER", "SORT"}) &&
         in.PeekWord("BY", 1);
}

bool PeekFrameStart(const TokenStream& in) {
  return in.PeekAnyWord({"ROWS", "RANGE"}) && !in.PeekSymbol(")", 1);
}

Result<plan::FrameBound> ParseFrameBound(TokenStream& in) {
  plan::FrameBound bound;
  if (in.PeekWord("UNBOUNDED") && in.PeekAnyWord({"PRECEDING", "FOLLOWING"}, 1)) {
    in.Next();
    bound.kind = in.Next().is_word("PRECEDING") ? plan::BoundKind::kUnboundedPreceding
                                                : plan::BoundKind::kUnboundedFollowing;
    return bound;
  }
  if (in.AcceptWords("CURRENT", "ROW")) {
    bound.kind = plan::BoundKind::kCurrentRow;
    return bound;
  }
  MERGANSER_ASSIGN_OR_RETURN(bound.offset, ParseExpression(in));
  if (!in.PeekAnyWord({"PRECEDING", "FOLLOWING"})) return in.SyntaxError();
  bound.kind =
      in.Next().is_word("PRECEDING") ? plan::BoundKind::kPreceding : plan::BoundKind::kFollowing;
  return bound;
}

Result<plan::WindowFrame> ParseFrame(TokenStream& in) {
  plan::WindowFrame frame;
  frame.unit = in.Next().is_word("ROWS") ? plan::FrameUnit::kRows : plan::FrameUnit::kRange;
  const bool between = in.AcceptWord("BETWEEN");
  MERGANSER_ASSIGN_OR_RETURN(frame.lower, ParseFrameBound(in));
  frame.upper.kind = plan::BoundKind::kCurrentRow;
  if (between) {
    MERGANSER_RETURN_IF_ERROR(in.ExpectWord("AND"));
    MERGANSER_ASSIGN_OR_RETURN(frame.upper, ParseFrameBound(in));
  }
  return frame;
}

}  // namespace

bool PeekWindow(const TokenStream& in) {
  return in.PeekWord("OVER") &&
         (in.PeekSymbol("(", 1) || (in.PeekIdentifier(1) && !in.PeekWord("FROM", 1)));
}

Result<plan::WindowSpec> ParseWindowSpec(TokenStream& in) {
  plan::WindowSpec spec;
  if (!in.AcceptSymbol("(")) {
    MERGANSER_ASSIGN_OR_RETURN(spec.base, ParseIdentifier(in));
    return spec;
  }
  if (in.PeekIdentifier() && in.PeekSymbol(")", 1)) {
    MERGANSER_ASSIGN_OR_RETURN(spec.base, ParseIdentifier(in));
  }
  if (PeekClauseStart(in) && !in.PeekAnyWord({"ORDER", "SORT"})) {
    in.Next();
    in.Next();
    MERGANSER_ASSIGN_OR_RETURN(spec.partition_by, ParseExpressions(in));
  }
  if (PeekClauseStart(in)) {
    in.Next();
    in.Next();
    MERGANSER_ASSIGN_OR_RETURN(spec.order_by, ParseSortItems(in));
  }
  if (PeekFrameStart(in)) {
    MERGANSER_ASSIGN_OR_RETURN(spec.frame, ParseFrame(in));
  }
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  return spec;
}

Result<std::vector<std::pair<std::string, plan::WindowSpec>>> ParseWindowClause(TokenStream& in) {
  std::vector<std::pair<std::string, plan::WindowSpec>> windows;
  if (!in.PeekWord("WINDOW") || !in.PeekIdentifier(1) || !in.PeekWord("AS", 2)) return windows;
  const size_t first = in.position();
  in.Next();
  do {
    MERGANSER_ASSIGN_OR_RETURN(std::string name, ParseHyphenCheckedIdentifier(in));
    MERGANSER_RETURN_IF_ERROR(in.ExpectWord("AS"));
    MERGANSER_ASSIGN_OR_RETURN(plan::WindowSpec spec, ParseWindowSpec(in));
    const bool repeated = std::any_of(windows.begin(), windows.end(),
                                      [&](const auto& window) { return window.first == name; });
    if (repeated) {
      return in.ErrorFrom(
          first, Error(ErrorClass::INVALID_SQL_SYNTAX, {{"windowName", QuotedIdentifier(name)}},
                       "REPETITIVE_WINDOW_DEFINITION"));
    }
    windows.emplace_back(std::move(name), std::move(spec));
  } while (in.AcceptSymbol(","));
  return windows;
}

}  // namespace merganser
