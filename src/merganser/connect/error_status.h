#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include <grpcpp/support/status.h>

#include "merganser/base/error.h"
#include "spark/connect/service.pb.h"

namespace merganser::connect {

/// The last errors of a session, for FetchErrorDetails. Thread-safe.
class ErrorStore {
 public:
  /// Keeps `error`, and returns the id that it can be asked for by. The oldest of more than twenty
  /// goes.
  std::string Put(Error error);
  /// The error of an id, once.
  std::optional<Error> Take(const std::string& id);

 private:
  std::mutex mutex_;
  std::deque<std::pair<std::string, Error>> errors_;
};

/// `error` as the end of a call: code INTERNAL, with a google.rpc.ErrorInfo that names the JVM
/// classes by which clients choose an exception. The message is cut where trailers have their
/// limit; `error_id` lets the client ask for all of it (empty: it cannot).
grpc::Status ToGrpcStatus(const Error& error, const std::string& error_id);

/// The whole of `error` and its causes.
void WriteErrorDetails(const Error& error, spark::connect::FetchErrorDetailsResponse* response);

}  // namespace merganser::connect
