#pragma once

#include <initializer_list>
#include <mutex>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace merganser::connect {

/// Writes what happens on a server, one line of `key=value` pairs an event. Thread-safe.
class EventLog {
 public:
  /// Writes to `out`, which must outlive this.
  explicit EventLog(std::ostream& out) : out_(out) {}

  using Fields = std::initializer_list<std::pair<std::string_view, std::string>>;
  /// `level` is info, warning or error. Values with blanks or quotes are quoted.
  void Write(std::string_view level, std::string_view event, Fields fields = {});

 private:
  std::mutex mutex_;
  std::ostream& out_;
};

}  // namespace merganser::connect
