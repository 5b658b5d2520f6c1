#include "merganser/session/session.h"

#include <utility>

#include "merganser/commands/query.h"
#include "merganser/session/dispatch.h"
#include "merganser/session/fixed_schema.h"
#include "merganser/session/local_relation.h"
#include "merganser/spark/sql/parser.h"

namespace merganser {

Session::Session(std::shared_ptr<Runtime> runtime, SessionConf conf)
    : runtime_(std::move(runtime)),
      conf_(std::move(conf)),
      catalog_(runtime_->warehouse(), runtime_->file_systems(), runtime_->snapshots()) {}

Result<ResultSet> Session::Sql(std::string_view text, StatementParameters parameters) {
  ParserOptions options;
  options.ansi = conf_.ansi_enabled();
  options.timestamp_is_ntz = conf_.timestamp_is_ntz();
  options.session_time_zone = conf_.session_time_zone();
  MERGANSER_ASSIGN_OR_RETURN(const plan::Statement statement, ParseStatement(text, options));
  return Execute(statement, std::move(parameters));
}

Result<StatementContext> Session::NewContext(StatementParameters parameters) {
  MERGANSER_ASSIGN_OR_RETURN(std::shared_ptr<engine::Connection> connection,
                             engine::Connection::Open(runtime_->database()));
  return StatementContext{.connection = std::move(connection),
                          .catalog = catalog_,
                          .conf = conf_,
                          .clock = runtime_->clock(),
                          .parameters = std::move(parameters),
                          .start_us = runtime_->clock().NowMicros(),
                          .user_name = {},
                          .local_table = {},
                          .command_rows = {},
                          .warn = warn_};
}

Result<ResultSet> Session::Execute(const plan::Statement& statement,
                                   StatementParameters parameters) {
  if (parameters.empty()) parameters = statement.parameters;
  MERGANSER_ASSIGN_OR_RETURN(StatementContext context, NewContext(std::move(parameters)));
  {
    const std::lock_guard lock(mutex_);
    connection_ = context.connection;
  }
  ServeLocalRows(context, [this](const plan::Command& command) { return RunInner(command); });
  if (!statement.routines.empty())
    MERGANSER_RETURN_IF_ERROR(context.MakeAnalyzer()->LookUpRoutines(statement));
  if (const plan::RelationPtr* query = statement.query()) return RunQuery(context, *query);
  return RunCommand(context, std::get<plan::Command>(statement.body));
}

Result<ResultSet> Session::RunInner(const plan::Command& command) {
  MERGANSER_ASSIGN_OR_RETURN(StatementContext context, NewContext({}));
  ServeLocalRows(context, [this](const plan::Command& inner) { return RunInner(inner); });
  return RunCommand(context, command);
}

Result<StructType> Session::SchemaOf(const plan::Command& command) {
  if (auto schema = FixedSchemaOf(command)) return *std::move(schema);
  MERGANSER_ASSIGN_OR_RETURN(StatementContext context, NewContext({}));
  MERGANSER_ASSIGN_OR_RETURN(const ResultSet result, RunCommand(context, command));
  return result.schema();
}

Result<StructType> Session::SchemaOf(const plan::Statement& statement,
                                     StatementParameters parameters) {
  if (statement.query() == nullptr) return SchemaOf(std::get<plan::Command>(statement.body));
  MERGANSER_ASSIGN_OR_RETURN(const BoundRelationPtr bound,
                             Analyze(statement, std::move(parameters)));
  return merganser::SchemaOf(*bound);
}

Result<BoundRelationPtr> Session::Analyze(const plan::Statement& query,
                                          StatementParameters parameters) {
  if (parameters.empty()) parameters = query.parameters;
  MERGANSER_ASSIGN_OR_RETURN(StatementContext context, NewContext(std::move(parameters)));
  ServeLocalRows(context, {});
  context.command_rows = [this](const plan::CommandRows& rows) -> Result<EngineRows> {
    MERGANSER_ASSIGN_OR_RETURN(StructType schema,
                               SchemaOf(std::get<plan::Command>(rows.command->body)));
    return EngineRows{.engine_name = "rows", .schema = std::move(schema)};
  };
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_RETURN_IF_ERROR(analyzer->LookUpRoutines(query));
  return analyzer->BindQuery(*query.query());
}

void Session::Interrupt() {
  const std::lock_guard lock(mutex_);
  if (connection_ != nullptr) connection_->Interrupt();
}

std::shared_ptr<engine::Connection> Session::running_connection() const {
  const std::lock_guard lock(mutex_);
  return connection_;
}

}  // namespace merganser
