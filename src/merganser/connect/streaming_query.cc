#include "merganser/connect/streaming_query.h"

#include <algorithm>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "merganser/base/json.h"
#include "merganser/base/uuid.h"

namespace merganser::connect {
namespace {

using Millis = std::chrono::milliseconds;

// How often a query without an interval looks for new commits.
constexpr Millis kLookAgain(200);
constexpr Millis kAskWhetherToGiveUp(100);
constexpr size_t kKeptProgress = 100;
// spark.sql.streaming.noDataProgressEventInterval.
constexpr auto kTellOfIdleness = std::chrono::seconds(10);

std::string Now() {
  const auto now = std::chrono::floor<Millis>(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(now)),
                     now.time_since_epoch().count() % 1000);
}

}  // namespace

StreamingQuery::StreamingQuery(MicroBatches batches, std::string name, Trigger trigger, Sink sink,
                               Listener listener)
    : batches_(std::move(batches)),
      run_id_(RandomUuid()),
      name_(std::move(name)),
      trigger_(trigger),
      sink_(std::move(sink)),
      listener_(std::move(listener)) {}

Status StreamingQuery::Start() {
  MERGANSER_ASSIGN_OR_RETURN(thread_, RoomyThread::Start([this] { Loop(); }));
  return Status::Ok();
}

StreamingQuery::~StreamingQuery() { Stop(); }

void StreamingQuery::Loop() {
  std::optional<Error> failure;
  while (true) {
    {
      const std::lock_guard lock(mutex_);
      if (stopping_) break;
      in_batch_ = true;
    }
    const auto start = std::chrono::steady_clock::now();
    auto worked = RunOne();
    if (worked.ok() && !*worked) ReportIdle();
    std::unique_lock lock(mutex_);
    in_batch_ = false;
    if (!worked.ok()) {
      if (!stopping_) failure = std::move(worked).error();
      break;
    }
    if (!*worked) ++idle_polls_;
    changed_.notify_all();
    if (trigger_.pace != BatchPace::kOngoing && !*worked) break;
    if (*worked && trigger_.interval.count() == 0) continue;
    const Millis pause = trigger_.interval.count() == 0 ? kLookAgain : trigger_.interval;
    changed_.wait_until(lock, start + pause, [this] { return stopping_; });
  }
  if (sink_.close) sink_.close();
  if (failure) {
    const std::string message = failure->message();
    failure =
        Error(ErrorClass::STREAM_FAILED, {{"id", id()}, {"runId", run_id_}, {"message", message}})
            .CausedBy(Error(*failure));
  }
  ReportEnd(failure);
  const std::lock_guard lock(mutex_);
  failure_ = std::move(failure);
  active_ = false;
  changed_.notify_all();
}

Result<bool> StreamingQuery::RunOne() {
  const auto start = std::chrono::steady_clock::now();
  MERGANSER_ASSIGN_OR_RETURN(std::optional<MicroBatch> batch, batches_.Next());
  if (!batch) return false;
  if (sink_.takes_all_rows) {
    MERGANSER_ASSIGN_OR_RETURN(batch->source, batches_.RowsSoFar(*batch));
  }
  MERGANSER_RETURN_IF_ERROR(sink_.run(*batch));
  MERGANSER_RETURN_IF_ERROR(batches_.Commit(*batch));
  Report(*batch, std::chrono::duration_cast<Millis>(std::chrono::steady_clock::now() - start));
  return true;
}

std::string StreamingQuery::StartedEvent() const {
  Json event = Json::MakeObject();
  event.Set("id", id())
      .Set("runId", run_id_)
      .Set("name", name_.empty() ? Json() : Json(name_))
      .Set("timestamp", Now())
      .Set("jobTags", Json::MakeArray());
  return event.Dump();
}

