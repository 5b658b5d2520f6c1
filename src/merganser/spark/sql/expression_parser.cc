#include "merganser/spark/sql/expression_parser.h"

#include <utility>

#include "merganser/spark/sql/name_parser.h"
#include "merganser/spark/sql/primary_parser.h"
#include "merganser/spark/sql/query_parser.h"
#include "merganser/spark/sql/string_literal.h"

namespace merganser {
namespace {

using plan::ExpressionPtr;

/// Binary operators, weakest first. Operators of one level associate to the left.
enum Level : int { kComparison = 1, kBitOr, kBitXor, kBitAnd, kShift, kSum, kProduct, kUnary };

struct BinaryOperator {
  std::string_view symbol;
  Level level;
};

constexpr BinaryOperator kOperators[] = {
    {"=", kComparison},  {"<=>", kComparison}, {"<>", kComparison}, {"<", kComparison},
    {"<=", kComparison}, {">", kComparison},   {">=", kComparison}, {"|", kBitOr},
    {"^", kBitXor},      {"&", kBitAnd},       {"<<", kShift},      {">>", kShift},
    {">>>", kShift},     {"+", kSum},          {"-", kSum},         {"||", kSum},
    {"*", kProduct},     {"/", kProduct},      {"%", kProduct},
};

/// The binary operator at the cursor; level 0 if there is none.
BinaryOperator PeekBinaryOperator(const TokenStream& in) {
  const Token& token = in.Peek();
  if (token.is_word("DIV")) return {"div", kProduct};
  if (!token.is(TokenKind::kSymbol)) return {"", Level(0)};
  for (const BinaryOperator& candidate : kOperators) {
    if (candidate.symbol == token.text) return candidate;
  }
  return {"", Level(0)};
}

Result<ExpressionPtr> ParseBinary(TokenStream& in, int weakest);

Result<ExpressionPtr> ParseUnary(TokenStream& in) {
  const bool sign = in.PeekSymbol("-") && !in.Peek(1).is_number();
  if (!sign && !in.PeekSymbol("+") && !in.PeekSymbol("~")) return ParsePrimary(in);
  const Nesting nesting(in);
  MERGANSER_RETURN_IF_ERROR(nesting.Check());
  const size_t first = in.position();
  const std::string_view symbol = in.Next().text;
  MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr operand, ParseUnary(in));
  std::string name = symbol == "-" ? "negative" : symbol == "+" ? "positive" : "~";
  return MakeOperator(std::move(name), {std::move(operand)}, in.OriginFrom(first));
}

/// Operators of level `weakest` and stronger.
Result<ExpressionPtr> ParseBinary(TokenStream& in, int weakest) {
  const TreeHeight height(in);
  const size_t first = in.position();
  MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr left, ParseUnary(in));
  while (true) {
    const BinaryOperator found = PeekBinaryOperator(in);
    if (found.level == 0 || found.level < weakest) return left;
    in.Next();
    MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr right, ParseBinary(in, found.level + 1));
    MERGANSER_RETURN_IF_ERROR(height.AddLevel());
    left = MakeOperator(std::string(found.symbol), {std::move(left), std::move(right)},
                        in.OriginFrom(first));
  }
}

ExpressionPtr Negate(ExpressionPtr operand, bool negated, const plan::Origin& origin) {
  return negated ? MakeOperator("not", {std::move(operand)}, origin) : operand;
}

/// A predicate after its left side `value`. Its place leaves out that side, as Spark's does.
class PredicateParser {
 public:
  PredicateParser(TokenStream& in, ExpressionPtr value)
      : in_(in), value_(std::move(value)), predicate_(in.position()) {}

