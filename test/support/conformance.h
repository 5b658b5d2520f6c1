#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "merganser/base/json.h"
#include "merganser/engine/database.h"
#include "merganser/session/session.h"
#include "test/support/sql_test.h"

namespace merganser::test {

/// What came of one line of a conformance file.
struct LineOutcome {
  std::string id;
  bool ok = false;
  bool unsupported =
      false;             ///< Refused by name (UNRESOLVED_ROUTINE of a function this build lacks).
  bool skipped = false;  ///< The options do not apply to the line.
  std::vector<std::string> differences;
  Json got;  ///< What was seen instead, where it differs.

  /// {"id":...,"ok":...,"diffs":[...],"got":...}
  Json ToJson() const;
};

/// A session on an empty warehouse in `folder`, in the settings of the corpora (UTC, ANSI).
/// `conf`: further settings.
std::unique_ptr<Session> OpenSession(const std::shared_ptr<engine::Database>& database,
                                     const std::string& folder,
                                     const std::map<std::string, std::string>& conf = {});

/// Main class of an error that a line expects, against the one seen. Empty differences if they
/// agree.
std::vector<std::string> CompareError(const Json& expectation, const Error& actual);

/// `text` with each `from` made `to`: the corpora name their folders by stand-ins.
std::string Replaced(std::string text, const std::string& from, const std::string& to);

/// How MERGE cases are run.
struct CaseOptions {
  SqlTestVariation variation = {};
  bool through_builder = false;  ///< By the calls of the C++ builder instead of SQL.
};

/// One MERGE case, one expression, one script of statements. Formats: the README beside each
/// corpus.
LineOutcome RunCase(const std::shared_ptr<engine::Database>& database, const Json& line,
                    const CaseOptions& options = {});
LineOutcome RunExpression(const std::shared_ptr<engine::Database>& database, const Json& line);
LineOutcome RunScript(const std::shared_ptr<engine::Database>& database, const Json& line);

class GoldenTables;

/// A table that another engine wrote and what that engine reads in it: rows, counts of versions,
/// history, detail, changes, or the error.
LineOutcome RunGolden(const std::shared_ptr<engine::Database>& database, GoldenTables& tables,
                      const Json& line);

}  // namespace merganser::test