void StreamingQuery::Report(const MicroBatch& batch, Millis took) {
  const Json rows = batch.num_rows ? Json(*batch.num_rows) : Json();
  const double seconds = std::max(static_cast<double>(took.count()), 1.0) / 1000;
  const Json rate = batch.num_rows ? Json(static_cast<double>(*batch.num_rows) / seconds) : Json();
  const auto offset = [this](const DeltaSourceOffset& at) {
    auto json = Json::Parse(at.ToJson(batches_.source().table_id()));
    return json.ok() ? *std::move(json) : Json();
  };
  Json durations = Json::MakeObject();
  durations.Set("triggerExecution", static_cast<int64_t>(took.count()));
  Json source = Json::MakeObject();
  source.Set("description", "DeltaSource[" + batches_.source().uri() + "]")
      .Set("startOffset", batch.id == 0 ? Json() : offset(batch.start))
      .Set("endOffset", offset(batch.end))
      .Set("latestOffset", Json())
      .Set("numInputRows", rows)
      .Set("inputRowsPerSecond", rate)
      .Set("processedRowsPerSecond", rate);
  Json sink = Json::MakeObject();
  sink.Set("description", sink_.description).Set("numOutputRows", -1);
  Json progress = Json::MakeObject();
  progress.Set("id", id())
      .Set("runId", run_id_)
      .Set("name", name_.empty() ? Json() : Json(name_))
      .Set("timestamp", Now())
      .Set("batchId", batch.id)
      .Set("batchDuration", static_cast<int64_t>(took.count()))
      .Set("numInputRows", rows)
      .Set("inputRowsPerSecond", rate)
      .Set("processedRowsPerSecond", rate)
      .Set("durationMs", durations)
      .Set("stateOperators", Json::MakeArray())
      .Set("sources", Json(Json::Array{source}))
      .Set("sink", sink);
  {
    const std::lock_guard lock(mutex_);
    progress_.push_back(progress.Dump());
    if (progress_.size() > kKeptProgress) progress_.erase(progress_.begin());
  }
  Json event = Json::MakeObject();
  event.Set("progress", progress);
  last_event_ = std::chrono::steady_clock::now();
  listener_(spark::connect::StreamingQueryListenerEvent::QUERY_PROGRESS_EVENT, event.Dump());
}

void StreamingQuery::ReportIdle() {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_event_ < kTellOfIdleness) return;
  last_event_ = now;
  Json event = Json::MakeObject();
  event.Set("id", id()).Set("runId", run_id_).Set("timestamp", Now());
  listener_(spark::connect::StreamingQueryListenerEvent::QUERY_IDLE_EVENT, event.Dump());
}

void StreamingQuery::ReportEnd(const std::optional<Error>& failure) {
  Json event = Json::MakeObject();
  event.Set("id", id())
      .Set("runId", run_id_)
      .Set("exception", failure ? Json(failure->message()) : Json())
      .Set("errorClassOnException", failure ? Json(failure->full_name()) : Json());
  listener_(spark::connect::StreamingQueryListenerEvent::QUERY_TERMINATED_EVENT, event.Dump());
}

bool StreamingQuery::active() const {
  const std::lock_guard lock(mutex_);
  return active_;
}

std::optional<Error> StreamingQuery::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

std::string StreamingQuery::status_message() const {
  const std::lock_guard lock(mutex_);
  if (failure_) return "Terminated with exception: " + failure_->parameters().at("message");
  if (!active_) return "Stopped";
  return in_batch_ ? "Processing new data" : "Waiting for data to arrive";
}

std::vector<std::string> StreamingQuery::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}

bool StreamingQuery::Wait(std::optional<Millis> timeout,
                          const std::function<bool()>& give_up) const {
  const auto end = std::chrono::steady_clock::now() + timeout.value_or(Millis(0));
  std::unique_lock lock(mutex_);
  while (active_) {
    if (timeout && std::chrono::steady_clock::now() >= end) return false;
    changed_.wait_for(lock, kAskWhetherToGiveUp);
    lock.unlock();
    const bool enough = give_up();
    lock.lock();
    if (enough) return !active_;
  }
  return true;
}

void StreamingQuery::WaitUntilCaughtUp(const std::function<bool()>& give_up) const {
  std::unique_lock lock(mutex_);
  // A look that begins after this call sees all that is there now: of two, the second does.
  const int64_t enough = idle_polls_ + 2;
  while (active_ && idle_polls_ < enough) {
    changed_.wait_for(lock, kAskWhetherToGiveUp);
    lock.unlock();
    const bool gives_up = give_up();
    lock.lock();
    if (gives_up) return;
  }
}

void StreamingQuery::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
    if (active_ && in_batch_ && sink_.interrupt) sink_.interrupt();
  }
  const std::lock_guard stop(stop_mutex_);
  thread_.Join();
}

}  // namespace merganser::connect
