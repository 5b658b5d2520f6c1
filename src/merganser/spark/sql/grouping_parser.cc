#include "merganser/spark/sql/grouping_parser.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "merganser/base/letter_case.h"
#include "merganser/spark/sql/expression_parser.h"

namespace merganser {
namespace {

using plan::ExpressionPtr;
using plan::GroupingKind;

using Set = std::vector<ExpressionPtr>;
using Sets = std::vector<Set>;

constexpr size_t kMaxSets = 4096;
constexpr size_t kMaxCubeElements = 64;

/// One item of GROUP BY.
struct Item {
  GroupingKind kind = GroupingKind::kGroupBy;
  Sets elements;  ///< The expression itself; the elements of ROLLUP and CUBE; all sets of GROUPING
                  ///< SETS.
};

Error TooManySets(const TokenStream& in) {
  return in.ErrorFrom(in.position(), Error(ErrorClass::GROUPING_SIZE_LIMIT_EXCEEDED,
                                           {{"maxSize", std::to_string(kMaxCubeElements)}}));
}

/// `(a, b)`, `()` or `a`.
Result<Set> ParseGroupingSet(TokenStream& in) {
  const auto close = in.PeekSymbol("(") ? in.ClosingParenthesis() : std::nullopt;
  const bool enclosed = close &&
                        (in.PeekSymbol(",", *close + 1) || in.PeekSymbol(")", *close + 1)) &&
                        !in.PeekParenthesizedQuery();
  if (!enclosed) {
    MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr expression, ParseExpression(in));
    return Set{std::move(expression)};
  }
  in.Next();
  Set set;
  if (!in.PeekSymbol(")")) {
    MERGANSER_ASSIGN_OR_RETURN(set, ParseExpressions(in));
  }
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  return set;
}

bool PeekAnalytics(const TokenStream& in) {
  if (in.PeekAnyWord({"ROLLUP", "CUBE"})) return in.PeekSymbol("(", 1);
  return in.PeekWords("GROUPING", "SETS") && in.PeekSymbol("(", 2);
}

Set Concatenate(const Sets& elements, size_t count) {
  Set out;
  for (size_t i = 0; i < count; ++i) out.insert(out.end(), elements[i].begin(), elements[i].end());
  return out;
}

/// The sets that an item stands for.
Result<Sets> Expand(const TokenStream& in, const Item& item) {
  Sets sets;
  switch (item.kind) {
    case GroupingKind::kRollup:
      for (size_t count = item.elements.size() + 1; count-- > 0;)
        sets.push_back(Concatenate(item.elements, count));
      return sets;
    case GroupingKind::kCube: {
      if (item.elements.size() > 12) return TooManySets(in);
      const size_t subsets = size_t{1} << item.elements.size();
      for (size_t mask = subsets; mask-- > 0;) {
        Set set;
        for (size_t i = 0; i < item.elements.size(); ++i) {
          const bool chosen = (mask >> (item.elements.size() - 1 - i)) & 1;
          if (chosen) set.insert(set.end(), item.elements[i].begin(), item.elements[i].end());
        }
        sets.push_back(std::move(set));
      }
      return sets;
    }
    default:
      return item.elements;
  }
}

Result<Item> ParseAnalytics(TokenStream& in);

/// The elements inside of GROUPING SETS, nested analytics replaced by their sets.
Result<Sets> ParseGroupingElements(TokenStream& in) {
  const Nesting nesting(in);
  MERGANSER_RETURN_IF_ERROR(nesting.Check());
  Sets sets;
  do {
    if (PeekAnalytics(in)) {
      MERGANSER_ASSIGN_OR_RETURN(const Item item, ParseAnalytics(in));
      MERGANSER_ASSIGN_OR_RETURN(Sets inner, Expand(in, item));
      sets.insert(sets.end(), inner.begin(), inner.end());
    } else {
      MERGANSER_ASSIGN_OR_RETURN(Set set, ParseGroupingSet(in));
      sets.push_back(std::move(set));
    }
    if (sets.size() > kMaxSets) return TooManySets(in);
  } while (in.AcceptSymbol(","));
  return sets;
}

Result<Item> ParseAnalytics(TokenStream& in) {
  Item item;
  if (in.AcceptWords("GROUPING", "SETS")) {
    item.kind = GroupingKind::kGroupingSets;
    in.Next();
    MERGANSER_ASSIGN_OR_RETURN(item.elements, ParseGroupingElements(in));
  } else {
    item.kind = in.Next().is_word("CUBE") ? GroupingKind::kCube : GroupingKind::kRollup;
    in.Next();
    do {
      MERGANSER_ASSIGN_OR_RETURN(Set set, ParseGroupingSet(in));
      item.elements.push_back(std::move(set));
    } while (in.AcceptSymbol(","));
    if (item.elements.size() > kMaxCubeElements) return TooManySets(in);
  }
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  return item;
}

bool IsSimple(const Item& item) {
  return std::all_of(item.elements.begin(), item.elements.end(),
                     [](const Set& set) { return set.size() == 1; });
}

/// Every set of `left` joined with every set of `right`.
Result<Sets> Product(const TokenStream& in, const Sets& left, const Sets& right) {
  if (left.size() * right.size() > kMaxSets) return TooManySets(in);
  Sets sets;
  for (const Set& a : left) {
    for (const Set& b : right) {
      sets.push_back(a);
      sets.back().insert(sets.back().end(), b.begin(), b.end());
    }
  }
  return sets;
}

/// Where the expression begins: the place of a predicate (`a IN (1)`) leaves out its left side.
int32_t FirstByte(const plan::Expression& expression) {
  const auto* call = expression.As<plan::Call>();
  const auto* subquery = expression.As<plan::Subquery>();
  const std::vector<ExpressionPtr>* inputs = nullptr;
  if (call != nullptr) inputs = &call->arguments;
  if (subquery != nullptr) inputs = &subquery->values;
  if (inputs == nullptr || inputs->empty()) return expression.origin.start;
  return std::min(expression.origin.start, FirstByte(*inputs->front()));
}

/// The expression as written, in lower case: the sets of one clause repeat their expressions.
std::string WrittenText(const TokenStream& in, const plan::Expression& expression) {
  const auto start = static_cast<size_t>(FirstByte(expression));
  return AsciiLowerCase(
      in.text().substr(start, static_cast<size_t>(expression.origin.stop) + 1 - start));
}

Result<Grouping> Combine(const TokenStream& in, std::vector<Item> items) {
  Grouping grouping;
  const bool plain = std::all_of(items.begin(), items.end(), [](const Item& item) {
    return item.kind == GroupingKind::kGroupBy;
  });
  const bool one_simple =
      items.size() == 1 && items[0].kind != GroupingKind::kGroupingSets && IsSimple(items[0]);
  std::set<std::string> seen;
  for (const Item& item : items) {
    for (const Set& set : item.elements) {
      for (const ExpressionPtr& expression : set) {
        if (plain || seen.insert(WrittenText(in, *expression)).second)
          grouping.expressions.push_back(expression);
      }
    }
  }
  if (plain || one_simple) {
    grouping.kind = plain ? GroupingKind::kGroupBy : items[0].kind;
    return grouping;
  }
  grouping.kind = GroupingKind::kGroupingSets;
  grouping.sets = {Set()};
  for (const Item& item : items) {
    MERGANSER_ASSIGN_OR_RETURN(const Sets expanded, Expand(in, item));
    MERGANSER_ASSIGN_OR_RETURN(grouping.sets, Product(in, grouping.sets, expanded));
  }
  return grouping;
}

/// WITH ROLLUP, WITH CUBE or GROUPING SETS (...) behind a list of expressions.
Status ParseTrailingAnalytics(TokenStream& in, Grouping& grouping) {
  if (in.PeekWord("WITH") && in.PeekAnyWord({"ROLLUP", "CUBE"}, 1)) {
    in.Next();
    grouping.kind = in.Next().is_word("CUBE") ? GroupingKind::kCube : GroupingKind::kRollup;
  } else if (in.PeekWords("GROUPING", "SETS")) {
    MERGANSER_ASSIGN_OR_RETURN(Item item, ParseAnalytics(in));
    grouping.kind = GroupingKind::kGroupingSets;
    grouping.sets = std::move(item.elements);
  }
  return Status::Ok();
}

}  // namespace

