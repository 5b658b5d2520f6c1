#include "merganser/spark/sql/name_parser.h"

#include <algorithm>

#include "merganser/spark/sql/expression_parser.h"
#include "merganser/spark/sql/keyword.h"
#include "merganser/spark/sql/string_literal.h"

namespace merganser {
namespace {

bool IsPlainIdentifier(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

Error InvalidIdentifier(const TokenStream& in, size_t first, std::string identifier) {
  return in.ErrorFrom(first,
                      Error(ErrorClass::INVALID_IDENTIFIER, {{"ident", std::move(identifier)}}));
}

/// Is IDENTIFIER('text') at the cursor, with nothing but string literals inside?
bool PeekIdentifierLiteral(const TokenStream& in) {
  if (!in.PeekWord("IDENTIFIER") || !in.PeekSymbol("(", 1)) return false;
  size_t ahead = 2;
  while (in.PeekString(ahead)) ++ahead;
  return ahead > 2 && in.PeekSymbol(")", ahead);
}

/// IDENTIFIER('text') at the cursor.
Result<std::string> ParseIdentifierLiteral(TokenStream& in) {
  in.Next();
  in.Next();
  MERGANSER_ASSIGN_OR_RETURN(std::string text, ParseString(in));
  in.Next();
  return text;
}

/// Append the parts at the cursor to `parts`.
Status AppendParts(TokenStream& in, std::vector<std::string>& parts) {
  if (PeekIdentifierLiteral(in)) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string text, ParseIdentifierLiteral(in));
    MERGANSER_ASSIGN_OR_RETURN(plan::MultipartName name, ParseMultipartName(text, in.options()));
    parts.insert(parts.end(), name.parts.begin(), name.parts.end());
    return Status::Ok();
  }
  MERGANSER_ASSIGN_OR_RETURN(std::string part, ParseHyphenCheckedIdentifier(in));
  parts.push_back(std::move(part));
  return Status::Ok();
}

bool EndsItem(const Token& token) {
  return token.is(TokenKind::kEnd) || token.is_symbol(",") || token.is_symbol(")") ||
         token.is_symbol(";");
}

/// Does the word at the cursor go on with the query, whether after an expression or a relation?
bool ContinuesQuery(const TokenStream& in) {
  if (in.PeekAnyWord({"GROUP", "ORDER", "SORT", "CLUSTER", "DISTRIBUTE"}))
    return in.PeekWord("BY", 1);
  if (in.PeekAnyWord({"WHERE", "HAVING", "QUALIFY", "LIMIT", "OFFSET"}))
    return !EndsItem(in.Peek(1));
  if (in.PeekWord("WINDOW")) return in.PeekIdentifier(1) && in.PeekWord("AS", 2);
  if (in.PeekWord("LATERAL")) return in.PeekWord("VIEW", 1);
  if (in.PeekAnyWord({"UNION", "INTERSECT", "EXCEPT", "MINUS"})) return !EndsItem(in.Peek(1));
  return false;
}

/// Does the word at the cursor go on after an expression of a SELECT, GROUP BY or PIVOT list?
bool ContinuesAfterExpression(const TokenStream& in) {
  if (in.PeekAnyWord({"FROM", "FOR"})) return !EndsItem(in.Peek(1)) && !in.PeekWord("FROM", 1);
  if (in.PeekWord("WITH")) return in.PeekAnyWord({"ROLLUP", "CUBE"}, 1);
  if (in.PeekWord("GROUPING")) return in.PeekWord("SETS", 1);
  if (in.PeekWord("INSERT")) return in.PeekAnyWord({"INTO", "OVERWRITE"}, 1);
  return ContinuesQuery(in);
}

/// Does the word at the cursor go on after a relation?
bool ContinuesAfterRelation(const TokenStream& in) {
  if (in.PeekAnyWord({"PIVOT", "UNPIVOT"})) {
    return in.PeekSymbol("(", 1) || in.PeekAnyWord({"INCLUDE", "EXCLUDE"}, 1);
  }
  if (in.PeekWord("TABLESAMPLE"))
    return in.PeekSymbol("(", 1) || in.PeekAnyWord({"BERNOULLI", "SYSTEM"}, 1);
  if (in.PeekAnyWord({"SELECT", "SET"})) return !EndsItem(in.Peek(1));
  if (in.PeekWord("WHEN")) return in.PeekAnyWord({"MATCHED", "NOT"}, 1) || in.PeekSymbol("!", 1);
  if (in.PeekWord("WITH")) return in.PeekSymbol("(", 1);
  if (in.PeekWord("INSERT")) return in.PeekAnyWord({"INTO", "OVERWRITE", "WITH"}, 1);
  if (in.PeekWord("REPLACE")) return in.PeekAnyWord({"WHERE", "ON", "USING"}, 1);
  if (in.PeekWord("BY")) return in.PeekWord("NAME", 1);
  return ContinuesQuery(in);
}

}  // namespace

