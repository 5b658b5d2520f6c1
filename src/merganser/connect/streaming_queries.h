#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/connect/listener_bus.h"
#include "merganser/connect/operation.h"
#include "merganser/connect/python_batch_function.h"
#include "merganser/connect/server_session.h"
#include "merganser/connect/streaming_query.h"
#include "spark/connect/commands.pb.h"

namespace merganser::connect {

/// The streaming queries of a server's sessions. A query outlives the call, and the client, that
/// started it. Thread-safe.
class StreamingQueries {
 public:
  explicit StreamingQueries(PythonEnvironment python) : python_(std::move(python)) {}
  ~StreamingQueries() { StopAll(); }

  /// Where processes of Python reach the server. Called before it serves.
  void set_address(std::string address, std::string token) {
    address_ = std::move(address);
    token_ = std::move(token);
  }

  /// Start a query. Fails with the analysis errors of its source, and with
  /// PYTHON_EXCEPTION if its function's process does not start.
  Result<spark::connect::WriteStreamOperationStartResult> Start(
      ServerSession& session, const spark::connect::WriteStreamOperationStart& request);

  /// Answer a question about one query, or stop it. `operation` ends a wait when it is cancelled.
  Result<spark::connect::StreamingQueryCommandResult> Ask(
      ServerSession& session, const spark::connect::StreamingQueryCommand& command,
      const Operation& operation);

  /// The same about all queries of the session.
  Result<spark::connect::StreamingQueryManagerCommandResult> AskManager(
      ServerSession& session, const spark::connect::StreamingQueryManagerCommand& command,
      const Operation& operation);

  /// Where the events of the session's queries go.
  std::shared_ptr<ListenerBus> BusOf(const SessionKey& key);

  /// Whether a query of the session runs.
  bool AnyActive(const SessionKey& key) const;

  /// Stop the queries of all sessions, or of one; a running batch is given up. They are forgotten.
  void StopAll();
  void StopAllOf(const SessionKey& key);

 private:
  struct Owned {
    SessionKey key;
    std::shared_ptr<StreamingQuery> query;
  };
  std::string UrlFor(const SessionKey& key) const;
  std::shared_ptr<ListenerBus> BusUnderLock(const SessionKey& key);
  Result<std::shared_ptr<StreamingQuery>> Find(const SessionKey& key, const std::string& id,
                                               const std::string& run_id) const;
  std::vector<std::shared_ptr<StreamingQuery>> Of(const SessionKey& key) const;

  const PythonEnvironment python_;
  std::string address_;
  std::string token_;
  mutable std::mutex mutex_;
  std::vector<Owned> queries_;                                ///< Guarded by mutex_.
  std::map<SessionKey, std::shared_ptr<ListenerBus>> buses_;  ///< Guarded by mutex_.
};

}  // namespace merganser::connect
