#include "merganser/connect/roomy_thread.h"

#include <cstring>
#include <memory>
#include <utility>

namespace merganser::connect {
namespace {

constexpr size_t kStackBytes = size_t{64} << 20;

void* RunWork(void* argument) {
  const std::unique_ptr<std::function<void()>> work(static_cast<std::function<void()>*>(argument));
  (*work)();
  return nullptr;
}

}  // namespace

RoomyThread& RoomyThread::operator=(RoomyThread&& other) noexcept {
  Join();
  thread_ = other.thread_;
  joinable_ = std::exchange(other.joinable_, false);
  return *this;
}

Result<RoomyThread> RoomyThread::Start(std::function<void()> work) {
  auto argument = std::make_unique<std::function<void()>>(std::move(work));
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread{};
  const int failed = ::pthread_create(&thread, &attributes, RunWork, argument.get());
  ::pthread_attr_destroy(&attributes);
  if (failed != 0) {
    return Error(ErrorClass::MEMORY_LIMIT_EXCEEDED,
                 {{"reason", std::string("cannot start a thread: ") + std::strerror(failed)}});
  }
  argument.release();  // NOLINT(bugprone-unused-return-value): the thread has it.
  return RoomyThread(thread);
}

void RoomyThread::Join() {
  if (std::exchange(joinable_, false)) ::pthread_join(thread_, nullptr);
}

void RoomyThread::Detach() {
  if (std::exchange(joinable_, false)) ::pthread_detach(thread_);
}

Status RunWithRoom(const std::function<Status()>& work) {
  Status status;
  MERGANSER_ASSIGN_OR_RETURN(RoomyThread thread,
                             RoomyThread::Start([&status, &work] { status = work(); }));
  thread.Join();
  return status;
}

}  // namespace merganser::connect
