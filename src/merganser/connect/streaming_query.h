#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/connect/roomy_thread.h"
#include "merganser/streaming/micro_batches.h"
#include "spark/connect/commands.pb.h"

namespace merganser::connect {

/// When batches are made.
struct Trigger {
  BatchPace pace = BatchPace::kOngoing;  ///< All but kOngoing end with what there was at the start.
  std::chrono::milliseconds interval =
      std::chrono::milliseconds(0);  ///< Between starts of batches.
};

/// A streaming query: a thread that makes batches and hands each to a sink. All members but
/// the constructor are safe to call from any thread.
class StreamingQuery {
 public:
  struct Sink {
    /// In Spark's words, such as `ForeachBatchSink`.
    std::string description;
    /// Each batch is given all rows that were read so far, and not only the new ones.
    bool takes_all_rows = false;
    /// Does the work of one batch; called again with the same number after a crash.
    std::function<Status(const MicroBatch&)> run;
    /// Makes a running `run` fail soon.
    std::function<void()> interrupt;
    /// Called on the query's thread once it is over.
    std::function<void()> close;
  };
  using EventType = spark::connect::StreamingQueryListenerEvent::EventType;
  /// Is told what happens to the query, as JSON; called on its thread.
  using Listener = std::function<void(EventType, std::string)>;

  StreamingQuery(MicroBatches batches, std::string name, Trigger trigger, Sink sink,
                 Listener listener);
  /// Begin; called once. Fails as RoomyThread::Start.
  Status Start();
  /// Stops it.
  ~StreamingQuery();

  const std::string& id() const { return batches_.query_id(); }
  const std::string& run_id() const { return run_id_; }
  const std::string& name() const { return name_; }
  /// What listeners are told of its start.
  std::string StartedEvent() const;

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
  void ReportIdle();
  void ReportEnd(const std::optional<Error>& failure);

  MicroBatches batches_;
  const std::string run_id_;
  const std::string name_;
  const Trigger trigger_;
  const Sink sink_;
  const Listener listener_;
  std::chrono::steady_clock::time_point last_event_ = std::chrono::steady_clock::now();

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool stopping_ = false;
  bool active_ = true;
  bool in_batch_ = false;
  int64_t idle_polls_ = 0;  ///< Times that it looked and found nothing new.
  std::optional<Error> failure_;
  std::vector<std::string> progress_;
  std::mutex stop_mutex_;
  RoomyThread thread_;
};

}  // namespace merganser::connect
