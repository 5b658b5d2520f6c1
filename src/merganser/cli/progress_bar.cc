#include "merganser/cli/progress_bar.h"

#include <algorithm>
#include <chrono>
#include <ostream>
#include <string>

#include <fmt/format.h>

namespace merganser {
namespace {

constexpr auto kDelay = std::chrono::seconds(2);
constexpr auto kInterval = std::chrono::milliseconds(200);
constexpr int kWidth = 40;

std::string Bar(const engine::Progress& progress) {
  const int filled = std::clamp(static_cast<int>(progress.fraction * kWidth), 0, kWidth);
  return fmt::format("\r[{}{}] {:3.0f}% {} rows, {} MB\x1b[K",
                     std::string(static_cast<size_t>(filled), '='),
                     std::string(static_cast<size_t>(kWidth - filled), ' '),
                     progress.fraction * 100, progress.rows, progress.bytes / 1'000'000);
}

}  // namespace

ProgressBar::ProgressBar(const Session& session, std::ostream& out)
    : session_(session), out_(out), thread_([this] { Draw(); }) {}

ProgressBar::~ProgressBar() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_all();
  thread_.join();
}

void ProgressBar::Draw() {
  std::unique_lock lock(mutex_);
  if (ended_.wait_for(lock, kDelay, [this] { return end_; })) return;
  do {
    if (const auto connection = session_.running_connection())
      out_ << Bar(connection->progress()) << std::flush;
  } while (!ended_.wait_for(lock, kInterval, [this] { return end_; }));
  out_ << "\r\x1b[K" << std::flush;
}

}  // namespace merganser
