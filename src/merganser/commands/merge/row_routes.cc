#include "merganser/commands/merge/row_routes.h"

#include <utility>

#include <fmt/format.h>

#include "merganser/commands/merge/clause_names.h"
#include "merganser/commands/row_tracking_scan.h"

namespace merganser {
namespace {

constexpr size_t kData = 0;
constexpr size_t kChanges = 1;

/// A change row: the inputs from `first` on, then the kind of change.
engine::SinkOutput ChangeRow(size_t columns, size_t first, std::string kind) {
  engine::SinkOutput output;
  output.family = kChanges;
  for (size_t i = 0; i < columns; ++i)
    output.columns.push_back({static_cast<int>(first + i), std::nullopt});
  output.columns.push_back({-1, std::move(kind)});
  return output;
}

/// A data row: the new values, and where rows are tracked the two columns behind all values.
engine::SinkOutput DataRow(size_t columns, const RowExtras& extras) {
  engine::SinkOutput output{.family = kData, .columns = {}};
  if (!extras.tracking) return output;
  for (size_t i = 0; i < columns; ++i)
    output.columns.push_back({static_cast<int>(i), std::nullopt});
  const size_t values = extras.old_values ? 2 * columns : columns;
  output.columns.push_back({static_cast<int>(values), std::nullopt});
  output.columns.push_back({static_cast<int>(values + 1), std::nullopt});
  return output;
}

}  // namespace

std::string OldValueName(size_t column) { return fmt::format("old{}", column); }

engine::SinkSpec RoutesOf(const WriteTarget& target, const SessionConf& conf,
                          const RowExtras& extras) {
  const size_t columns = target.schema.size();
  engine::SinkSpec spec = SinkSpecOf(target, conf);
  spec.families.push_back(DataFamily(target, extras.tracking.has_value()));
  spec.routes.resize(4);
  const engine::SinkOutput data = DataRow(columns, extras);
  auto& updated = spec.routes[static_cast<size_t>(RowRoute::kUpdated)].outputs;
  auto& deleted = spec.routes[static_cast<size_t>(RowRoute::kDeleted)].outputs;
  auto& inserted = spec.routes[static_cast<size_t>(RowRoute::kInserted)].outputs;
  spec.routes[static_cast<size_t>(RowRoute::kCopied)].outputs = {data};
  updated = {data};
  inserted = {data};
  if (!extras.old_values) return spec;
  spec.families.push_back(ChangeFamily(target));
  updated.push_back(ChangeRow(columns, columns, "update_preimage"));
  updated.push_back(ChangeRow(columns, 0, "update_postimage"));
  deleted.push_back(ChangeRow(columns, columns, "delete"));
  inserted.push_back(ChangeRow(columns, 0, "insert"));
  return spec;
}

RowSelect::RowSelect(const BoundMerge& merge, const std::vector<BoundColumn>& output,
                     const LoweringContext& lowering, const RowExtras& extras)
    : merge_(merge), output_(output), lowering_(lowering), extras_(extras), numbers_(merge) {}

/// The value of one column by the clause that acts: CASE keeps the values of other clauses from
/// being computed, so that a cast that fails does so only for rows it is meant for.
Result<std::string> RowSelect::Values(int begin, int end,
                                      const std::vector<BoundExpressionPtr>* otherwise,
                                      size_t column) const {
  const std::string type = EngineType(output_[column].type);
  std::string sql = "CASE";
  int cases = 0;
  std::string only;
  for (int number = begin; number < end; ++number) {
    const BoundClause& clause = ClauseAt(merge_, number);
    if (clause.values.empty()) continue;
    MERGANSER_ASSIGN_OR_RETURN(only, LowerExpression(*clause.values[column], lowering_));
    sql += fmt::format(" WHEN c = {} THEN {}", number, only);
    ++cases;
  }
  std::string rest = fmt::format("CAST(NULL AS {})", type);
  if (otherwise != nullptr) {
    MERGANSER_ASSIGN_OR_RETURN(rest, LowerExpression(*(*otherwise)[column], lowering_));
  }
  if (cases == 0 || (cases == 1 && only == rest)) return rest;
  if (cases == 1 && otherwise == nullptr && end - begin == 1) return only;
  return sql + fmt::format(" ELSE {} END", rest);
}

Result<std::string> RowSelect::TargetRows(const std::string& scan, bool copies) const {
  std::string deletes = "-1";
  for (int number = 0; number < numbers_.end; ++number) {
    if (ClauseAt(merge_, number).action == plan::MergeActionKind::kDelete)
      deletes += fmt::format(", {}", number);
  }
  std::string sql =
      fmt::format("SELECT CASE WHEN c IS NULL THEN {} WHEN c IN ({}) THEN {} ELSE {} END AS route",
                  static_cast<int>(RowRoute::kCopied), deletes,
                  static_cast<int>(RowRoute::kDeleted), static_cast<int>(RowRoute::kUpdated));
  for (size_t i = 0; i < output_.size(); ++i) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string value,
                               Values(0, numbers_.end, &merge_.unchanged, i));
    sql += fmt::format(", {} AS {}", value, EngineColumn(output_[i].id));
  }
  for (size_t i = 0; extras_.old_values && i < output_.size(); ++i) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string value,
                               LowerExpression(*merge_.unchanged[i], lowering_));
    sql += fmt::format(", {} AS {}", value, OldValueName(i));
  }
  if (extras_.clause) sql += ", c";
  std::string tracked;
  if (extras_.tracking) {
    // An updated row keeps its id and gets the version of this commit, a copied one keeps both.
    sql += ", row_id, CASE WHEN c IS NULL THEN row_version END AS row_version";
    tracked = fmt::format(", {} AS row_id, {} AS row_version", RowIdSql(*extras_.tracking),
                          RowCommitVersionSql(*extras_.tracking));
  }
  sql += fmt::format(
      " FROM ({}) AS target {} JOIN (SELECT * FROM {} WHERE r IS NOT NULL) AS acted "
      "ON CAST(target.file_index AS BIGINT) = acted.f AND target.file_row_number = acted.r",
      TargetSelect(scan, merge_, tracked), copies ? "LEFT" : "INNER", kActions);
  if (merge_.source != nullptr) {
    sql += fmt::format(
        " LEFT JOIN (SELECT *, rowid AS source_row FROM {}) AS source ON acted.s = "
        "source.source_row",
        kSourceRows);
  }
  return sql;
}

Result<std::string> RowSelect::InsertedRows() const {
  std::string sql = fmt::format("SELECT {} AS route", static_cast<int>(RowRoute::kInserted));
  for (size_t i = 0; i < output_.size(); ++i) {
    MERGANSER_ASSIGN_OR_RETURN(
        const std::string value,
        Values(numbers_.not_matched, numbers_.not_matched_by_source, nullptr, i));
    sql += fmt::format(", {} AS {}", value, EngineColumn(output_[i].id));
  }
  for (size_t i = 0; extras_.old_values && i < output_.size(); ++i) {
    sql += fmt::format(", CAST(NULL AS {}) AS {}", EngineType(output_[i].type), OldValueName(i));
  }
  if (extras_.clause) sql += ", c";
  if (extras_.tracking)
    sql += ", CAST(NULL AS BIGINT) AS row_id, CAST(NULL AS BIGINT) AS row_version";
  return sql + fmt::format(
                   " FROM (SELECT s, c FROM {} WHERE r IS NULL) AS acted "
                   "JOIN (SELECT *, rowid AS source_row FROM {}) AS source ON acted.s = "
                   "source.source_row",
                   kActions, kSourceRows);
}

}  // namespace merganser
