#include "merganser/spark/sql/primary_parser.h"

#include <utility>
#include <vector>

#include "merganser/spark/sql/expression_parser.h"
#include "merganser/spark/sql/function_parser.h"
#include "merganser/spark/sql/literal_parser.h"
#include "merganser/spark/sql/name_parser.h"
#include "merganser/spark/sql/query_parser.h"
#include "merganser/spark/sql/string_literal.h"
#include "merganser/spark/sql/type_parser.h"

namespace merganser {
namespace {

using plan::ExpressionPtr;

/// `[EXCEPT (a, b.c)]` after a star.
Status ParseStarExcept(TokenStream& in, plan::Star& star) {
  if (!in.PeekWord("EXCEPT") || !in.PeekSymbol("(", 1) || in.PeekQuery(1)) return Status::Ok();
  in.Next();
  MERGANSER_ASSIGN_OR_RETURN(star.except, ParseNamePartsList(in));
  return Status::Ok();
}

Result<ExpressionPtr> ParseStar(TokenStream& in, std::vector<std::string> qualifier, size_t first) {
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("*"));
  plan::Star star;
  star.qualifier = std::move(qualifier);
  MERGANSER_RETURN_IF_ERROR(ParseStarExcept(in, star));
  return plan::MakeExpression(std::move(star), in.OriginFrom(first));
}

Result<ExpressionPtr> ParseLambda(TokenStream& in) {
  const size_t first = in.position();
  plan::Lambda lambda;
  if (in.PeekSymbol("(")) {
    MERGANSER_ASSIGN_OR_RETURN(lambda.parameters, ParseIdentifierList(in));
  } else {
    MERGANSER_ASSIGN_OR_RETURN(std::string parameter, ParseIdentifier(in));
    lambda.parameters.push_back(std::move(parameter));
  }
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("->"));
  MERGANSER_ASSIGN_OR_RETURN(lambda.body, ParseExpression(in));
  return plan::MakeExpression(std::move(lambda), in.OriginFrom(first));
}

Result<ExpressionPtr> ParseSubquery(TokenStream& in, plan::SubqueryKind kind, size_t first) {
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("("));
  plan::Subquery subquery{kind, nullptr, {}};
  MERGANSER_ASSIGN_OR_RETURN(subquery.query, ParseQuery(in));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  return plan::MakeExpression(std::move(subquery), in.OriginFrom(first));
}

/// Does `(x, y) ->` stand at the cursor?
bool PeekLambdaParameters(const TokenStream& in) {
  const auto close = in.ClosingParenthesis();
  return close && in.PeekSymbol("->", *close + 1);
}

/// A subquery, a lambda, a row `(a, b)` or an expression in parentheses.
Result<ExpressionPtr> ParseParenthesis(TokenStream& in) {
  const size_t first = in.position();
  if (PeekLambdaParameters(in)) return ParseLambda(in);
  if (in.PeekParenthesizedQuery()) return ParseSubquery(in, plan::SubqueryKind::kScalar, first);
  in.Next();
  const size_t inner_at = in.position();
  MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr inner, ParseExpression(in));
  if (in.AcceptSymbol(")")) return inner;
  MERGANSER_ASSIGN_OR_RETURN(inner, ParseAliasOf(in, std::move(inner), inner_at));
  if (!in.PeekSymbol(",")) return in.SyntaxError();
  std::vector<ExpressionPtr> values = {std::move(inner)};
  while (in.AcceptSymbol(",")) {
    MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr value, ParseNamedExpression(in));
    values.push_back(std::move(value));
  }
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  return MakeOperator("struct", std::move(values), in.OriginFrom(first));
}

/// Does the word CASE at the cursor begin a CASE expression rather than name a column?
bool PeekCase(const TokenStream& in) {
  if (!in.PeekWord("CASE")) return false;
  const Token& next = in.Peek(1);
  if (next.is(TokenKind::kSymbol)) {
    static constexpr std::string_view kOperandStarts = "(-+~!?:";
    return next.text.size() == 1 && kOperandStarts.find(next.text) != kOperandStarts.npos;
  }
  return !next.is(TokenKind::kEnd) && !next.is_word("FROM") && !next.is_word("AS");
}

Result<ExpressionPtr> ParseCase(TokenStream& in) {
  const size_t first = in.position();
  in.Next();
  ExpressionPtr value;
  if (!in.PeekWord("WHEN")) {
    MERGANSER_ASSIGN_OR_RETURN(value, ParseExpression(in));
  }
  if (!in.PeekWord("WHEN")) return in.SyntaxError();
  std::vector<ExpressionPtr> arguments;
  while (in.AcceptWord("WHEN")) {
    MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr condition, ParseExpression(in));
    if (value != nullptr) {
      const plan::Origin origin = condition->origin;
      condition = MakeOperator("=", {value, std::move(condition)}, origin);
    }
    MERGANSER_RETURN_IF_ERROR(in.ExpectWord("THEN"));
    MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr result, ParseExpression(in));
    arguments.push_back(std::move(condition));
    arguments.push_back(std::move(result));
  }
  if (in.AcceptWord("ELSE")) {
    MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr otherwise, ParseExpression(in));
    arguments.push_back(std::move(otherwise));
  }
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("END"));
  return MakeOperator("when", std::move(arguments), in.OriginFrom(first));
}

