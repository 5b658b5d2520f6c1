#pragma once

#include <functional>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/spark/analysis/bound_relation.h"
#include "merganser/spark/plan/bound_expression.h"

/// Bound plan -> the engine's SQL text. Every column is known as "c<id>"; every value has an
/// explicit engine type; Spark-specific operations call the engine's own mg_* functions.
namespace merganser {

/// What lowering needs to know from outside.
struct LoweringContext {
  bool ansi = true;
  std::string session_time_zone = "UTC";
  /// SQL of a table function that yields the scan's columns by their logical names
  /// (e.g. `mg_scan('h17')`), and `_metadata` where the scan has file_metadata. Required when the
  /// plan has scans.
  std::function<Result<std::string>(const BoundScan& scan)> scan;
  std::function<Result<std::string>(const BoundTableChanges& changes)> table_changes;
  /// The same for files of another format; columns by their names, of types that CAST turns into
  /// those wanted.
  std::function<Result<std::string>(const BoundFileScan& scan,
                                    const std::vector<BoundColumn>& columns)>
      file_scan;
};

/// Engine type of a Spark type as SQL text: DECIMAL(10,2), STRUCT("a" INTEGER), INTEGER for
/// year-month intervals (months), BIGINT for day-time intervals (microseconds), TIMESTAMP WITH TIME
/// ZONE for TIMESTAMP.
std::string EngineType(const DataType& type);

/// "c17".
std::string EngineColumn(ColumnId id);

/// One scalar (or aggregate, or window) expression, of engine type EngineType(expression.type).
Result<std::string> LowerExpression(const BoundExpression& expression,
                                    const LoweringContext& context);

/// A condition that keeps rows (WHERE, ON), as a conjunction the engine may take apart: what cannot
/// fail stands alone, and so do equalities between the relations of a join (`sides`: the columns of
/// the left one, for each join), by which the engine finds pairs. The rest stands in a CASE, which
/// is computed where all that is written before it is true, as far as that is about no other
/// relations: those are joined later.
Result<std::string> LowerRowCondition(const BoundExpression& condition,
                                      const std::vector<std::vector<BoundColumn>>& sides,
                                      const LoweringContext& context);

/// A parenthesised or bare SELECT whose columns are EngineColumn(id) in the order of
/// `relation.columns`.
Result<std::string> LowerRelation(const BoundRelation& relation, const LoweringContext& context);

}  // namespace merganser
