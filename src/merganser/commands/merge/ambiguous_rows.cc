#include "merganser/commands/merge/ambiguous_rows.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "merganser/base/quoted_identifier.h"
#include "merganser/commands/merge/clause_names.h"
#include "merganser/commands/merge/match_phase.h"
#include "merganser/spark/functions/resolve.h"

namespace merganser {
namespace {

constexpr int kMaxNamed = 10;
constexpr size_t kFirstKey = 4;  // Columns before the keys in the query.

/// Columns of the target that ON is about.
std::vector<BoundColumn> KeyColumns(const BoundMerge& merge) {
  std::vector<ColumnId> used;
  if (merge.condition != nullptr) CollectColumns(*merge.condition, used);
  std::vector<BoundColumn> keys;
  for (const BoundColumn& column : merge.target_columns) {
    if (std::ranges::find(used, column.id) != used.end()) keys.push_back(column);
  }
  return keys;
}

/// `key = value, ...`
std::string KeyText(const engine::RowTable& rows, int64_t row,
                    const std::vector<BoundColumn>& keys) {
  if (keys.empty()) return "a row";
  std::string text;
  for (size_t i = 0; i < keys.size(); ++i) {
    const std::string value =
        rows.IsNull(row, kFirstKey + i) ? "NULL" : rows.String(row, kFirstKey + i);
    const bool quoted = keys[i].type.is_string() && !rows.IsNull(row, kFirstKey + i);
    text += fmt::format("{}{} = {}{}{}", i == 0 ? "" : ", ", QuotedIfNeeded(keys[i].name),
                        quoted ? "'" : "", value, quoted ? "'" : "");
  }
  return text;
}

}  // namespace

Result<std::string> DescribeAmbiguousRows(StatementContext& context, StatementScans& scans,
                                          const BoundMerge& merge, const std::string& scan,
                                          const std::string& harmless) {
  const std::vector<BoundColumn> keys = KeyColumns(merge);
  const LoweringContext lowering = scans.lowering();
  std::string key_values;
  for (const BoundColumn& key : keys) {
    const auto reference = MakeBound(BoundColumnRef{key.id, key.name, {}}, key.type, key.nullable);
    MERGANSER_ASSIGN_OR_RETURN(const auto text, ResolveCast(reference, DataType::String(),
                                                            /*is_try=*/false, context.typing()));
    MERGANSER_ASSIGN_OR_RETURN(const std::string sql, LowerExpression(*text, lowering));
    key_values += ", " + sql;
  }
  const std::string groups = fmt::format(
      "SELECT f, r, count(*) AS n FROM {} WHERE r IS NOT NULL AND s IS NOT NULL GROUP BY f, r "
      "HAVING count(*) > 1 AND NOT {} ORDER BY f, r LIMIT {}",
      kActions, harmless, kMaxNamed + 1);
  const std::string fired = fmt::format(
      "SELECT ambiguous.f, ambiguous.r, n, c, count(*) AS hits FROM ({}) AS ambiguous JOIN {} AS "
      "acted ON ambiguous.f = acted.f AND ambiguous.r = acted.r WHERE s IS NOT NULL GROUP BY ALL",
      groups, kActions);
  MERGANSER_ASSIGN_OR_RETURN(
      const engine::RowTable rows,
      context.connection->QueryTable(fmt::format(
          "SELECT dense_rank() OVER (ORDER BY f, r), n, CAST(c AS BIGINT), hits{} FROM ({}) AS "
          "fired JOIN ({}) AS target ON CAST(target.file_index AS BIGINT) = fired.f AND "
          "target.file_row_number = fired.r ORDER BY f, r, c",
          key_values, fired, TargetSelect(scan, merge))));
  std::string text;
  for (int64_t row = 0; row < rows.num_rows();) {
    const int64_t group = rows.Int64(row, 0);
    if (group > kMaxNamed) {
      text += "; and more";
      break;
    }
    text += fmt::format("{} {} is hit by {} source rows (", text.empty() ? "" : ";",
                        KeyText(rows, row, keys), rows.Int64(row, 1));
    for (bool is_first = true; row < rows.num_rows() && rows.Int64(row, 0) == group; ++row) {
      const auto number = static_cast<int>(rows.Int64(row, 2));
      text += fmt::format("{}{}: {}", is_first ? "" : ", ",
                          number < 0 ? "no clause" : ClauseName(merge, number), rows.Int64(row, 3));
      is_first = false;
    }
    text += ")";
  }
  return text + ".";
}

}  // namespace merganser
