#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "merganser/api/merge_builder.h"
#include "merganser/base/result.h"
#include "merganser/session/session.h"

namespace merganser {

/// A Delta table by name or path, with the operations of delta-spark's DeltaTable. A value that
/// refers to the session, which must outlive it; each call works on the newest version. Expressions
/// are SQL text.
class DeltaTable {
 public:
  /// The table that `name` (one to three parts) stands for.
  /// Fails with DELTA_MISSING_DELTA_TABLE if it is no Delta table, TABLE_OR_VIEW_NOT_FOUND if it is
  /// nothing.
  static Result<DeltaTable> ForName(Session& session, std::string_view name);
  /// The table in the folder `path`. Fails likewise.
  static Result<DeltaTable> ForPath(Session& session, std::string_view path);
  /// Is there a Delta table in the folder `path`?
  static Result<bool> IsDeltaTable(Session& session, std::string_view path);

  /// The same table, its columns known as `alias.column` in conditions.
  DeltaTable As(std::string alias) const;

  /// Start a merge of the rows of `source` on `condition`. `source` is a table's or view's name, or
  /// a query in parentheses; `alias` names it in the clauses.
  MergeBuilder Merge(std::string source, std::string alias, std::string condition) const;

  /// UPDATE: `assignments` from column to expression; every row without `condition`. Gives
  /// num_affected_rows.
  Result<ResultSet> Update(const std::map<std::string, std::string>& assignments,
                           const std::optional<std::string>& condition = std::nullopt) const;
  /// DELETE: every row without `condition`. Gives num_affected_rows.
  Result<ResultSet> Delete(const std::optional<std::string>& condition = std::nullopt) const;

  /// All rows.
  Result<ResultSet> Rows() const;
  /// DESCRIBE HISTORY, the newest `limit` versions.
  Result<ResultSet> History(std::optional<int64_t> limit = std::nullopt) const;
  /// DESCRIBE DETAIL.
  Result<ResultSet> Detail() const;

 private:
  DeltaTable(Session& session, plan::MultipartName name)
      : session_(&session), name_(std::move(name)) {}
  static Result<DeltaTable> Find(Session& session, plan::MultipartName name);

  Session* session_;  // Never null.
  plan::MultipartName name_;
  std::string alias_;
};

}  // namespace merganser
