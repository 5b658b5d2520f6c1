#include "merganser/base/clock.h"

#include <chrono>

namespace merganser {
namespace {

class SystemClock : public Clock {
 public:
  int64_t NowMillis() const override { return NowMicros() / 1000; }
  int64_t NowMicros() const override {
    const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::microseconds>(since_epoch).count();
  }
};

}  // namespace

const Clock& Clock::System() {
  static const SystemClock clock;
  return clock;
}

}  // namespace merganser