Result<ExpressionPtr> ParseParameter(TokenStream& in) {
  const size_t first = in.position();
  plan::Parameter parameter;
  if (in.AcceptSymbol("?")) {
    parameter.position = in.NextParameter();
  } else {
    in.Next();
    MERGANSER_ASSIGN_OR_RETURN(parameter.name, ParseIdentifier(in));
  }
  return plan::MakeExpression(std::move(parameter), in.OriginFrom(first));
}

/// IDENTIFIER(expression) whose argument is not a plain string.
Result<ExpressionPtr> ParseIdentifierClause(TokenStream& in) {
  const size_t first = in.position();
  MERGANSER_ASSIGN_OR_RETURN(plan::MultipartName name, ParseName(in));
  if (in.PeekSymbol("(")) return in.NotSupported("a function name from IDENTIFIER(expression)");
  return plan::MakeExpression(plan::IdentifierAttribute{std::move(name.identifier)},
                              in.OriginFrom(first));
}

/// A column, a call, or `t.*`.
Result<ExpressionPtr> ParseNamed(TokenStream& in) {
  const size_t first = in.position();
  std::vector<std::string> parts;
  while (true) {
    if (parts.empty() && in.PeekWord("IDENTIFIER") && in.PeekSymbol("(", 1) && in.PeekString(2)) {
      MERGANSER_ASSIGN_OR_RETURN(const std::string text, ParseIdentifier(in));
      MERGANSER_ASSIGN_OR_RETURN(plan::MultipartName name, ParseMultipartName(text, in.options()));
      parts = std::move(name.parts);
    } else {
      MERGANSER_ASSIGN_OR_RETURN(std::string part, ParseIdentifier(in));
      parts.push_back(std::move(part));
    }
    if (!in.PeekSymbol(".")) break;
    if (in.PeekSymbol("*", 1)) {
      in.Next();
      return ParseStar(in, std::move(parts), first);
    }
    if (!in.PeekIdentifier(1)) break;
    in.Next();
  }
  if (in.PeekSymbol("(")) return ParseCall(in, std::move(parts), first);
  return plan::MakeExpression(plan::Attribute{std::move(parts), -1}, in.OriginFrom(first));
}

/// Is IDENTIFIER( followed by something else than string literals?
bool PeekIdentifierClause(const TokenStream& in) {
  if (!in.PeekWord("IDENTIFIER") || !in.PeekSymbol("(", 1)) return false;
  size_t ahead = 2;
  while (in.PeekString(ahead)) ++ahead;
  return ahead == 2 ? !in.PeekSymbol(")", 2) : !in.PeekSymbol(")", ahead);
}

/// An operand without what follows it.
Result<ExpressionPtr> ParseBase(TokenStream& in) {
  const size_t first = in.position();
  if (PeekLiteral(in)) return ParseLiteral(in);
  if (in.PeekSymbol("(")) return ParseParenthesis(in);
  if (in.PeekSymbol("*")) return ParseStar(in, {}, first);
  if (in.PeekSymbol("?") || (in.PeekSymbol(":") && in.PeekIdentifier(1))) return ParseParameter(in);
  if (PeekCase(in)) return ParseCase(in);
  if (in.PeekWord("EXISTS") && in.PeekSymbol("(", 1) && in.PeekQuery(1)) {
    in.Next();
    return ParseSubquery(in, plan::SubqueryKind::kExists, first);
  }
  if (PeekIdentifierClause(in)) return ParseIdentifierClause(in);
  if (in.PeekIdentifier() && in.PeekSymbol("->", 1)) return ParseLambda(in);
  // LEFT, RIGHT and FILTER name functions even where they are reserved.
  if (in.PeekIdentifier() ||
      (in.PeekAnyWord({"LEFT", "RIGHT", "FILTER"}) && in.PeekSymbol("(", 1))) {
    if (PeekSpecialCall(in)) return ParseSpecialCall(in);
    if (!in.PeekIdentifier()) {
      std::string name(in.Next().text);
      return ParseCall(in, {std::move(name)}, first);
    }
    return ParseNamed(in);
  }
  return in.SyntaxError();
}

bool PeekPathStart(const TokenStream& in, size_t ahead) {
  return in.PeekIdentifier(ahead) || in.PeekSymbol("[", ahead);
}

std::string BracketPart(std::string_view name) {
  std::string out = "['";
  for (const char c : name) {
    if (c == '\'' || c == '\\') out.push_back('\\');
    out.push_back(c);
  }
  return out + "']";
}

