#include "merganser/engine/scan/file_read_error.h"

#include "merganser/engine/duckdb_error.h"

namespace merganser::engine {
namespace {

bool IsAboutTheFile(const Error& error) {
  switch (error.error_class()) {
    case ErrorClass::INTERNAL_ERROR:
    case ErrorClass::FILE_SYSTEM_ERROR:
      return true;
    default:
      return false;
  }
}

/// `sub_class`, unless the file is not there.
const char* MissingOr(const char* sub_class, duckdb::ClientContext& context,
                      const duckdb::string& path) {
  const bool exists = path.empty() || duckdb::FileSystem::GetFileSystem(context).FileExists(path);
  return exists ? sub_class : "FILE_NOT_EXIST";
}

[[noreturn]] void ThrowReadError(const duckdb::string& path, const char* sub_class, Error cause) {
  ThrowError(
      Error(ErrorClass::FAILED_READ_FILE, {{"path", path}}, sub_class).CausedBy(std::move(cause)));
}

}  // namespace

void RethrowOpenError(duckdb::ClientContext& context, const duckdb::string& path,
                      const std::exception& exception) {
  Error error = FromException(exception);
  if (!IsAboutTheFile(error)) ThrowError(error);
  ThrowReadError(path, MissingOr("CANNOT_READ_FILE_FOOTER", context, path), std::move(error));
}

void RethrowReadError(duckdb::ClientContext& context, const duckdb::string& path,
                      const std::exception& exception) {
  Error error = FromException(exception);
  if (!IsAboutTheFile(error)) ThrowError(error);
  ThrowReadError(path, MissingOr("NO_HINT", context, path), std::move(error));
}

}  // namespace merganser::engine