Result<std::string> ParseIdentifier(TokenStream& in) {
  if (PeekIdentifierLiteral(in)) return ParseIdentifierLiteral(in);
  if (!in.PeekIdentifier()) return in.SyntaxError();
  const size_t first = in.position();
  const Token& token = in.Next();
  if (!token.is(TokenKind::kWord)) return QuotedNameValue(token.text);
  if (!IsPlainIdentifier(token.text)) return InvalidIdentifier(in, first, std::string(token.text));
  return std::string(token.text);
}

Result<std::string> ParseHyphenCheckedIdentifier(TokenStream& in) {
  const size_t first = in.position();
  MERGANSER_ASSIGN_OR_RETURN(std::string name, ParseIdentifier(in));
  if (!in.PeekSymbol("-") || !in.PeekIdentifier(1)) return name;
  std::string whole(in.TextFrom(first));
  while (in.PeekSymbol("-") && in.PeekIdentifier(1)) {
    in.Next();
    whole.append("-").append(in.Written(in.Next()));
  }
  return InvalidIdentifier(in, first, std::move(whole));
}

Result<std::vector<std::string>> ParseNameParts(TokenStream& in) {
  std::vector<std::string> parts;
  do {
    MERGANSER_RETURN_IF_ERROR(AppendParts(in, parts));
  } while (in.AcceptSymbol("."));
  return parts;
}

Result<plan::MultipartName> ParseName(TokenStream& in) {
  const size_t first = in.position();
  plan::MultipartName name;
  if (in.PeekWord("IDENTIFIER") && in.PeekSymbol("(", 1) && !PeekIdentifierLiteral(in)) {
    in.Next();
    in.Next();
    MERGANSER_ASSIGN_OR_RETURN(name.identifier, ParseExpression(in));
    MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  } else {
    MERGANSER_ASSIGN_OR_RETURN(name.parts, ParseNameParts(in));
  }
  name.origin = in.OriginFrom(first);
  return name;
}

Result<plan::MultipartName> ParseNameOrPath(TokenStream& in) {
  if (!in.PeekString()) return ParseName(in);
  const size_t first = in.position();
  MERGANSER_ASSIGN_OR_RETURN(std::string path, ParseString(in));
  return plan::MultipartName{{"delta", std::move(path)}, nullptr, in.OriginFrom(first)};
}

Result<std::vector<std::string>> ParseIdentifierList(TokenStream& in) {
  std::vector<std::string> names;
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("("));
  do {
    MERGANSER_ASSIGN_OR_RETURN(std::string name, ParseHyphenCheckedIdentifier(in));
    names.push_back(std::move(name));
  } while (in.AcceptSymbol(","));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  return names;
}

Result<std::vector<std::vector<std::string>>> ParseNamePartsSequence(TokenStream& in) {
  std::vector<std::vector<std::string>> names;
  do {
    MERGANSER_ASSIGN_OR_RETURN(std::vector<std::string> parts, ParseNameParts(in));
    names.push_back(std::move(parts));
  } while (in.AcceptSymbol(","));
  return names;
}

Result<std::vector<std::vector<std::string>>> ParseNamePartsList(TokenStream& in) {
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("("));
  MERGANSER_ASSIGN_OR_RETURN(std::vector<std::vector<std::string>> names,
                             ParseNamePartsSequence(in));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  return names;
}

Result<TableAlias> ParseTableAlias(TokenStream& in) {
  TableAlias alias;
  if (!in.AcceptWord("AS")) {
    if (!in.PeekIdentifier()) return alias;
    if (in.Peek().is(TokenKind::kWord) &&
        (IsStrictKeyword(in.Peek().text) || ContinuesAfterRelation(in)))
      return alias;
  } else if (in.Peek().is(TokenKind::kWord) && IsStrictKeyword(in.Peek().text)) {
    return in.SyntaxError();
  }
  MERGANSER_ASSIGN_OR_RETURN(alias.name, ParseIdentifier(in));
  if (in.PeekSymbol("(")) {
    MERGANSER_ASSIGN_OR_RETURN(alias.columns, ParseIdentifierList(in));
  }
  return alias;
}

Result<std::string> ParseTargetAlias(TokenStream& in, std::string_view operation) {
  const size_t first = in.position();
  MERGANSER_ASSIGN_OR_RETURN(TableAlias alias, ParseTableAlias(in));
  if (!alias.columns.empty()) {
    return in.ErrorFrom(
        first, Error(ErrorClass::COLUMN_ALIASES_NOT_ALLOWED, {{"op", std::string(operation)}}));
  }
  return alias.name;
}

Result<std::vector<std::string>> ParseColumnAlias(TokenStream& in) {
  if (in.AcceptWord("AS")) {
    if (in.PeekSymbol("(")) return ParseIdentifierList(in);
  } else if (in.PeekSymbol("(")) {
    return ParseIdentifierList(in);
  } else if (!in.PeekIdentifier() ||
             (in.Peek().is(TokenKind::kWord) && ContinuesAfterExpression(in))) {
    return std::vector<std::string>{};
  }
  MERGANSER_ASSIGN_OR_RETURN(std::string name, ParseHyphenCheckedIdentifier(in));
  return std::vector<std::string>{std::move(name)};
}

}  // namespace merganser