/// `.name`, `name` (first), `['name']`, `[0]`, `[*]` of a path into a VARIANT, appended to `path`.
Status ParsePathPart(TokenStream& in, bool first, std::string& path) {
  if (in.AcceptSymbol("[")) {
    if (in.PeekString()) {
      MERGANSER_ASSIGN_OR_RETURN(const std::string name, ParseString(in));
      path += BracketPart(name);
    } else if (in.Peek().is(TokenKind::kInteger)) {
      path.append("[").append(in.Next().text).append("]");
    } else {
      return in.SyntaxError();
    }
    return in.ExpectSymbol("]");
  }
  if (!first) MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("."));
  const bool quoted = in.Peek().is(TokenKind::kBackquoted);
  MERGANSER_ASSIGN_OR_RETURN(const std::string name, ParseIdentifier(in));
  path += quoted ? BracketPart(name) : "." + name;
  return Status::Ok();
}

/// `value:path`, the field of a VARIANT: a call of variant_get.
Result<ExpressionPtr> ParsePath(TokenStream& in, ExpressionPtr base, size_t first) {
  in.Next();
  const size_t path_at = in.position();
  std::string path = "$";
  MERGANSER_RETURN_IF_ERROR(ParsePathPart(in, true, path));
  while (in.PeekSymbol("[") || (in.PeekSymbol(".") && in.PeekIdentifier(1))) {
    MERGANSER_RETURN_IF_ERROR(ParsePathPart(in, false, path));
  }
  const plan::Origin path_origin = in.OriginFrom(path_at);
  return MakeOperator("variant_get",
                      {std::move(base), MakeString(std::move(path), path_origin),
                       MakeString("variant", path_origin)},
                      in.OriginFrom(first));
}

/// `base.field`.
Result<ExpressionPtr> ParseField(TokenStream& in, const ExpressionPtr& base, size_t first) {
  in.Next();
  const size_t field_at = in.position();
  MERGANSER_ASSIGN_OR_RETURN(std::string field, ParseIdentifier(in));
  if (const auto* attribute = base->As<plan::Attribute>()) {
    plan::Attribute longer = *attribute;
    longer.parts.push_back(std::move(field));
    return plan::MakeExpression(std::move(longer), in.OriginFrom(first));
  }
  return plan::MakeExpression(
      plan::ExtractValue{base, MakeString(std::move(field), in.OriginFrom(field_at))},
      in.OriginFrom(first));
}

/// `base[index]`.
Result<ExpressionPtr> ParseIndex(TokenStream& in, ExpressionPtr base, size_t first) {
  const Nesting nesting(in);
  MERGANSER_RETURN_IF_ERROR(nesting.Check());
  in.Next();
  plan::ExtractValue extract{std::move(base), nullptr};
  MERGANSER_ASSIGN_OR_RETURN(extract.key, ParseValueExpression(in));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("]"));
  return plan::MakeExpression(std::move(extract), in.OriginFrom(first));
}

}  // namespace

Result<ExpressionPtr> ParsePrimary(TokenStream& in) {
  const TreeHeight height(in);
  const size_t first = in.position();
  MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr base, ParseBase(in));
  while (true) {
    if (in.PeekSymbol(".") && in.PeekIdentifier(1)) {
      MERGANSER_ASSIGN_OR_RETURN(base, ParseField(in, base, first));
    } else if (in.PeekSymbol("[")) {
      MERGANSER_ASSIGN_OR_RETURN(base, ParseIndex(in, std::move(base), first));
    } else if (in.AcceptSymbol("::")) {
      plan::Cast cast{std::move(base), {}, false};
      MERGANSER_ASSIGN_OR_RETURN(cast.type, ParseDataType(in));
      base = plan::MakeExpression(std::move(cast), in.OriginFrom(first));
    } else if (in.PeekSymbol(":") && PeekPathStart(in, 1)) {
      MERGANSER_ASSIGN_OR_RETURN(base, ParsePath(in, std::move(base), first));
    } else if (in.PeekWord("COLLATE") && in.PeekIdentifier(1)) {
      in.Next();
      const size_t collation_at = in.position();
      MERGANSER_ASSIGN_OR_RETURN(const std::vector<std::string> collation, ParseNameParts(in));
      plan::Call call;
      call.name = {"collate"};
      call.arguments = {std::move(base), MakeString(collation.back(), in.OriginFrom(collation_at))};
      base = plan::MakeExpression(std::move(call), in.OriginFrom(first));
    } else {
      return base;
    }
    MERGANSER_RETURN_IF_ERROR(height.AddLevel());
  }
}

std::string PathColumnName(const plan::Expression& expression) {
  if (const auto* cast = expression.As<plan::Cast>()) return PathColumnName(*cast->child);
  const auto* call = expression.As<plan::Call>();
  if (call == nullptr || !call->is_operator ||
      call->name != std::vector<std::string>{"variant_get"})
    return {};
  const auto* path = call->arguments[1]->As<plan::Literal>();
  std::string_view text = std::get<std::string>(path->value);
  // The last part that is a name; indexes behind it do not count.
  while (text.ends_with(']') && !text.ends_with("']")) text = text.substr(0, text.rfind('['));
  if (text.ends_with("']")) {
    const size_t open = text.rfind("['");
    return std::string(text.substr(open + 2, text.size() - open - 4));
  }
  return std::string(text.substr(text.rfind('.') + 1));
}

}  // namespace merganser
