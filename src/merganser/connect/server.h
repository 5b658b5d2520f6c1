#pragma once

#include <memory>
#include <ostream>
#include <string>

#include "merganser/base/result.h"
#include "merganser/session/runtime.h"

namespace merganser::connect {

/// What a server is started with.
struct ServerOptions {
  std::string host = "127.0.0.1";
  int port = 15002;             ///< 0 takes a free one.
  std::string token;            ///< What clients have to know; empty lets everybody in.
  std::string tls_certificate;  ///< PEM text; empty: no TLS.
  std::string tls_key;
  int metrics_port = -1;  ///< Of /healthz and /metrics, on the same host; -1: none, 0: a free one.
  size_t max_sessions = 1000;
  std::string python;  ///< Runs functions of foreachBatch; empty: PYSPARK_PYTHON, else python3.
};

/// A Spark Connect server.
class Server {
 public:
  /// Listen. `log` takes a line an event and must outlive the server. Fails with INVALID_CONF_VALUE
  /// for a public address without a token, and for one that is taken or not this machine's.
  static Result<std::unique_ptr<Server>> Start(std::shared_ptr<Runtime> runtime,
                                               const ServerOptions& options, std::ostream& log);
  /// Stops, if that was not done.
  ~Server();

  int port() const;
  int metrics_port() const;

  /// Take no more requests; let running commands finish, interrupt queries, and end.
  void Stop();

 private:
  struct Parts;
  explicit Server(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace merganser::connect
