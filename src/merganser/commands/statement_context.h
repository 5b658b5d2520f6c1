#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "merganser/base/result.h"
#include "merganser/config/session_conf.h"
#include "merganser/delta/transaction/transaction.h"
#include "merganser/engine/connection.h"
#include "merganser/engine/lowering/lowering.h"
#include "merganser/spark/analysis/analyzer.h"
#include "merganser/spark/catalog/table_catalog.h"

namespace merganser {

/// What one statement runs with: the session's catalogue and settings, and an engine connection of
/// its own, on which its temporary tables live. Owned by the session; outlives the statement's
/// commands.
struct StatementContext {
  std::shared_ptr<engine::Connection> connection;
  TableCatalog& catalog;
  SessionConf& conf;
  const Clock& clock;
  StatementParameters parameters;
  int64_t start_us = 0;  ///< The statement's current_timestamp(), microseconds since the epoch.
  std::string user_name;
  /// Local rows of a front end, by id; gives the engine's table name.
  std::function<Result<std::string>(const plan::LocalRelation&)> local_table;
  /// Rows of a command inside of a query; runs it once.
  std::function<Result<EngineRows>(const plan::CommandRows&)> command_rows;
  /// Takes warnings for the user, one sentence each. Never empty.
  std::function<void(const std::string&)> warn;

  TypingContext typing() const;
  /// An analyser for this statement, with the engine behind its constant expressions.
  std::unique_ptr<Analyzer> MakeAnalyzer();
  TransactionOptions transaction_options() const;
};

/// The value of an expression without columns, computed by the engine. Fails with the expression's
/// own error.
Result<plan::Literal> EvaluateConstant(StatementContext& context,
                                       const BoundExpression& expression);

}  // namespace merganser
