#include "merganser/session/session.h"

#include <utility>

#include "merganser/commands/query.h"
#include "merganser/session/dispatch.h"
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

Result<ResultSet> Session::Execute(const plan::Statement& statement,
                                   StatementParameters parameters) {
  MERGANSER_ASSIGN_OR_RETURN(std::shared_ptr<engine::Connection> connection,
                             engine::Connection::Open(runtime_->database()));
  {
    const std::lock_guard lock(mutex_);
    connection_ = connection;
  }
  StatementContext context{.connection = std::move(connection),
                           .catalog = catalog_,
                           .conf = conf_,
                           .clock = runtime_->clock(),
                           .text = statement.text,
                           .parameters = std::move(parameters),
                           .start_us = runtime_->clock().NowMicros(),
                           .user_name = {},
                           .local_table = {},
                           .warn = warn_};
  if (const plan::RelationPtr* query = statement.query()) return RunQuery(context, *query);
  return RunCommand(context, std::get<plan::Command>(statement.body));
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
