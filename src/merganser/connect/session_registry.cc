#include "merganser/connect/session_registry.h"

#include <utility>

#include "merganser/base/uuid.h"

namespace merganser::connect {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr auto kReapEvery = std::chrono::seconds(10);
// A closed session's id is remembered this long.
constexpr auto kRememberClosed = std::chrono::hours(1);

/// Settings that a new session has instead of Spark's defaults.
Result<SessionConf> NewConf() {
  return SessionConf::WithInitial({
      // There is no JVM whose stack could be shown.
      {"spark.sql.connect.serverStacktrace.enabled", "false"},
      {"spark.sql.pyspark.jvmStacktrace.enabled", "false"},
  });
}

Error TooManySessions() {
  return Error(ErrorClass::UNSUPPORTED_CALL,
               {{"methodName", "more sessions than --max-sessions"}, {"className", "server"}},
               "WITHOUT_SUGGESTION");
}

}  // namespace

SessionRegistry::SessionRegistry(std::shared_ptr<Runtime> runtime, Limits limits)
    : runtime_(std::move(runtime)), limits_(std::move(limits)), reaper_([this] { Reap(); }) {}

SessionRegistry::~SessionRegistry() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  stopping_changed_.notify_all();
  reaper_.join();
}

bool SessionRegistry::IsFull() const {
  return stopping_ || sessions_.size() >= limits_.most_sessions;
}

Result<std::shared_ptr<ServerSession>> SessionRegistry::Find(
    const SessionKey& key, const std::optional<std::string>& observed, bool create) {
  if (!IsUuid(key.session_id)) return InvalidHandle(key.session_id, "FORMAT");
  const std::lock_guard lock(mutex_);
  auto found = sessions_.find(key);
  if (found == sessions_.end()) {
    if (closed_.contains(key)) return InvalidHandle(key.session_id, "SESSION_CLOSED");
    if (!create) return InvalidHandle(key.session_id, "SESSION_NOT_FOUND");
    // The client had a session here, which this process never saw: another one did.
    if (observed && !observed->empty()) return InvalidHandle(key.session_id, "SESSION_CHANGED");
    if (IsFull()) return TooManySessions();
    MERGANSER_ASSIGN_OR_RETURN(SessionConf conf, NewConf());
    found = sessions_.emplace(key, std::make_shared<ServerSession>(key, runtime_, std::move(conf)))
                .first;
  }
  if (observed && !observed->empty() && *observed != found->second->server_id())
    return InvalidHandle(key.session_id, "SESSION_CHANGED");
  found->second->Touch();
  return found->second;
}

Result<std::shared_ptr<ServerSession>> SessionRegistry::Clone(ServerSession& source,
                                                              const std::string& new_session_id) {
  const SessionKey key{source.key().user_id,
                       new_session_id.empty() ? RandomUuid() : new_session_id};
  if (!IsUuid(key.session_id)) return InvalidHandle(key.session_id, "FORMAT");
  const auto statement = source.statement_lock();
  auto copy = std::make_shared<ServerSession>(key, runtime_, source.session().conf());
  TableCatalog& from = source.session().catalog();
  for (const std::string& name : from.temporary_views()) {
    if (const CatalogView* view = from.FindTemporaryView(name))
      copy->session().catalog().PutView(*view);
  }
  MERGANSER_RETURN_IF_ERROR(copy->session().catalog().SetCurrentSchema({from.current_schema()}));
  copy->kept_conf() = source.kept_conf();
  const std::lock_guard lock(mutex_);
  if (closed_.contains(key)) return InvalidHandle(key.session_id, "SESSION_CLOSED");
  if (IsFull()) return TooManySessions();
  if (!sessions_.emplace(key, copy).second) return InvalidHandle(key.session_id, "FORMAT");
  return copy;
}

std::shared_ptr<ServerSession> SessionRegistry::Release(const SessionKey& key, bool may_return) {
  std::shared_ptr<ServerSession> session;
  {
    const std::lock_guard lock(mutex_);
    const auto found = sessions_.find(key);
    if (found == sessions_.end()) return nullptr;
    session = found->second;
    sessions_.erase(found);
    if (!may_return) closed_[key] = SteadyClock::now();
  }
  for (const auto& operation : session->operations()) operation->Cancel();
  limits_.on_end(key);
  return session;
}

void SessionRegistry::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  stopping_changed_.notify_all();
  for (const auto& session : sessions()) {
    for (const auto& operation : session->operations()) {
      if (!operation->changing()) operation->Cancel();
    }
    // Whoever runs a statement holds this until it is done.
    const auto finished = session->statement_lock();
  }
}

std::vector<std::shared_ptr<ServerSession>> SessionRegistry::sessions() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<ServerSession>> all;
  for (const auto& [key, session] : sessions_) all.push_back(session);
  return all;
}

void SessionRegistry::Reap() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    stopping_changed_.wait_for(lock, kReapEvery);
    lock.unlock();
    ReapOnce();
    lock.lock();
  }
}

void SessionRegistry::ReapOnce() {
  const auto now = SteadyClock::now();
  for (const auto& session : sessions()) {
    bool busy = limits_.works_on(session->key());
    for (const auto& operation : session->operations()) {
      busy = busy || !operation->finished();
      const auto since = operation->detached_since();
      if (!since || now - *since < limits_.detached) continue;
      operation->Cancel();
      session->Remove(operation->id());
    }
    if (!busy && now - session->last_used() > limits_.idle) Release(session->key(), false);
  }
  const std::lock_guard lock(mutex_);
  std::erase_if(closed_, [now](const auto& entry) { return now - entry.second > kRememberClosed; });
}

}  // namespace merganser::connect
