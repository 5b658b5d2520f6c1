#include "merganser/commands/query.h"

#include "merganser/commands/constant_folding.h"
#include "merganser/commands/statement_scans.h"
#include "merganser/spark/analysis/window_order.h"

namespace merganser {

Result<ResultSet> RunQuery(StatementContext& context, const plan::RelationPtr& query) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const BoundRelationPtr bound, analyzer->BindQuery(query));
  return RunBoundQuery(context, InWindowOrder(bound, [&] { return analyzer->NextId(); }));
}

Result<ResultSet> RunBoundQuery(StatementContext& context, const BoundRelationPtr& query) {
  MERGANSER_RETURN_IF_ERROR(FoldConstants(context, *query));
  StatementScans scans(context);
  MERGANSER_ASSIGN_OR_RETURN(const std::string sql, LowerRelation(*query, scans.lowering()));
  MERGANSER_ASSIGN_OR_RETURN(auto stream, context.connection->Query(sql));
  return ResultSet(SchemaOf(*query), context.connection, std::move(stream));
}

}  // namespace merganser
