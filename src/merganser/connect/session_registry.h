#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "merganser/connect/server_session.h"

namespace merganser::connect {

/// The sessions of a server: made when a client first asks, ended when it says so or stays away.
/// Thread-safe.
class SessionRegistry {
 public:
  struct Limits {
    size_t most_sessions = 1000;
    std::chrono::seconds idle = std::chrono::minutes(60);
    /// Operations whose clients left them, and may still come back.
    std::chrono::seconds detached = std::chrono::minutes(5);
    /// Whether a session does something that no client waits for, and so must not expire.
    std::function<bool(const SessionKey&)> works_on = [](const SessionKey&) { return false; };
    /// Called after a session's end, without a lock.
    std::function<void(const SessionKey&)> on_end = [](const SessionKey&) {};
  };

  SessionRegistry(std::shared_ptr<Runtime> runtime, Limits limits);
  /// Cancels what runs.
  ~SessionRegistry();

  /// The session of `key`, made if `create`. `observed` is the server id that the client last saw,
  /// if it saw one.
  ///
  /// Fails with INVALID_HANDLE: FORMAT, SESSION_CLOSED after Release, SESSION_CHANGED if the client
  /// knew another one, SESSION_NOT_FOUND; and with UNSUPPORTED_FEATURE when there are too many.
  Result<std::shared_ptr<ServerSession>> Find(const SessionKey& key,
                                              const std::optional<std::string>& observed,
                                              bool create);

  /// A session with the settings and views of `source`, under a new key. Fails as Find.
  Result<std::shared_ptr<ServerSession>> Clone(ServerSession& source,
                                               const std::string& new_session_id);

  /// End a session. `may_return` lets its id be used again. Returns the session that was, or null.
  std::shared_ptr<ServerSession> Release(const SessionKey& key, bool may_return);

  /// End all operations, waiting for them: queries are interrupted, commands finish.
  void Stop();

  std::vector<std::shared_ptr<ServerSession>> sessions() const;
  const std::shared_ptr<Runtime>& runtime() const { return runtime_; }

 private:
  /// Whether there can be no more sessions. Requires mutex_.
  bool IsFull() const;
  void Reap();
  void ReapOnce();

  const std::shared_ptr<Runtime> runtime_;
  const Limits limits_;
  mutable std::mutex mutex_;
  std::map<SessionKey, std::shared_ptr<ServerSession>> sessions_;
  std::map<SessionKey, std::chrono::steady_clock::time_point> closed_;
  std::condition_variable stopping_changed_;
  bool stopping_ = false;
  std::thread reaper_;
};

}  // namespace merganser::connect
