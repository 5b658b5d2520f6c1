#include "merganser/commands/merge/preview_merge.h"

#include <utility>

#include <fmt/format.h>

#include "merganser/commands/merge/clause_names.h"
#include "merganser/commands/merge/write_phase.h"
#include "merganser/engine/sql_text.h"

namespace merganser {
namespace {

/// SQL of a struct of the table's columns; `name` gives the SQL name of each value.
std::string RowStruct(const StructType& schema, const std::function<std::string(size_t)>& name) {
  std::string fields;
  for (size_t i = 0; i < schema.size(); ++i) {
    fields += fmt::format("{}{} := {}", i == 0 ? "" : ", ", engine::QuoteIdentifier(schema[i].name),
                          name(i));
  }
  return "struct_pack(" + fields + ")";
}

StructType PreviewSchema(const StructType& table) {
  StructType row;
  for (const StructField& field : table) row.Add({field.name, field.type, true, {}});
  return StructType({{"clause", DataType::String(), false, {}},
                     {"action", DataType::String(), false, {}},
                     {"old", DataType::Struct(row), true, {}},
                     {"new", DataType::Struct(row), true, {}}});
}

}  // namespace

Result<ResultSet> PreviewMerge(StatementContext& context, const plan::MergeInto& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const BoundMerge merge, BindMerge(*analyzer, command, context.conf));
  StatementScans scans(context);
  MergeMetrics metrics;
  MERGANSER_ASSIGN_OR_RETURN(const MatchResult match,
                             RunMatchPhase(context, scans, merge, metrics));
  WriteTarget target = WriteTarget::Of(*merge.snapshot);
  target.schema = merge.schema;
  MERGANSER_ASSIGN_OR_RETURN(
      const RoutedRows rows,
      SelectChangedRows(context, scans, merge, match, target,
                        {.old_values = true, .clause = true, .tracking = {}}));

  const auto new_value = [&](size_t i) { return EngineColumn(rows.columns[i].id); };
  const std::string sql = fmt::format(
      "SELECT {} AS clause, {} AS action, CASE WHEN route <> {} THEN {} END AS old, CASE WHEN "
      "route <> {} THEN {} END AS new FROM ({}) AS changes ORDER BY c",
      CaseOfClauses(merge, [&](int number) { return ClauseName(merge, number); }),
      CaseOfClauses(
          merge,
          [&](int number) { return std::string(ActionName(ClauseAt(merge, number).action)); }),
      static_cast<int>(RowRoute::kInserted), RowStruct(merge.schema, OldValueName),
      static_cast<int>(RowRoute::kDeleted), RowStruct(merge.schema, new_value), rows.sql);
  MERGANSER_ASSIGN_OR_RETURN(auto stream, context.connection->Query(sql));
  return ResultSet(PreviewSchema(merge.schema), context.connection, std::move(stream));
}

}  // namespace merganser
