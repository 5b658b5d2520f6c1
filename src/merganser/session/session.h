#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/config/session_conf.h"
#include "merganser/session/runtime.h"
#include "merganser/spark/analysis/analyzer.h"
#include "merganser/spark/catalog/table_catalog.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// One user's settings, temporary views and current schema. Every door (command line, library,
/// Python, Spark Connect) hands its statements to Execute.
///
/// Statements run one at a time; Interrupt may be called from any thread.
class Session {
 public:
  explicit Session(std::shared_ptr<Runtime> runtime, SessionConf conf = {});

  /// Parse and run one statement of SQL text.
  Result<ResultSet> Sql(std::string_view text, StatementParameters parameters = {});

  /// Run a statement. Commands are done when this returns; a query's rows are computed as they are
  /// fetched.
  ///
  /// Fails with the statement's error class; a failed statement has changed neither table nor log.
  Result<ResultSet> Execute(const plan::Statement& statement, StatementParameters parameters = {});

  /// Columns of what a statement gives, without running it: of a command, those it answers with.
  /// Fails as the analysis of the statement.
  Result<StructType> SchemaOf(const plan::Statement& statement,
                              StatementParameters parameters = {});

  /// A query with its names resolved and its types known, without running it. Fails as its
  /// analysis.
  Result<BoundRelationPtr> Analyze(const plan::Statement& query,
                                   StatementParameters parameters = {});

  /// Make the running statement fail with OPERATION_CANCELED. No effect if none runs.
  void Interrupt();

  /// Where warnings go, one sentence each; nowhere by default.
  void OnWarning(std::function<void(const std::string&)> sink) { warn_ = std::move(sink); }

  TableCatalog& catalog() { return catalog_; }
  SessionConf& conf() { return conf_; }
  Runtime& runtime() { return *runtime_; }

  /// The connection of the statement that ran last, for its progress; null before the first one.
  std::shared_ptr<engine::Connection> running_connection() const;

 private:
  /// Columns that a command answers with.
  Result<StructType> SchemaOf(const plan::Command& command);
  /// Run a command whose rows another statement reads.
  Result<ResultSet> RunInner(const plan::Command& command);
  /// What a new statement runs with, on a connection of its own.
  Result<StatementContext> NewContext(StatementParameters parameters);

  std::shared_ptr<Runtime> runtime_;
  SessionConf conf_;
  TableCatalog catalog_;
  std::function<void(const std::string&)> warn_ = [](const std::string&) {};
  mutable std::mutex mutex_;
  std::shared_ptr<engine::Connection> connection_;  ///< Guarded by mutex_.
};

}  // namespace merganser
