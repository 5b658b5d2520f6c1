#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/engine/database.h"

namespace merganser::test {

/// One block of a SQL-file test: a header line, its text, and what is expected.
struct SqlTestStep {
  int line = 0;  ///< Of the header, 1-based.
  std::vector<std::string>
      header;        ///< Words: "statement ok", "query IT rowsort", "log orders latest".
  std::string text;  ///< SQL, or empty.
  std::vector<std::string> expected;
};

/// Cut a test file into steps. Fails with INTERNAL_ERROR, naming the line, for a header it does not
/// know.
///
/// Steps are separated by empty lines; lines that start with `#` are comments. Headers:
/// - `statement ok`, `statement error CLASS[.SUBCLASS] [SQLSTATE]`: the SQL follows. An error
/// may go on with `----` and lines of which the message must contain each.
/// - `query TYPES [rowsort]`: SQL, a line `----`, then rows with tabs between values (as `show()`
/// prints them).
///   TYPES has a letter a column: I integer, T text, R real or decimal, B boolean; `?` any.
/// - `log TABLE latest|N`: lines `path = json` on the actions of a commit (`add` is the first add
/// action,
///   `count(add)` their number).
/// - `files TABLE`: the names in the table's log folder, sorted, one a line.
///   These two are passed over under a variation, which writes something else.
/// - `session NAME`: later steps run in that session of the same warehouse.
/// - `restart`: a new engine and session, on the same warehouse.
/// - `failpoint NAME MODE`: arm a failpoint ("once", "always", "nth:3", "off").
Result<std::vector<SqlTestStep>> ParseSqlTest(const std::string& text);

/// A variation under which tests run: session settings, and tests that do not apply, each with its
/// reason.
struct SqlTestVariation {
  std::string name = "plain";
  std::map<std::string, std::string> conf;
  std::map<std::string, std::string> skips;  ///< Path of the test, or id of the case, to reason.
  /// Figures of the file layout that a conformance case names for another layout.
  std::vector<std::string> ignored_metrics;
};

Result<SqlTestVariation> ReadVariation(const std::string& json_text);

/// Run a test file. Returns what went wrong, one entry a step; empty if it passed.
std::vector<std::string> RunSqlTest(const std::shared_ptr<engine::Database>& database,
                                    const std::string& path, const SqlTestVariation& variation);

}  // namespace merganser::test
