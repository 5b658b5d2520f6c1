#include "merganser/connect/listener_bus.h"

#include <thread>

#include <gtest/gtest.h>

namespace merganser::connect {
namespace {

using Event = ListenerBus::Event;

bool Patient() { return false; }

TEST(ListenerBusTest, EventsComeInOrderFromTheOpeningOn) {
  ListenerBus bus;
  bus.Post(Event::QUERY_PROGRESS_EVENT, "before");
  bus.Open();
  bus.Post(Event::QUERY_PROGRESS_EVENT, "a");
  bus.Post(Event::QUERY_TERMINATED_EVENT, "b");
  const auto events = bus.Wait(Patient);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].event_json(), "a");
  EXPECT_EQ(events[1].event_type(), Event::QUERY_TERMINATED_EVENT);
}

TEST(ListenerBusTest, WhoWaitsGetsWhatIsLeftAndThenNothing) {
  ListenerBus bus;
  bus.Open();
  std::thread poster([&bus] {
    bus.Post(Event::QUERY_IDLE_EVENT, "a");
    bus.Close();
    bus.Post(Event::QUERY_IDLE_EVENT, "late");
  });
  size_t seen = 0;
  for (auto events = bus.Wait(Patient); !events.empty(); events = bus.Wait(Patient))
    seen += events.size();
  poster.join();
  EXPECT_EQ(seen, 1u);
}

TEST(ListenerBusTest, WaitingCanBeGivenUp) {
  ListenerBus bus;
  bus.Open();
  EXPECT_TRUE(bus.Wait([] { return true; }).empty());
}

}  // namespace
}  // namespace merganser::connect
