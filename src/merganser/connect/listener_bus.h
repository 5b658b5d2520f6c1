#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "spark/connect/commands.pb.h"

namespace merganser::connect {

/// Events of a session's streaming queries on their way to its client, which asks for them once and
/// then gets them as they come. Thread-safe.
class ListenerBus {
 public:
  using Event = spark::connect::StreamingQueryListenerEvent;

  /// From here on events are kept; those of before are not told.
  void Open();
  /// No more events: who waits gets the rest, and then nothing.
  void Close();
  void Post(Event::EventType type, std::string json);

  /// The events since the last call, at least one; nothing once the bus is closed and empty, or
  /// `give_up` says so.
  std::vector<Event> Wait(const std::function<bool()>& give_up);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
  std::deque<Event> events_;
};

}  // namespace merganser::connect
