#include "merganser/connect/listener_bus.h"

#include <chrono>
#include <utility>

namespace merganser::connect {
namespace {

// A client that does not read loses the oldest.
constexpr size_t kMostEvents = 10'000;
constexpr auto kAskWhetherToStop = std::chrono::milliseconds(100);

}  // namespace

void ListenerBus::Open() {
  const std::lock_guard lock(mutex_);
  open_ = true;
  events_.clear();
}

void ListenerBus::Close() {
  const std::lock_guard lock(mutex_);
  open_ = false;
  changed_.notify_all();
}

void ListenerBus::Post(Event::EventType type, std::string json) {
  const std::lock_guard lock(mutex_);
  if (!open_) return;
  Event event;
  event.set_event_type(type);
  event.set_event_json(std::move(json));
  events_.push_back(std::move(event));
  if (events_.size() > kMostEvents) events_.pop_front();
  changed_.notify_all();
}

std::vector<ListenerBus::Event> ListenerBus::Wait(const std::function<bool()>& give_up) {
  std::unique_lock lock(mutex_);
  while (open_ && events_.empty()) {
    changed_.wait_for(lock, kAskWhetherToStop);
    lock.unlock();
    const bool gives_up = give_up();
    lock.lock();
    if (gives_up) return {};
  }
  std::vector<Event> events(std::make_move_iterator(events_.begin()),
                            std::make_move_iterator(events_.end()));
  events_.clear();
  return events;
}

}  // namespace merganser::connect
