#include "merganser/commands/merge/row_routes.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "merganser/commands/merge/clause_names.h"
#include "merganser/commands/row_tracking_scan.h"

namespace merganser {
namespace {

constexpr size_t kData = 0;
constexpr size_t kChanges = 1;
constexpr int kNoClause = -2;  // Number of no row of the table `actions`.

RowRoute RouteOf(plan::MergeActionKind action) {
  switch (action) {
    case plan::MergeActionKind::kDelete:
      return RowRoute::kDeleted;
    case plan::MergeActionKind::kInsert:
    case plan::MergeActionKind::kInsertStar:
      return RowRoute::kInserted;
    case plan::MergeActionKind::kUpdate:
    case plan::MergeActionKind::kUpdateStar:
      return RowRoute::kUpdated;
  }
  return RowRoute::kUpdated;
}

std::string NumberList(const std::vector<int>& clauses) {
  return clauses.empty() ? std::to_string(kNoClause) : fmt::format("{}", fmt::join(clauses, ", "));
}

std::string TrackedColumns(const RowTrackingColumns& columns) {
  return fmt::format(", {} AS row_id, {} AS row_version", RowIdSql(columns),
                     RowCommitVersionSql(columns));
}

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
  spec.routes.resize(kRowRoutes);
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

RowSelect::RowSelect(const BoundMerge& merge, const MatchResult& match,
                     const std::vector<BoundColumn>& output, const LoweringContext& lowering,
                     const RowExtras& extras)
    : merge_(merge),
      match_(match),
      output_(output),
      lowering_(lowering),
      extras_(extras),
      numbers_(merge) {}

std::vector<int> RowSelect::Firing(RowRoute route) const {
  std::vector<int> clauses;
  for (int number = 0; number < numbers_.end; ++number) {
    if (match_.clause_rows[static_cast<size_t>(number)] > 0 &&
        RouteOf(ClauseAt(merge_, number).action) == route)
      clauses.push_back(number);
  }
  return clauses;
}

bool RowSelect::UpdatesFromSource(const std::vector<size_t>* columns) const {
  if (extras_.old_values || extras_.tracking || merge_.source == nullptr) return false;
  std::vector<ColumnId> used;
  for (const int number : Firing(RowRoute::kUpdated)) {
    // A row that matches nothing has no source row to be made from.
    if (number >= numbers_.not_matched) return false;
    const std::vector<BoundExpressionPtr>& values = ClauseAt(merge_, number).values;
    for (size_t i = 0; i < values.size(); ++i) {
      if (columns == nullptr || std::ranges::find(*columns, i) != columns->end())
        CollectColumns(*values[i], used);
    }
  }
  return std::ranges::none_of(used, [&](ColumnId id) {
    return std::ranges::any_of(merge_.target_columns,
                               [id](const BoundColumn& column) { return column.id == id; });
  });
}

bool RowSelect::InsertsAlongside() const {
  // Numbers are given out over all inserted rows, and over nothing else.
  return std::ranges::all_of(merge_.not_matched,
                             [](const BoundClause& clause) { return clause.numbered.empty(); });
}

/// The value of one column by the clause that acts: CASE keeps the values of other clauses from
/// being computed, so that a cast that fails does so only for rows it is meant for.
Result<std::string> RowSelect::Values(const std::vector<int>& clauses,
                                      const std::vector<BoundExpressionPtr>* otherwise,
                                      size_t column) const {
  std::vector<std::string> values;
  bool all_same = true;
  std::string sql = "CASE";
  for (const int number : clauses) {
    MERGANSER_ASSIGN_OR_RETURN(
        std::string value, LowerExpression(*ClauseAt(merge_, number).values[column], lowering_));
    sql += fmt::format(" WHEN c = {} THEN {}", number, value);
    all_same = all_same && (values.empty() || value == values.front());
    values.push_back(std::move(value));
  }
  std::string rest = fmt::format("CAST(NULL AS {})", EngineType(output_[column].type));
  if (otherwise != nullptr) {
    MERGANSER_ASSIGN_OR_RETURN(rest, LowerExpression(*(*otherwise)[column], lowering_));
  }
  if (values.empty()) return rest;
  if (all_same && (otherwise == nullptr || values.front() == rest)) return values.front();
  return sql + fmt::format(" ELSE {} END", rest);
}

Result<std::string> RowSelect::Columns(const std::string& route, const std::vector<int>& clauses,
                                       const std::vector<BoundExpressionPtr>* otherwise,
                                       bool has_target) const {
  std::string sql = fmt::format("SELECT {} AS route", route);
  for (size_t i = 0; i < output_.size(); ++i) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string value, Values(clauses, otherwise, i));
    sql += fmt::format(", {} AS {}", value, EngineColumn(output_[i].id));
  }
  for (size_t i = 0; extras_.old_values && i < output_.size(); ++i) {
    std::string value = fmt::format("CAST(NULL AS {})", EngineType(output_[i].type));
    if (has_target) {
      MERGANSER_ASSIGN_OR_RETURN(value, LowerExpression(*merge_.unchanged[i], lowering_));
    }
    sql += fmt::format(", {} AS {}", value, OldValueName(i));
  }
  return sql;
}

