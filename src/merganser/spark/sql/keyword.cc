#include "merganser/spark/sql/keyword.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "merganser/base/letter_case.h"

namespace merganser {
namespace {

// Sorted: looked up by binary search.
constexpr std::string_view kReserved[] = {
    "ALL",
    "AND",
    "ANY",
    "AS",
    "AUTHORIZATION",
    "BOTH",
    "CALL",
    "CASE",
    "CAST",
    "CHECK",
    "COLLATE",
    "COLLATION",
    "COLLATIONS",
    "COLUMN",
    "CONSTRAINT",
    "CREATE",
    "CROSS",
    "CURRENT_DATE",
    "CURRENT_PATH",
    "CURRENT_SCHEMA",
    "CURRENT_TIME",
    "CURRENT_TIMESTAMP",
    "CURRENT_USER",
    "DISTINCT",
    "ELSE",
    "END",
    "ESCAPE",
    "EXCEPT",
    "EXECUTE",
    "FALSE",
    "FETCH",
    "FILTER",
    "FOR",
    "FOREIGN",
    "FROM",
    "FULL",
    "GRANT",
    "GROUP",
    "HAVING",
    "IN",
    "INNER",
    "INTERSECT",
    "INTO",
    "IS",
    "JOIN",
    "LATERAL",
    "LEADING",
    "LEFT",
    "NATURAL",
    "NOT",
    "NULL",
    "OFFSET",
    "ON",
    "ONLY",
    "OR",
    "ORDER",
    "OUTER",
    "OVERLAPS",
    "PRIMARY",
    "RECURSIVE",
    "REFERENCES",
    "RIGHT",
    "SELECT",
    "SESSION_USER",
    "SOME",
    "SQL",
    "TABLE",
    "THEN",
    "TIME",
    "TO",
    "TRAILING",
    "UNION",
    "UNIQUE",
    "UNKNOWN",
    "USER",
    "USING",
    "WHEN",
    "WHERE",
    "WITH",
    "WITHIN",
};

constexpr std::string_view kStrict[] = {
    "ANTI", "CROSS", "EXCEPT",  "FULL", "INNER", "INTERSECT", "JOIN",  "LATERAL",
    "LEFT", "MINUS", "NATURAL", "ON",   "RIGHT", "SEMI",      "UNION", "USING",
};

template <size_t kSize>
bool Contains(const std::string_view (&words)[kSize], std::string_view word) {
  const std::string upper = AsciiUpperCase(word);
  return std::binary_search(std::begin(words), std::end(words), std::string_view(upper));
}

}  // namespace

bool IsReservedKeyword(std::string_view word) { return Contains(kReserved, word); }

bool IsStrictKeyword(std::string_view word) { return Contains(kStrict, word); }

}  // namespace merganser