Result<Grouping> ParseGroupBy(TokenStream& in, bool aliases) {
  MERGANSER_RETURN_IF_ERROR(in.ExpectWords("GROUP", "BY"));
  const bool all = in.PeekWord("ALL");
  std::vector<Item> items;
  do {
    Item item;
    if (PeekAnalytics(in)) {
      MERGANSER_ASSIGN_OR_RETURN(item, ParseAnalytics(in));
    } else {
      MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr expression,
                                 aliases ? ParseNamedExpression(in) : ParseExpression(in));
      item.elements.push_back({std::move(expression)});
    }
    items.push_back(std::move(item));
  } while (in.AcceptSymbol(","));
  MERGANSER_ASSIGN_OR_RETURN(Grouping grouping, Combine(in, std::move(items)));
  if (grouping.kind == GroupingKind::kGroupBy)
    MERGANSER_RETURN_IF_ERROR(ParseTrailingAnalytics(in, grouping));
  const bool single = grouping.kind == GroupingKind::kGroupBy && grouping.expressions.size() == 1;
  const auto* attribute = single ? grouping.expressions[0]->As<plan::Attribute>() : nullptr;
  if (all && attribute != nullptr && attribute->parts.size() == 1) {
    grouping.all = true;
    grouping.expressions.clear();
  }
  return grouping;
}

}  // namespace merganser
