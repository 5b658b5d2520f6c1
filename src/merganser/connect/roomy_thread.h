#pragma once

#include <functional>

#include <pthread.h>

#include "merganser/base/result.h"

namespace merganser::connect {

/// A thread with stack for the deepest plan that a request may hold: translation, analysis and the
/// engine's planner all walk a plan by recursion. The stack is reserved; memory is used as far as a
/// plan is deep.
class RoomyThread {
 public:
  RoomyThread() = default;
  /// Waits, unless it was detached.
  ~RoomyThread() { Join(); }
  RoomyThread(RoomyThread&& other) noexcept { *this = std::move(other); }
  RoomyThread& operator=(RoomyThread&& other) noexcept;

  /// Run `work` on a new thread. Fails with MEMORY_LIMIT_EXCEEDED if there can be no more threads;
  /// `work` is then not run.
  static Result<RoomyThread> Start(std::function<void()> work);

  void Join();
  void Detach();

 private:
  explicit RoomyThread(pthread_t thread) : thread_(thread), joinable_(true) {}

  pthread_t thread_ = {};
  bool joinable_ = false;
};

/// Run `work` on a roomy thread and wait for it. Fails as RoomyThread::Start and as `work`.
Status RunWithRoom(const std::function<Status()>& work);

}  // namespace merganser::connect
