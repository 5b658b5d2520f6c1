#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "merganser/spark/plan/expression.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// A name of one part: a word, `quoted`, or IDENTIFIER('text').
///
/// Fails with INVALID_IDENTIFIER for an unquoted word with other characters than ASCII letters,
/// digits and underscore.
Result<std::string> ParseIdentifier(TokenStream& in);

/// The same where no expression may follow: an unquoted `a-b` fails with INVALID_IDENTIFIER that
/// names it whole.
Result<std::string> ParseHyphenCheckedIdentifier(TokenStream& in);

/// Parts separated by dots: a column or field path, a table name.
Result<std::vector<std::string>> ParseNameParts(TokenStream& in);

/// A table, view, schema or function name: parts, or IDENTIFIER(expression).
Result<plan::MultipartName> ParseName(TokenStream& in);

/// A table name or, as Delta's own statements take it, the table's path as a string literal,
/// which stands for delta.`path`.
Result<plan::MultipartName> ParseNameOrPath(TokenStream& in);

/// `(a, b, c)`.
Result<std::vector<std::string>> ParseIdentifierList(TokenStream& in);

/// `a.b, c`.
Result<std::vector<std::vector<std::string>>> ParseNamePartsSequence(TokenStream& in);

/// `(a.b, c)`.
Result<std::vector<std::vector<std::string>>> ParseNamePartsList(TokenStream& in);

/// Name after a relation.
struct TableAlias {
  std::string name;                  ///< Empty if there is none.
  std::vector<std::string> columns;  ///< `t(a, b)`.
};

/// `[AS] t [(a, b)]` after a relation. A word that goes on with the statement (WHERE, a join, SET,
/// WHEN MATCHED, ...) is no alias.
Result<TableAlias> ParseTableAlias(TokenStream& in);

/// A table alias without columns, for the target or source of `operation`: empty if there is none.
/// Fails with COLUMN_ALIASES_NOT_ALLOWED.
Result<std::string> ParseTargetAlias(TokenStream& in, std::string_view operation);

/// `[AS] name` or `[AS] (a, b)` after an expression: empty if there is none.
Result<std::vector<std::string>> ParseColumnAlias(TokenStream& in);

}  // namespace merganser
