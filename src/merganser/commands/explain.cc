#include "merganser/commands/explain.h"

#include <utility>

#include "merganser/commands/command_rows.h"
#include "merganser/commands/merge/explain_merge.h"
#include "merganser/commands/statement_scans.h"
#include "merganser/engine/row_table.h"

namespace merganser {
namespace {

/// The rows that a statement begins with; null if it has none.
plan::RelationPtr QueryOf(const plan::Statement& statement) {
  if (const plan::RelationPtr* query = statement.query()) return *query;
  if (const auto* insert = statement.As<plan::InsertInto>()) return insert->query;
  if (const auto* create = statement.As<plan::CreateTable>()) return create->query;
  if (const auto* view = statement.As<plan::CreateView>()) return view->query;
  return nullptr;
}

bool ShowsSql(plan::ExplainMode mode) {
  return mode == plan::ExplainMode::kExtended || mode == plan::ExplainMode::kCodegen;
}

Result<std::string> ExplainQuery(StatementContext& context, const plan::RelationPtr& query,
                                 plan::ExplainMode mode) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const BoundRelationPtr bound, analyzer->BindQuery(query));
  StatementScans scans(context);
  MERGANSER_ASSIGN_OR_RETURN(const std::string sql, LowerRelation(*bound, scans.lowering()));
  const char* how = mode == plan::ExplainMode::kAnalyze ? "EXPLAIN ANALYZE " : "EXPLAIN ";
  MERGANSER_ASSIGN_OR_RETURN(const engine::RowTable plan,
                             context.connection->QueryTable(how + sql));
  std::string text;
  if (ShowsSql(mode)) text += "== Engine SQL ==\n" + sql + "\n\n";
  text += "== Physical Plan ==\n";
  // Columns: which plan it is, and its text.
  for (int64_t row = 0; row < plan.num_rows(); ++row) text += plan.String(row, 1) + "\n";
  return text;
}

std::string OrPlanningError(Result<std::string> explained) {
  if (explained.ok()) return *std::move(explained);
  return "Error occurred during query planning: \n" + explained.error().message();
}

}  // namespace

Result<ResultSet> RunExplain(StatementContext& context, const plan::Explain& command) {
  std::string text = "== Physical Plan ==\nCommand\n";
  if (const auto* merge = command.statement->As<plan::MergeInto>()) {
    const bool analyze = command.mode == plan::ExplainMode::kAnalyze;
    auto explained = ExplainMerge(context, *merge, analyze);
    if (analyze && !explained.ok()) return std::move(explained).error();
    text = OrPlanningError(std::move(explained));
  } else if (const plan::RelationPtr query = QueryOf(*command.statement)) {
    auto explained = ExplainQuery(context, query, command.mode);
    text = OrPlanningError(std::move(explained));
  }
  return CommandResult(context, StructType({{"plan", DataType::String(), false, {}}}),
                       {{std::move(text)}});
}

}  // namespace merganser
