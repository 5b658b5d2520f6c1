#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "merganser/base/result.h"
#include "merganser/engine/connection.h"

namespace duckdb {
class DatabaseInstance;
}

namespace merganser::engine {

/// BIGINT: number of the row, from 0; the last column of kept rows.
inline constexpr std::string_view kRowNumberColumn = "row_number";

/// The rows of a query, kept for the statements that follow. Cheaper than a temporary table: rows
/// are stored as they come, many columns together, without statistics. Like one, they go to the
/// disk when memory gets short; a read of any column then brings all of them back.
///
/// Move-only; the SQL is valid as long as the object lives, in every Connection to the database.
class KeptRows {
 public:
  /// Run `select_sql` to its end. Fails as Connection's statements do.
  static Result<KeptRows> Of(Connection& connection, const std::string& select_sql);

  KeptRows() = default;
  KeptRows(KeptRows&&) noexcept;
  KeptRows& operator=(KeptRows&&) noexcept;
  ~KeptRows();

  int64_t num_rows() const { return num_rows_; }
  /// Do they take more than an eighth of the engine's memory, so that they may have to spill?
  bool is_large() const { return is_large_; }
  /// A table expression for FROM: the query's columns and kRowNumberColumn.
  std::string sql() const;

 private:
  std::string name_;
  int64_t num_rows_ = 0;
  bool is_large_ = false;
};

/// Give SQL the table function that reads kept rows.
void RegisterKeptRowsFunction(duckdb::DatabaseInstance& database);

}  // namespace merganser::engine
