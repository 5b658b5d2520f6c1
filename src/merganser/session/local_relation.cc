#include "merganser/session/local_relation.h"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "merganser/base/uuid.h"
#include "merganser/engine/local_table.h"
#include "merganser/engine/sql_text.h"
#include "merganser/spark/plan/command.h"

namespace merganser {
namespace {

/// What a statement has attached to its connection.
struct AttachedRows {
  std::set<std::string> local;
  std::map<const plan::Statement*, EngineRows> commands;
};

}  // namespace

plan::RelationPtr MakeLocalRelation(std::shared_ptr<const ArrowTable> rows, StructType schema) {
  plan::LocalRelation relation;
  relation.id = RandomUuid();
  relation.schema = std::move(schema);
  relation.num_rows = rows->num_rows();
  relation.rows = std::move(rows);
  return plan::MakeRelation(std::move(relation));
}

Result<std::shared_ptr<const ArrowTable>> FetchAll(ResultSet& result) {
  auto table = std::make_shared<ArrowTable>();
  MERGANSER_ASSIGN_OR_RETURN(table->schema, result.ExportSchema());
  while (true) {
    MERGANSER_ASSIGN_OR_RETURN(auto batch, result.Next());
    if (!batch) break;
    table->batches.push_back(*std::move(batch));
  }
  return std::shared_ptr<const ArrowTable>(std::move(table));
}

void ServeLocalRows(StatementContext& context,
                    std::function<Result<ResultSet>(const plan::Command&)> run_command) {
  const auto attached = std::make_shared<AttachedRows>();
  const std::shared_ptr<engine::Connection> connection = context.connection;
  context.local_table = [attached,
                         connection](const plan::LocalRelation& local) -> Result<std::string> {
    const std::string name = "local_" + local.id;
    if (!attached->local.contains(name)) {
      MERGANSER_RETURN_IF_ERROR(engine::AddLocalTable(
          *connection, name, std::static_pointer_cast<const ArrowTable>(local.rows)));
      attached->local.insert(name);
    }
    return engine::QuoteIdentifier(name);
  };
  context.command_rows = [attached, connection, run_command = std::move(run_command)](
                             const plan::CommandRows& rows) -> Result<EngineRows> {
    const plan::Statement* key = rows.command.get();
    if (const auto known = attached->commands.find(key); known != attached->commands.end())
      return known->second;
    MERGANSER_ASSIGN_OR_RETURN(ResultSet result,
                               run_command(std::get<plan::Command>(rows.command->body)));
    EngineRows answer{.engine_name = {}, .schema = result.schema()};
    if (!answer.schema.empty()) {
      const std::string name = "command_" + std::to_string(attached->commands.size());
      MERGANSER_ASSIGN_OR_RETURN(auto table, FetchAll(result));
      MERGANSER_RETURN_IF_ERROR(engine::AddLocalTable(*connection, name, std::move(table)));
      answer.engine_name = engine::QuoteIdentifier(name);
    }
    attached->commands.emplace(key, answer);
    return answer;
  };
}

}  // namespace merganser
