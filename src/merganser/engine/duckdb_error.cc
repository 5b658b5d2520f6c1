#include "merganser/engine/duckdb_error.h"

#include <cerrno>
#include <string>

#include <duckdb.hpp>

namespace merganser::engine {
namespace {

// Under this name an error of ours rides in the extra fields of an engine exception.
constexpr const char* kErrorField = "merganser_error";

bool DiskFull(const duckdb::ErrorData& error) {
  const auto number = error.ExtraInfo().find("errno");
  return number != error.ExtraInfo().end() && number->second == std::to_string(ENOSPC);
}

/// Without the advice that follows: its settings are the engine's, not a user's.
std::string WithoutAdvice(const std::string& reason) {
  return reason.substr(0, reason.find("\n\nPossible solutions"));
}

}  // namespace

void ThrowError(const Error& error) {
  // Of the exception types this is one that ends only the statement, not the engine.
  throw duckdb::Exception({{kErrorField, error.ToJson()}}, duckdb::ExceptionType::INVALID_INPUT,
                          error.message());
}

Error FromEngineError(const duckdb::ErrorData& error) {
  const auto own = error.ExtraInfo().find(kErrorField);
  if (own != error.ExtraInfo().end()) {
    if (auto parsed = Error::FromJson(own->second)) return *std::move(parsed);
  }
  const std::string& reason = error.RawMessage();
  switch (error.Type()) {
    case duckdb::ExceptionType::INTERRUPT:
      return Error(ErrorClass::OPERATION_CANCELED);
    case duckdb::ExceptionType::OUT_OF_MEMORY:
      return Error(ErrorClass::MEMORY_LIMIT_EXCEEDED, {{"reason", WithoutAdvice(reason)}});
    case duckdb::ExceptionType::IO:
    case duckdb::ExceptionType::PERMISSION:
    case duckdb::ExceptionType::HTTP:
    case duckdb::ExceptionType::NETWORK:
      if (DiskFull(error)) return Error(ErrorClass::SPILL_SPACE_EXHAUSTED, {{"reason", reason}});
      return Error(ErrorClass::FILE_SYSTEM_ERROR,
                   {{"operation", "access"}, {"path", "a file"}, {"reason", reason}});
    // The analyser leaves to the engine only sums, products and narrowing casts of numbers.
    case duckdb::ExceptionType::OUT_OF_RANGE:
    case duckdb::ExceptionType::CONVERSION:
      return Error(
          ErrorClass::ARITHMETIC_OVERFLOW,
          {{"message", reason}, {"alternative", ""}, {"config", "\"spark.sql.ansi.enabled\""}});
    default:
      return Error::Internal(reason);
  }
}

Error FromException(const std::exception& exception) {
  return FromEngineError(duckdb::ErrorData(exception));
}

}  // namespace merganser::engine
