#include "merganser/spark/sql/parser.h"

#include <utility>

#include "merganser/spark/sql/expression_parser.h"
#include "merganser/spark/sql/name_parser.h"
#include "merganser/spark/sql/statement_parser.h"
#include "merganser/spark/sql/token_stream.h"
#include "merganser/spark/sql/type_parser.h"

namespace merganser {
namespace {

/// Run `read` over the whole of `text`.
template <typename Read>
auto ParseWhole(std::string_view text, const ParserOptions& options, Read read)
    -> decltype(read(std::declval<TokenStream&>())) {
  TokenStream in(text, options);
  MERGANSER_RETURN_IF_ERROR(in.CheckText());
  MERGANSER_ASSIGN_OR_RETURN(auto value, read(in));
  if (!in.AtEnd()) return in.SyntaxError();
  MERGANSER_RETURN_IF_ERROR(in.deferred());
  return value;
}

}  // namespace

Result<plan::Statement> ParseStatement(std::string_view sql, const ParserOptions& options) {
  TokenStream in(sql, options);
  MERGANSER_RETURN_IF_ERROR(in.CheckText());
  MERGANSER_ASSIGN_OR_RETURN(auto body, ParseStatementBody(in));
  MERGANSER_RETURN_IF_ERROR(in.ExpectEnd());
  MERGANSER_RETURN_IF_ERROR(in.deferred());
  return plan::Statement{.body = std::move(body), .routines = in.TakeRoutines()};
}

Result<std::vector<plan::Statement>> ParseScript(std::string_view script,
                                                 const ParserOptions& options) {
  std::vector<plan::Statement> statements;
  for (const std::string& text : SplitStatements(script)) {
    MERGANSER_ASSIGN_OR_RETURN(plan::Statement statement, ParseStatement(text, options));
    statements.push_back(std::move(statement));
  }
  return statements;
}

Result<plan::ExpressionPtr> ParseExpression(std::string_view text, const ParserOptions& options) {
  return ParseWhole(text, options, [](TokenStream& in) { return ParseNamedExpression(in); });
}

Result<plan::ExpressionPtr> ParseOptionalExpression(const std::optional<std::string>& text) {
  if (!text) return plan::ExpressionPtr();
  return ParseExpression(*text);
}

Result<DataType> ParseDataType(std::string_view text, const ParserOptions& options) {
  return ParseWhole(text, options, [](TokenStream& in) { return ParseDataType(in); });
}

Result<StructType> ParseTableSchema(std::string_view text, const ParserOptions& options) {
  return ParseWhole(text, options, [](TokenStream& in) { return ParseFields(in, false); });
}

Result<plan::MultipartName> ParseMultipartName(std::string_view text,
                                               const ParserOptions& options) {
  return ParseWhole(text, options, [](TokenStream& in) { return ParseName(in); });
}

Result<std::vector<std::string>> ParseColumnPath(std::string_view text) {
  const Error invalid(ErrorClass::INVALID_ATTRIBUTE_NAME_SYNTAX, {{"name", std::string(text)}});
  std::vector<std::string> parts;
  size_t at = 0;
  while (true) {
    std::string part;
    const bool quoted = at < text.size() && text[at] == '`';
    if (quoted) {
      for (++at;; ++at) {
        if (at >= text.size()) return invalid;
        if (text[at] == '`' && !(at + 1 < text.size() && text[at + 1] == '`')) break;
        if (text[at] == '`') ++at;
        part.push_back(text[at]);
      }
      ++at;
    } else {
      while (at < text.size() && text[at] != '.' && text[at] != '`') part.push_back(text[at++]);
    }
    if (part.empty() && !quoted) return invalid;
    parts.push_back(std::move(part));
    if (at == text.size()) return parts;
    if (text[at] != '.') return invalid;
    ++at;
  }
}

}  // namespace merganser
