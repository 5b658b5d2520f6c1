#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/streaming/micro_batches.h"

namespace merganser::connect {

/// When batches are made.
struct Trigger {
  bool until_caught_up = false;  ///< Once and availableNow: what is there at the start.
  std::chrono::milliseconds interval =
      std::chrono::milliseconds(0);  ///< Between starts of batches.
};

/// A running streaming query: a thread that makes batches and hands each to a sink. All members but
/// the constructor are safe to call from any thread.
class StreamingQuery {
 public:
  struct Sink {
    /// Does the work of one batch; called again with the same number after a crash.
    std::function<Status(const MicroBatch&)> run;
    /// Makes a running `run` fail soon.
    std::function<void()> interrupt;
    /// Called on the query's thread once it is over.
    std::function<void()> close;
  };

  StreamingQuery(MicroBatches batches, std::string name, Trigger trigger, Sink sink);
  /// Stops it.
  ~StreamingQuery();

  const std::string& id() const { return batches_.query_id(); }
  const std::string& run_id() const { return run_id_; }
  const std::string& name() const { return name_; }

  bool active() const;
  /// STREAM_FAILED, once it has failed.
  std::optional<Error> failure() const;
  /// `message`, as StreamingQuery.status shows it.
  std::string status_message() const;
  /// One JSON object a batch, the last hundred.
  std::vector<std::string> progress() const;

  /// Wait until it ends, `until` passes, or `give_up` says so; returns whether it has ended.
  bool Wait(std::optional<std::chrono::milliseconds> timeout,
            const std::function<bool()>& give_up) const;
  /// Wait until all that is there now was processed, or it ends.
  void WaitUntilCaughtUp(const std::function<bool()>& give_up) const;
  /// Stop it and wait for its thread. Not from that thread.
  void Stop();

 private:
  void Loop();
  Result<bool> RunOne();
  void Report(const MicroBatch& batch, std::chrono::milliseconds took);

  MicroBatches batches_;
  const std::string run_id_;
  const std::string name_;
  const Trigger trigger_;
  const Sink sink_;

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool stopping_ = false;
  bool active_ = true;
  bool in_batch_ = false;
  int64_t idle_polls_ = 0;  ///< Times that it looked and found nothing new.
  std::optional<Error> failure_;
  std::vector<std::string> progress_;
  std::mutex stop_mutex_;
  std::thread thread_;
};

}  // namespace merganser::connect
