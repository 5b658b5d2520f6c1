#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/spark/plan/command.h"

/// Spark 4.2 SQL text to unresolved plan nodes: one entry for each thing that is written in SQL.
///
/// All functions are pure: no catalogue, no clock, no globals. Text is UTF-8. Nesting is bounded,
/// so hostile text gives FAILED_TO_PARSE_TOO_COMPLEX and never exhausts the stack.
///
/// Text that is no SQL gives PARSE_SYNTAX_ERROR (42601; `error` = the offending token, quoted, or
/// "end of input"), with the token's place as query context. Every function may also fail with
/// PARSE_EMPTY_STATEMENT, UNCLOSED_BRACKETED_COMMENT, INVALID_IDENTIFIER and the classes that
/// Spark's parser has for its literals and clauses.
namespace merganser {

/// Session settings that decide what text means.
struct ParserOptions {
  bool ansi = true;  ///< spark.sql.ansi.enabled.
  /// spark.sql.ansi.enforceReservedKeywords, effective with `ansi`.
  bool enforce_reserved_keywords = false;
  /// spark.sql.ansi.doubleQuotedIdentifiers, effective with `ansi`: "x" is a name, not a string.
  bool double_quoted_identifiers = false;
  /// spark.sql.timestampType = TIMESTAMP_NTZ: what TIMESTAMP without a suffix means.
  bool timestamp_is_ntz = false;
  /// spark.sql.session.timeZone. UTC and fixed offsets are applied to TIMESTAMP literals here; for
  /// a region the literal becomes a Cast of its text, which the analyser resolves.
  std::string session_time_zone = "UTC";
  /// What holds the text, for the query context of errors: "VIEW" and its name; empty if nothing
  /// does.
  std::string object_type = {};
  std::string object_name = {};
};

/// Parse one statement; trailing semicolons are allowed.
///
/// MERGE, beside PARSE_SYNTAX_ERROR: MERGE_WITHOUT_WHEN, NON_LAST_*_CLAUSE_OMIT_CONDITION,
/// COLUMN_ALIASES_NOT_ALLOWED. A statement that Spark knows and this engine does not have gives
/// INVALID_STATEMENT_OR_CLAUSE.
Result<plan::Statement> ParseStatement(std::string_view sql, const ParserOptions& options = {});

/// Parse the statements of a script, in order. The first error ends it.
Result<std::vector<plan::Statement>> ParseScript(std::string_view script,
                                                 const ParserOptions& options = {});

/// Cut a script at the semicolons that stand outside of quotes and comments. Empty statements are
/// left out, the rest is trimmed of blanks and keeps its comments. An unterminated quote runs to
/// the end of the text.
std::vector<std::string> SplitStatements(std::string_view script);

/// For a shell: does `text` end a statement, that is, is its last token a semicolon?
bool IsComplete(std::string_view text);

/// Parse an expression with an optional alias (`a + 1 AS b`), as DataFrame.selectExpr takes.
Result<plan::ExpressionPtr> ParseExpression(std::string_view text,
                                            const ParserOptions& options = {});
/// As ParseExpression; null for no text.
Result<plan::ExpressionPtr> ParseOptionalExpression(const std::optional<std::string>& text);

/// Parse a column data type: `decimal(10, 2)`, `struct<a: int, b: string not null comment 'x'>`.
///
/// Fails with UNSUPPORTED_DATATYPE, DATATYPE_MISSING_SIZE, INCOMPLETE_TYPE_DEFINITION,
/// DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION, UNSUPPORTED_TIME_TYPE. A collation other than
/// UTF8_BINARY is an UNSUPPORTED_DATATYPE.
Result<DataType> ParseDataType(std::string_view text, const ParserOptions& options = {});

/// Parse a list of columns: `a INT, b STRING NOT NULL COMMENT 'x'`. Comments become field metadata.
Result<StructType> ParseTableSchema(std::string_view text, const ParserOptions& options = {});

/// Parse a table name: `` a.`b c`.d ``.
Result<plan::MultipartName> ParseMultipartName(std::string_view text,
                                               const ParserOptions& options = {});

/// Parse a column path: ``a.`b.c` `` gives the parts `a` and `b.c`. Fails with
/// INVALID_ATTRIBUTE_NAME_SYNTAX.
Result<std::vector<std::string>> ParseColumnPath(std::string_view text);

}  // namespace merganser
