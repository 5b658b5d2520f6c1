#pragma once

#include <string>
#include <vector>

#include "merganser/base/json.h"
#include "merganser/base/result.h"
#include "merganser/session/session.h"

namespace merganser::test {

/// A statement's whole result: names, types as DESCRIBE prints them, and rows as JSON arrays in the
/// form of AppendJsonValue.
struct ResultRows {
  std::vector<std::string> columns;
  std::vector<std::string> types;
  std::vector<Json> rows;
};

/// Fetch everything. Fails with the statement's run-time error.
Result<ResultRows> Fetch(ResultSet result);

/// Run one statement and fetch everything.
Result<ResultRows> RunSql(Session& session, std::string_view sql);

/// Differences between two lists of rows, at most a few, in words; empty if they are equal. Doubles
/// compare to 15 digits, FLOAT columns to 6; maps without regard to order. `ordered`: row by row,
/// else as multisets.
std::vector<std::string> CompareRows(const std::vector<Json>& expected, const ResultRows& actual,
                                     bool ordered);

/// Rows as one JSON array.
Json RowsAsJson(const std::vector<Json>& rows);

}  // namespace merganser::test
