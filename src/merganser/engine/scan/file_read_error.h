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

/// The same for a failure while reading rows: FAILED_READ_FILE.NO_HINT where the file is there. (A
/// file whose footer is known already is opened only then.)
[[noreturn]] void RethrowReadError(duckdb::ClientContext& context, const duckdb::string& path,
                                   const std::exception& exception);

}  // namespace merganser::engine
