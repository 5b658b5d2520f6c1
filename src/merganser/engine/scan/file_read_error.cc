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

[[noreturn]] void ThrowReadError(const duckdb::string& path, const char* sub_class, Error cause) {
  ThrowError(
      Error(ErrorClass::FAILED_READ_FILE, {{"path", path}}, sub_class).CausedBy(std::move(cause)));
}

}  // namespace

void RethrowOpenError(duckdb::ClientContext& context, const duckdb::string& path,
                      const std::exception& exception) {
  Error error = FromException(exception);
  if (!IsAboutTheFile(error)) ThrowError(error);
  const bool exists = duckdb::FileSystem::GetFileSystem(context).FileExists(path);
  ThrowReadError(path, exists ? "CANNOT_READ_FILE_FOOTER" : "FILE_NOT_EXIST", std::move(error));
}

void RethrowReadError(const duckdb::string& path, const std::exception& exception) {
  Error error = FromException(exception);
  if (!IsAboutTheFile(error)) ThrowError(error);
  ThrowReadError(path, "NO_HINT", std::move(error));
}

}  // namespace merganser::engine