Result<std::string> RowSelect::CopiedRows(const std::string& scan) const {
  MERGANSER_ASSIGN_OR_RETURN(std::string sql,
                             Columns(std::to_string(static_cast<int>(RowRoute::kCopied)), {},
                                     &merge_.unchanged, /*has_target=*/false));
  if (extras_.clause) sql += ", CAST(NULL AS INTEGER) AS c";
  std::string tracked;
  if (extras_.tracking) {
    // A copied row keeps its id and its version.
    sql += ", row_id, row_version";
    tracked = TrackedColumns(*extras_.tracking);
  }
  return sql + fmt::format(" FROM ({}) AS target", TargetSelect(scan, merge_, tracked));
}

Result<std::string> RowSelect::ChangedRows(const std::string& scan) const {
  const std::vector<int> updates = Firing(RowRoute::kUpdated);
  const std::vector<int> deletes =
      extras_.old_values ? Firing(RowRoute::kDeleted) : std::vector<int>();
  std::string route = std::to_string(static_cast<int>(RowRoute::kUpdated));
  if (!deletes.empty()) {
    route = fmt::format("CASE WHEN c IN ({}) THEN {} ELSE {} END", fmt::join(deletes, ", "),
                        static_cast<int>(RowRoute::kDeleted), route);
  }
  // A value of a deleted row is not computed: it may fail.
  MERGANSER_ASSIGN_OR_RETURN(std::string sql,
                             Columns(route, updates, deletes.empty() ? nullptr : &merge_.unchanged,
                                     /*has_target=*/true));
  if (extras_.clause) sql += ", c";
  std::string tracked;
  if (extras_.tracking) {
    // An updated row keeps its id and gets the version of this commit.
    sql += ", row_id, CAST(NULL AS BIGINT) AS row_version";
    tracked = TrackedColumns(*extras_.tracking);
  }
  std::vector<int> clauses = updates;
  clauses.insert(clauses.end(), deletes.begin(), deletes.end());
  return sql + FromTarget(scan, clauses, tracked);
}

Result<std::string> RowSelect::SourceRows(bool inserts, bool updates) const {
  std::vector<int> clauses = inserts ? Firing(RowRoute::kInserted) : std::vector<int>();
  std::string route = std::to_string(static_cast<int>(RowRoute::kInserted));
  if (updates) {
    const std::vector<int> updating = Firing(RowRoute::kUpdated);
    clauses.insert(clauses.end(), updating.begin(), updating.end());
    route = fmt::format("CASE WHEN acted.r IS NULL THEN {} ELSE {} END", route,
                        static_cast<int>(RowRoute::kUpdated));
  }
  MERGANSER_ASSIGN_OR_RETURN(std::string sql,
                             Columns(route, clauses, nullptr, /*has_target=*/false));
  if (extras_.clause) sql += ", c";
  if (extras_.tracking)
    sql += ", CAST(NULL AS BIGINT) AS row_id, CAST(NULL AS BIGINT) AS row_version";
  return sql + FromSource(clauses);
}

std::string RowSelect::FromTarget(const std::string& scan, const std::vector<int>& clauses,
                                  const std::string& tracked) const {
  std::string sql = fmt::format(
      " FROM ({}) AS target JOIN (SELECT * FROM {} WHERE r IS NOT NULL AND c IN ({})) AS acted "
      "ON CAST(target.file_index AS BIGINT) = acted.f AND target.file_row_number = acted.r",
      TargetSelect(scan, merge_, tracked), kActions, NumberList(clauses));
  if (merge_.source == nullptr) return sql;
  return sql + fmt::format(" LEFT JOIN {} AS source ON acted.s = source.source_row", kSourceRows);
}

std::string RowSelect::FromSource(const std::vector<int>& clauses) const {
  return fmt::format(
      " FROM (SELECT f, r, s, c FROM {} WHERE c IN ({})) AS acted "
      "JOIN {} AS source ON acted.s = source.source_row",
      kActions, NumberList(clauses), kSourceRows);
}

Result<std::vector<size_t>> RowSelect::AssignedColumns() const {
  std::vector<size_t> columns;
  for (size_t i = 0; i < output_.size(); ++i) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string old,
                               LowerExpression(*merge_.unchanged[i], lowering_));
    bool is_assigned = false;
    for (const int number : Firing(RowRoute::kUpdated)) {
      MERGANSER_ASSIGN_OR_RETURN(const std::string value,
                                 LowerExpression(*ClauseAt(merge_, number).values[i], lowering_));
      is_assigned = is_assigned || value != old;
    }
    if (is_assigned) columns.push_back(i);
  }
  return columns;
}

Result<std::string> RowSelect::UpdatedColumns(const std::string& scan,
                                              const std::vector<size_t>& columns) const {
  const std::vector<int> updates = Firing(RowRoute::kUpdated);
  std::string sql = "SELECT acted.f AS f, acted.r AS r";
  for (const size_t column : columns) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string value, Values(updates, nullptr, column));
    sql += fmt::format(", {} AS {}", value, EngineColumn(output_[column].id));
  }
  return sql + (scan.empty() ? FromSource(updates) : FromTarget(scan, updates, ""));
}

Result<std::string> RowSelect::UnchangedColumns(const std::string& scan,
                                                const std::vector<size_t>& columns) const {
  std::string sql = "SELECT CAST(file_index AS BIGINT) AS f, file_row_number AS r";
  for (const size_t column : columns) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string value,
                               LowerExpression(*merge_.unchanged[column], lowering_));
    sql += fmt::format(", {} AS {}", value, EngineColumn(output_[column].id));
  }
  return sql + fmt::format(" FROM ({}) AS target", TargetSelect(scan, merge_));
}

}  // namespace merganser
