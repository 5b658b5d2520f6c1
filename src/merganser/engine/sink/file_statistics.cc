#include "merganser/engine/sink/file_statistics.h"

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/native.h"
#include "merganser/engine/sink/statistics_collector.h"

namespace merganser::engine {

Result<FileStatistics> CollectStatistics(Connection& connection, const std::string& select_sql,
                                         const StructType& schema,
                                         const std::vector<StatisticsColumn>& columns) {
  try {
    auto rows = connection.native().connection.SendQuery(select_sql);
    if (rows->HasError()) return FromEngineError(rows->GetErrorObject());
    StatisticsCollector collector(schema, columns);
    while (auto chunk = rows->Fetch()) {
      if (chunk->size() == 0) break;
      collector.Update(*chunk);
    }
    if (rows->HasError()) return FromEngineError(rows->GetErrorObject());
    return collector.Finish();
  } catch (const std::exception& exception) {
    return FromException(exception);
  }
}

}  // namespace merganser::engine
