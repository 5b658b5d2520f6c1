#include "merganser/connect/operation.h"

#include <algorithm>
#include <utility>

#include "merganser/base/uuid.h"

namespace merganser::connect {
namespace {

// What waits for the client, and what stays in case it asks again.
constexpr size_t kMostUnsentBytes = 16 << 20;
constexpr size_t kMostSentBytes = 10 << 20;
constexpr auto kHeartbeat = std::chrono::seconds(5);
constexpr auto kLookAtClient = std::chrono::milliseconds(200);

}  // namespace

Operation::Operation(Response header, std::string fingerprint, bool reattachable,
                     std::vector<std::string> tags)
    : header_(std::move(header)),
      fingerprint_(std::move(fingerprint)),
      reattachable_(reattachable),
      tags_(std::move(tags)) {}

void Operation::Append(Response response) {
  std::string response_id = RandomUuid();
  response.MergeFrom(header_);
  response.set_response_id(response_id);
  const size_t bytes = response.ByteSizeLong();
  entries_.push_back(
      {std::move(response_id), std::make_shared<const Response>(std::move(response)), bytes});
  unsent_bytes_ += bytes;
  changed_.notify_all();
}

bool Operation::Push(Response response) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return cancelled_ || unsent_bytes_ < kMostUnsentBytes; });
  if (cancelled_) return false;
  Append(std::move(response));
  return true;
}

void Operation::Finish(Status status) {
  const std::lock_guard lock(mutex_);
  stop_ = nullptr;
  end_ = std::move(status);
  changed_.notify_all();
}

bool Operation::cancelled() const {
  const std::lock_guard lock(mutex_);
  return cancelled_;
}

void Operation::OnCancel(std::function<void()> stop) {
  std::unique_lock lock(mutex_);
  stop_ = std::move(stop);
  if (cancelled_ && stop_) stop_();
}

bool Operation::Cancel() {
  const std::lock_guard lock(mutex_);
  if (end_) return false;
  cancelled_ = true;
  if (stop_) stop_();
  changed_.notify_all();
  return true;
}

bool Operation::finished() const {
  const std::lock_guard lock(mutex_);
  return end_.has_value();
}

std::optional<Error> Operation::failure() const {
  const std::lock_guard lock(mutex_);
  if (!end_ || end_->ok()) return std::nullopt;
  return end_->error();
}

std::optional<Operation::Clock::time_point> Operation::detached_since() const {
  const std::lock_guard lock(mutex_);
  if (carriers_ > 0) return std::nullopt;
  return detached_since_;
}

Operation::Outcome Operation::Carry(const std::optional<std::string>& last_response_id,
                                    const std::function<bool(const Response&)>& write,
                                    const std::function<bool()>& gone) {
  std::unique_lock lock(mutex_);
  int64_t next = first_;
  if (last_response_id && !last_response_id->empty()) {
    const auto last = std::ranges::find(entries_, *last_response_id, &Entry::id);
    if (last == entries_.end()) return Outcome::kNotThere;
    next += last - entries_.begin() + 1;
  } else if (first_ > 0) {
    return Outcome::kNotThere;
  }
  const int64_t mine = ++generation_;
  ++carriers_;
  changed_.notify_all();
  auto last_sign = Clock::now();
  Outcome outcome = Outcome::kDone;
  while (true) {
    if (generation_ != mine) {
      outcome = Outcome::kTakenOver;
      break;
    }
    if (next < first_) {
      outcome = Outcome::kNotThere;
      break;
    }
    if (next < first_ + static_cast<int64_t>(entries_.size())) {
      const Entry entry = entries_[static_cast<size_t>(next - first_)];
      lock.unlock();
      const bool written = write(*entry.response);
      lock.lock();
      if (!written) {
        outcome = Outcome::kClientGone;
        break;
      }
      ++next;
      if (next > sent_) {
        sent_ = next;
        unsent_bytes_ -= entry.bytes;
        sent_bytes_ += entry.bytes;
        DropSent();
      }
      last_sign = Clock::now();
      changed_.notify_all();
      continue;
    }
    if (end_) {
      outcome = end_->ok() ? Outcome::kDone : Outcome::kFailed;
      break;
    }
    changed_.wait_for(lock, kLookAtClient);
    lock.unlock();
    const bool is_gone = gone();
    lock.lock();
    if (is_gone) {
      outcome = Outcome::kClientGone;
      break;
    }
    if (Clock::now() - last_sign >= kHeartbeat && !end_ && generation_ == mine) {
      Response beat;
      beat.mutable_execution_progress();
      Append(std::move(beat));
    }
  }
  if (--carriers_ == 0) detached_since_ = Clock::now();
  return outcome;
}

void Operation::DropSent() {
  while (sent_bytes_ > kMostSentBytes && first_ < sent_) {
    sent_bytes_ -= entries_.front().bytes;
    entries_.pop_front();
    ++first_;
  }
}

void Operation::ReleaseUntil(const std::string& response_id) {
  const std::lock_guard lock(mutex_);
  const auto last = std::ranges::find(entries_, response_id, &Entry::id);
  if (last == entries_.end()) return;
  const auto count = last - entries_.begin() + 1;
  for (auto i = count; i > 0; --i) {
    (first_ < sent_ ? sent_bytes_ : unsent_bytes_) -= entries_.front().bytes;
    entries_.pop_front();
    ++first_;
  }
  sent_ = std::max(sent_, first_);
  changed_.notify_all();
}

}  // namespace merganser::connect