  Result<ExpressionPtr> Parse() {
    if (in_.AcceptWord("IS")) return ParseIs();
    const bool not_ahead = in_.PeekWord("NOT") || in_.PeekSymbol("!");
    if (!in_.PeekAnyWord({"BETWEEN", "IN", "RLIKE", "REGEXP", "LIKE", "ILIKE"}, not_ahead ? 1 : 0))
      return value_;
    if (not_ahead) in_.Next();
    negated_ = not_ahead;
    if (in_.AcceptWord("BETWEEN")) return ParseBetween();
    if (in_.AcceptWord("IN")) return ParseIn();
    if (in_.AcceptWord("RLIKE") || in_.AcceptWord("REGEXP")) {
      MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr pattern, ParseValueExpression(in_));
      return Make("rlike", {value_, std::move(pattern)});
    }
    return ParseLike();
  }

 private:
  /// The call, under NOT if the predicate is negated.
  ExpressionPtr Make(std::string name, std::vector<ExpressionPtr> arguments) const {
    return Finish(MakeOperator(std::move(name), std::move(arguments), in_.OriginFrom(predicate_)));
  }
  ExpressionPtr Finish(ExpressionPtr expression) const {
    return Negate(std::move(expression), negated_, in_.OriginFrom(predicate_));
  }

  Result<ExpressionPtr> ParseIs() {
    negated_ = in_.AcceptWord("NOT") || in_.AcceptSymbol("!");
    if (in_.AcceptWord("NULL")) {
      return MakeOperator(negated_ ? "isnotnull" : "isnull", {value_}, in_.OriginFrom(predicate_));
    }
    if (in_.AcceptWord("TRUE")) return Make("istrue", {value_});
    if (in_.AcceptWord("FALSE")) return Make("isfalse", {value_});
    if (in_.AcceptWord("UNKNOWN")) return Make("isunknown", {value_});
    MERGANSER_RETURN_IF_ERROR(in_.ExpectWords("DISTINCT", "FROM"));
    MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr other, ParseValueExpression(in_));
    negated_ = !negated_;
    return Make("<=>", {value_, std::move(other)});
  }

  Result<ExpressionPtr> ParseBetween() {
    MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr lower, ParseValueExpression(in_));
    MERGANSER_RETURN_IF_ERROR(in_.ExpectWord("AND"));
    MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr upper, ParseValueExpression(in_));
    return Make("between", {value_, std::move(lower), std::move(upper)});
  }

  Result<ExpressionPtr> ParseIn() {
    if (!in_.PeekSymbol("(")) return in_.SyntaxError();
    if (in_.PeekParenthesizedQuery() && !PeekEnclosedScalar()) {
      in_.Next();
      plan::Subquery subquery{plan::SubqueryKind::kIn, nullptr, RowValues()};
      MERGANSER_ASSIGN_OR_RETURN(subquery.query, ParseQuery(in_));
      MERGANSER_RETURN_IF_ERROR(in_.ExpectSymbol(")"));
      return Finish(plan::MakeExpression(std::move(subquery), in_.OriginFrom(predicate_)));
    }
    in_.Next();
    if (in_.AcceptSymbol(")")) {
      return in_.ErrorFrom(predicate_,
                           Error(ErrorClass::INVALID_SQL_SYNTAX, {}, "EMPTY_IN_PREDICATE"));
    }
    std::vector<ExpressionPtr> arguments = {value_};
    MERGANSER_ASSIGN_OR_RETURN(std::vector<ExpressionPtr> values, ParseExpressions(in_));
    arguments.insert(arguments.end(), values.begin(), values.end());
    MERGANSER_RETURN_IF_ERROR(in_.ExpectSymbol(")"));
    return Make("in", std::move(arguments));
  }

  /// `((query))`: a list of one value, which is a scalar subquery.
  bool PeekEnclosedScalar() const {
    const auto outer = in_.ClosingParenthesis();
    const auto inner = in_.PeekSymbol("(", 1) ? in_.ClosingParenthesis(1) : std::nullopt;
    return outer && inner && *inner + 1 == *outer;
  }

  /// The left side of IN (query): the values of a row, or the one value.
  std::vector<ExpressionPtr> RowValues() const {
    const auto* call = value_->As<plan::Call>();
    const bool is_row = call != nullptr && call->name.size() == 1 && call->name[0] == "struct" &&
                        !call->arguments.empty();
    if (!is_row) return {value_};
    std::vector<ExpressionPtr> values;
    for (const ExpressionPtr& argument : call->arguments) {
      const auto* alias = argument->As<plan::Alias>();
      values.push_back(alias == nullptr ? argument : alias->child);
    }
    return values;
  }

  Result<ExpressionPtr> ParseLike() {
    std::string name = in_.Next().is_word("LIKE") ? "like" : "ilike";
    if (in_.PeekAnyWord({"ANY", "SOME", "ALL"}) && in_.PeekSymbol("(", 1))
      return ParseQuantifiedLike(name);
    MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr pattern, ParseValueExpression(in_));
    std::vector<ExpressionPtr> arguments = {value_, std::move(pattern)};
    if (in_.AcceptWord("ESCAPE")) {
      const size_t escape_at = in_.position();
      MERGANSER_ASSIGN_OR_RETURN(std::string escape, ParseString(in_));
      if (CharacterCount(escape) != 1) {
        return in_.ErrorFrom(
            predicate_, Error(ErrorClass::INVALID_ESC, {{"invalidEscape", "'" + escape + "'"}}));
      }
      arguments.push_back(MakeString(std::move(escape), in_.OriginFrom(escape_at)));
    }
    return Make(std::move(name), std::move(arguments));
  }

  static size_t CharacterCount(std::string_view text) {
    size_t count = 0;
    for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
    return count;
  }

  Result<ExpressionPtr> ParseQuantifiedLike(const std::string& like) {
    const bool all = in_.Next().is_word("ALL");
    in_.Next();
    std::vector<ExpressionPtr> arguments = {value_};
    if (in_.AcceptSymbol(")")) {
      return in_.ErrorFrom(predicate_, Error(ErrorClass::_LEGACY_ERROR_TEMP_0064,
                                             {{"msg", "Expected something between '(' and ')'."}}));
    }
    MERGANSER_ASSIGN_OR_RETURN(std::vector<ExpressionPtr> patterns, ParseExpressions(in_));
    arguments.insert(arguments.end(), patterns.begin(), patterns.end());
    MERGANSER_RETURN_IF_ERROR(in_.ExpectSymbol(")"));
    const std::string name = (negated_ ? "not_" : "") + like + (all ? "_all" : "_any");
    return MakeOperator(name, std::move(arguments), in_.OriginFrom(predicate_));
  }

  TokenStream& in_;
  ExpressionPtr value_;
  size_t predicate_;
  bool negated_ = false;
};

