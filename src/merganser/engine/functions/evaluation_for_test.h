#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <duckdb.hpp>
#include <gtest/gtest.h>

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/functions/register.h"

namespace merganser::engine {

/// Evaluates engine SQL with the mg_* functions. For tests of functions.
class Evaluation {
 public:
  Evaluation() : database_(nullptr), connection_(database_) {
    RegisterScalarFunctions(*database_.instance);
    connection_.Query("SET TimeZone = 'UTC'");
  }

  /// All rows and columns of SELECT `select` as text, joined by " | "; "!CLASS.SUBCLASS" on an
  /// error.
  std::string operator()(const std::string& select) {
    auto result = connection_.Query("SELECT " + select);
    if (result->HasError()) {
      const Error error = FromEngineError(result->GetErrorObject());
      return "!" + (error.kind() == ErrorKind::kInternal ? error.message() : error.full_name());
    }
    std::string out;
    for (duckdb::idx_t row = 0; row < result->RowCount(); ++row) {
      for (duckdb::idx_t column = 0; column < result->ColumnCount(); ++column) {
        if (row + column > 0) out += " | ";
        out += result->GetValue(column, row).ToString();
      }
    }
    return out;
  }

  /// The error of SELECT `select`.
  Error ErrorOf(const std::string& select) {
    auto result = connection_.Query("SELECT " + select);
    return result->HasError() ? FromEngineError(result->GetErrorObject())
                              : Error::Internal("no error");
  }

 private:
  duckdb::DuckDB database_;
  duckdb::Connection connection_;
};

/// An expression and what it gives.
struct Case {
  std::string sql;
  std::string expected;
};

inline void ExpectAll(const std::vector<Case>& cases) {
  Evaluation evaluate;
  for (const auto& [sql, expected] : cases) EXPECT_EQ(evaluate(sql), expected) << sql;
}

}  // namespace merganser::engine
