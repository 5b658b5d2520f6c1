#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "merganser/base/result.h"

namespace merganser::connect {

/// A small HTTP port beside the server: GET /healthz answers `ok`, GET /metrics what `metrics`
/// gives. One request at a time, on a thread of its own.
class MetricsPort {
 public:
  /// Listen on `host` and `port` (0: a free one). Fails with INVALID_CONF_VALUE where it cannot.
  static Result<std::unique_ptr<MetricsPort>> Open(const std::string& host, int port,
                                                   std::function<std::string()> metrics);
  ~MetricsPort();

  int port() const { return port_; }

 private:
  MetricsPort(int socket, int port, std::function<std::string()> metrics);
  void Serve();
  void Answer(int connection);

  const int socket_;
  const int port_;
  const std::function<std::string()> metrics_;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace merganser::connect
