#pragma once

#include <atomic>
#include <cstdint>

namespace merganser {

/// Where the time comes from. Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  /// Milliseconds since 1970-01-01T00:00:00Z.
  virtual int64_t NowMillis() const = 0;
  /// Microseconds since 1970-01-01T00:00:00Z.
  virtual int64_t NowMicros() const = 0;

  /// The operating system's clock; lives as long as the program.
  static const Clock& System();
};

/// A clock that moves only when told to.
class ManualClock : public Clock {
 public:
  explicit ManualClock(int64_t millis = 0) : micros_(millis * 1000) {}

  int64_t NowMillis() const override { return NowMicros() / 1000; }
  int64_t NowMicros() const override { return micros_.load(); }
  void SetMillis(int64_t millis) { micros_.store(millis * 1000); }
  void AdvanceMillis(int64_t millis) { micros_.fetch_add(millis * 1000); }

 private:
  std::atomic<int64_t> micros_;
};

}  // namespace merganser
