#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/connect/error_status.h"
#include "merganser/connect/operation.h"
#include "merganser/connect/plan/translate.h"
#include "merganser/connect/recent_ids.h"
#include "merganser/session/session.h"

namespace merganser::connect {

/// Who a session belongs to and which of his it is.
struct SessionKey {
  std::string user_id;
  std::string session_id;
  auto operator<=>(const SessionKey&) const = default;
};

/// A client's session: settings and views, and what the protocol adds to them.
///
/// Safe to call from any thread. Statements, and whatever reads or changes settings or views, run
/// while the caller holds `statement_lock()`; results are fetched without it.
class ServerSession : public std::enable_shared_from_this<ServerSession> {
 public:
  ServerSession(SessionKey key, std::shared_ptr<Runtime> runtime, SessionConf conf);

  const SessionKey& key() const { return key_; }
  /// Changes whenever a session is made anew, so that clients notice a restart.
  const std::string& server_id() const { return server_id_; }

  std::unique_lock<std::mutex> statement_lock() { return std::unique_lock(statement_mutex_); }
  /// Requires `statement_lock()`, except for Interrupt.
  Session& session() { return session_; }
  /// Settings that the session only keeps: static ones that a script sets at its start. Requires
  /// `statement_lock()`.
  SessionConf::Values& kept_conf() { return kept_conf_; }

  ErrorStore& errors() { return errors_; }

  /// How plans of this session are translated. Requires `statement_lock()` until the plan is
  /// translated; the session must outlive the context.
  TranslationContext translation();

  // ---- operations ----

  /// The operation of `header.operation_id()`, and whether it is new. Fails with
  /// INVALID_HANDLE.OPERATION_ALREADY_EXISTS if one of another fingerprint has this id, and with
  /// OPERATION_ABANDONED if it was released before.
  struct Admission {
    std::shared_ptr<Operation> operation;
    bool is_new;
  };
  Result<Admission> Admit(const Operation::Response& header, const std::string& fingerprint,
                          bool reattachable, std::vector<std::string> tags);
  /// Null if there is none.
  std::shared_ptr<Operation> FindOperation(const std::string& id) const;
  std::vector<std::shared_ptr<Operation>> operations() const;
  /// Forget an operation but for its id.
  void Remove(const std::string& operation_id);

  // ---- what clients upload and the server keeps for them ----

  void PutArtifact(const std::string& name, std::string bytes);
  bool HasArtifact(const std::string& name) const;
  /// All whose names start with `prefix`.
  std::vector<std::pair<std::string, std::string>> ArtifactsUnder(std::string_view prefix) const;

  /// Keeps a plan for CachedRemoteRelation; returns its id.
  std::string PutRemoteRelation(plan::RelationPtr relation);
  void DropRemoteRelation(const std::string& id);

  // ---- life ----

  void Touch();
  std::chrono::steady_clock::time_point last_used() const;

 private:
  /// Ids of operations that are over and must not run again.
  static constexpr size_t kRememberedOperations = 50'000;

  Result<plan::RelationPtr> LocalRows(const std::vector<std::string_view>& streams,
                                      std::optional<std::string_view> schema);

  const SessionKey key_;
  const std::string server_id_;
  std::mutex statement_mutex_;
  Session session_;
  SessionConf::Values kept_conf_;
  ErrorStore errors_;

  mutable std::mutex mutex_;  // Guards all below.
  std::map<std::string, std::shared_ptr<Operation>> operations_;
  RecentIds released_{kRememberedOperations};
  std::map<std::string, std::string, std::less<>> artifacts_;
  std::map<std::string, plan::RelationPtr> remote_relations_;
  std::chrono::steady_clock::time_point last_used_ = std::chrono::steady_clock::now();
};

/// INVALID_HANDLE of a subclass, about `handle`.
Error InvalidHandle(std::string_view handle, std::string sub_class);

}  // namespace merganser::connect
