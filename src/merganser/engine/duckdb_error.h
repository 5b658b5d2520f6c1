#pragma once

#include <exception>
#include <string_view>

#include "merganser/base/error.h"

namespace duckdb {
class ErrorData;
}

namespace merganser::engine {

/// Throw `error` through the engine. For code that the engine calls (scalar functions, scan and
/// sink callbacks) and nothing else; the statement then fails with exactly this error.
[[noreturn]] void ThrowError(const Error& error);

/// The error that an engine error stands for: one thrown by ThrowError comes back as it was; else
/// a class by the kind of failure (interrupt, memory, disk, file, cast, internal).
Error FromEngineError(const duckdb::ErrorData& error);

/// The same for a caught exception of any origin.
Error FromException(const std::exception& exception);

}  // namespace merganser::engine