/// Does `next` make the word before it a column rather than an operator?
bool NamesColumn(const Token& next) {
  return next.is(TokenKind::kEnd) || next.is_symbol(",") || next.is_symbol(")") ||
         next.is_symbol(".") || next.is_word("AS");
}

Result<ExpressionPtr> ParseNot(TokenStream& in) {
  const size_t first = in.position();
  if (in.PeekSymbol("!") || (in.PeekWord("NOT") && !NamesColumn(in.Peek(1)))) {
    const Nesting nesting(in);
    MERGANSER_RETURN_IF_ERROR(nesting.Check());
    in.Next();
    MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr operand, ParseNot(in));
    return MakeOperator("not", {std::move(operand)}, in.OriginFrom(first));
  }
  MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr value, ParseValueExpression(in));
  return PredicateParser(in, std::move(value)).Parse();
}

plan::Origin Span(const plan::Origin& start, const plan::Origin& stop) {
  return {start.source, start.start, stop.stop, start.line, start.column};
}

/// The operands [first, last] under a tree of `name` that is as low as can be.
ExpressionPtr Balance(const std::string& name, std::vector<ExpressionPtr>& operands, size_t first,
                      size_t last) {
  if (first == last) return std::move(operands[first]);
  const size_t middle = first + (last - first) / 2;
  ExpressionPtr left = Balance(name, operands, first, middle);
  ExpressionPtr right = Balance(name, operands, middle + 1, last);
  const plan::Origin origin = Span(left->origin, right->origin);
  return MakeOperator(name, {std::move(left), std::move(right)}, origin);
}

Result<ExpressionPtr> ParseAnd(TokenStream& in) {
  std::vector<ExpressionPtr> operands;
  do {
    MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr operand, ParseNot(in));
    operands.push_back(std::move(operand));
  } while (in.AcceptWord("AND"));
  return Balance("and", operands, 0, operands.size() - 1);
}

}  // namespace

