#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "spark/connect/service.pb.h"

namespace merganser::connect {

/// One execution of a plan and the answers it has given so far.
///
/// A thread of its own produces answers; the calls ExecutePlan and ReattachExecute only carry them
/// to the client, so that a client may lose its connection and come back for the rest. The producer
/// waits while too many bytes are unsent, and answers are kept until they are released, within
/// limits. All members are safe to call from any thread.
class Operation {
 public:
  using Response = spark::connect::ExecutePlanResponse;
  using Clock = std::chrono::steady_clock;

  /// `header` has what every answer carries: the ids of operation and session. `fingerprint` tells
  /// whether another request with this id asks for the same.
  Operation(Response header, std::string fingerprint, bool reattachable,
            std::vector<std::string> tags);

  const std::string& id() const { return header_.operation_id(); }
  const std::string& fingerprint() const { return fingerprint_; }
  bool reattachable() const { return reattachable_; }
  const std::vector<std::string>& tags() const { return tags_; }

  // ---- the producer ----

  /// Append an answer, which gets a response id; waits for room. False once the operation is
  /// cancelled: nobody wants more.
  bool Push(Response response);
  /// The end. An error ends the stream with it.
  void Finish(Status status);
  bool cancelled() const;
  /// A command is running, which changes something: a server that stops waits for it.
  void set_changing(bool changing) { changing_ = changing; }
  bool changing() const { return changing_; }
  /// What stops the running statement; called by Cancel, at once if that came before. Empty: there
  /// is nothing to stop.
  void OnCancel(std::function<void()> stop);

  // ---- calls that carry answers ----

  enum class Outcome : uint8_t {
    kDone,        ///< All answers were given and the operation is over.
    kFailed,      ///< The same, and it failed, see `failure()`.
    kTakenOver,   ///< Another call carries the answers now.
    kClientGone,  ///< `gone` or `write` said so.
    kNotThere,    ///< The answer after `last_response_id` is no longer, or was never, there.
  };
  /// Hand the answers after `last_response_id` (from the first one kept if there is none) to
  /// `write`, as they come, until the end. While none come, answers that tell of no progress keep
  /// the connection alive. `write` and `gone` are called without a lock.
  Outcome Carry(const std::optional<std::string>& last_response_id,
                const std::function<bool(const Response&)>& write,
                const std::function<bool()>& gone);
  /// The error it failed with, if it is over and failed.
  std::optional<Error> failure() const;

  /// Forget the answers up to and with this one.
  void ReleaseUntil(const std::string& response_id);
  /// Cancel it, if it still runs. Returns whether it did.
  bool Cancel();
  bool finished() const;
  /// Since when nobody carries answers; no value while somebody does.
  std::optional<Clock::time_point> detached_since() const;

 private:
  struct Entry {
    std::string id;
    std::shared_ptr<const Response> response;
    size_t bytes;
  };
  void Append(Response response);
  void DropSent();

  const Response header_;
  const std::string fingerprint_;
  const bool reattachable_;
  const std::vector<std::string> tags_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Entry> entries_;
  int64_t first_ = 0;  ///< Number of the first entry, counted from the operation's start.
  int64_t sent_ = 0;   ///< Entries before this number were handed to a client.
  size_t unsent_bytes_ = 0;
  size_t sent_bytes_ = 0;
  int64_t generation_ = 0;  ///< Of calls that carry; only the newest goes on.
  int carriers_ = 0;
  Clock::time_point detached_since_ = Clock::now();
  bool cancelled_ = false;
  std::function<void()> stop_;
  std::optional<Status> end_;
  std::atomic<bool> changing_ = false;
};

}  // namespace merganser::connect
