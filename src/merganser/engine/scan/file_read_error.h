#pragma once

#include <exception>

#include <duckdb.hpp>

namespace merganser::engine {

/// Throw again what went wrong while opening the data file at `path`:
/// FAILED_READ_FILE.FILE_NOT_EXIST if it is not there, else
/// FAILED_READ_FILE.CANNOT_READ_FILE_FOOTER. Interrupts, lack of memory and errors of our own pass
/// as they are.
[[noreturn]] void RethrowOpenError(duckdb::ClientContext& context, const duckdb::string& path,
                                   const std::exception& exception);

/// The same for a failure while decoding rows: FAILED_READ_FILE.NO_HINT.
[[noreturn]] void RethrowReadError(const duckdb::string& path, const std::exception& exception);

}  // namespace merganser::engine