Result<ExpressionPtr> ParseExpression(TokenStream& in) {
  const Nesting nesting(in);
  MERGANSER_RETURN_IF_ERROR(nesting.Check());
  const TreeHeight height(in);
  std::vector<ExpressionPtr> operands;
  do {
    MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr operand, ParseAnd(in));
    operands.push_back(std::move(operand));
  } while (in.AcceptWord("OR"));
  MERGANSER_RETURN_IF_ERROR(height.AddLevel());
  return Balance("or", operands, 0, operands.size() - 1);
}

Result<ExpressionPtr> ParseValueExpression(TokenStream& in) { return ParseBinary(in, kComparison); }

Result<ExpressionPtr> ParseNamedExpression(TokenStream& in) {
  const size_t first = in.position();
  MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr expression, ParseExpression(in));
  return ParseAliasOf(in, std::move(expression), first);
}

Result<ExpressionPtr> ParseAliasOf(TokenStream& in, ExpressionPtr expression, size_t first) {
  MERGANSER_ASSIGN_OR_RETURN(std::vector<std::string> names, ParseColumnAlias(in));
  if (names.empty()) {
    std::string name = PathColumnName(*expression);
    if (name.empty()) return expression;
    names.push_back(std::move(name));
  }
  return plan::MakeExpression(plan::Alias{std::move(expression), std::move(names)},
                              in.OriginFrom(first));
}

Result<std::vector<ExpressionPtr>> ParseNamedExpressions(TokenStream& in) {
  std::vector<ExpressionPtr> expressions;
  do {
    MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr expression, ParseNamedExpression(in));
    expressions.push_back(std::move(expression));
  } while (in.AcceptSymbol(","));
  return expressions;
}

Result<std::vector<ExpressionPtr>> ParseExpressions(TokenStream& in) {
  std::vector<ExpressionPtr> expressions;
  do {
    MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr expression, ParseExpression(in));
    expressions.push_back(std::move(expression));
  } while (in.AcceptSymbol(","));
  return expressions;
}

Result<std::vector<ExpressionPtr>> ParseSortItems(TokenStream& in) {
  std::vector<ExpressionPtr> items;
  do {
    const size_t first = in.position();
    plan::SortOrder order;
    MERGANSER_ASSIGN_OR_RETURN(order.child, ParseExpression(in));
    if (in.AcceptWord("DESC")) {
      order.ascending = false;
    } else {
      in.AcceptWord("ASC");
    }
    if (in.PeekWord("NULLS") && in.PeekAnyWord({"FIRST", "LAST"}, 1)) {
      in.Next();
      order.nulls_first = in.Next().is_word("FIRST");
    }
    items.push_back(plan::MakeExpression(std::move(order), in.OriginFrom(first)));
  } while (in.AcceptSymbol(","));
  return items;
}

ExpressionPtr MakeOperator(std::string name, std::vector<ExpressionPtr> arguments,
                           const plan::Origin& origin) {
  plan::Call call;
  call.name = {std::move(name)};
  call.arguments = std::move(arguments);
  call.is_operator = true;
  return plan::MakeExpression(std::move(call), origin);
}

ExpressionPtr MakeString(std::string value, const plan::Origin& origin) {
  return plan::MakeExpression(plan::Literal{DataType::String(), std::move(value)}, origin);
}

bool PeekDefaultValue(const TokenStream& in) {
  if (!in.PeekWord("DEFAULT")) return false;
  const Token& next = in.Peek(1);
  return next.is(TokenKind::kEnd) || next.is_symbol(",") || next.is_symbol(")") ||
         next.is_symbol(";") || next.is(TokenKind::kWord);
}

Result<ExpressionPtr> ParseExpressionOrDefault(TokenStream& in) {
  if (!PeekDefaultValue(in)) return ParseExpression(in);
  const size_t first = in.position();
  in.Next();
  return plan::MakeExpression(plan::DefaultValue{}, in.OriginFrom(first));
}

Result<plan::ExpressionPtr> ParseWhere(TokenStream& in) {
  if (!in.AcceptWord("WHERE")) return plan::ExpressionPtr();
  return ParseExpression(in);
}

}  // namespace merganser
