#include "merganser/io/file_system.h"

#include <utility>

namespace merganser {

Result<std::optional<std::string>> FileSystem::ReadIfExists(const std::string& path) {
  auto bytes = Read(path);
  if (bytes.ok()) return std::optional<std::string>(std::move(bytes).value());
  if (IsFileNotFound(bytes.error())) return std::optional<std::string>();
  return std::move(bytes).error();
}

Result<bool> FileSystem::Exists(const std::string& path) {
  MERGANSER_ASSIGN_OR_RETURN(const std::optional<FileEntry> entry, Stat(path));
  return entry.has_value();
}

bool IsFileNotFound(const Error& error) {
  return error.error_class() == ErrorClass::FAILED_READ_FILE &&
         error.sub_class() == "FILE_NOT_EXIST";
}

Error FileNotFound(const std::string& path) {
  return Error(ErrorClass::FAILED_READ_FILE, {{"path", path}}, "FILE_NOT_EXIST");
}

Error FileSystemError(std::string_view operation, const std::string& path, std::string reason) {
  return Error(
      ErrorClass::FILE_SYSTEM_ERROR,
      {{"operation", std::string(operation)}, {"path", path}, {"reason", std::move(reason)}});
}

std::string JoinPath(std::string_view directory, std::string_view name) {
  std::string path;
  path.reserve(directory.size() + 1 + name.size());
  path.append(directory);
  if (!path.empty() && path.back() != '/') path.push_back('/');
  path.append(name);
  return path;
}

std::string_view ParentPath(std::string_view path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return {};
  return slash == 0 ? path.substr(0, 1) : path.substr(0, slash);
}

std::string_view BaseName(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace merganser
