#include "merganser/connect/event_log.h"

#include <chrono>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "merganser/base/json.h"

namespace merganser::connect {

void EventLog::Write(std::string_view level, std::string_view event, Fields fields) {
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  const auto millis = now.time_since_epoch().count() % 1000;
  std::string line =
      fmt::format("time={:%Y-%m-%dT%H:%M:%S}.{:03}Z level={} event={}", utc, millis, level, event);
  for (const auto& [key, value] : fields) {
    line += fmt::format(" {}=", key);
    if (value.empty() || value.find_first_of(" \"=\n\t\r\\") != std::string::npos) {
      AppendJsonString(value, &line);
    } else {
      line += value;
    }
  }
  line += "\n";
  const std::lock_guard lock(mutex_);
  out_ << line << std::flush;
}

}  // namespace merganser::connect
