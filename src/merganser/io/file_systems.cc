#include "merganser/io/file_systems.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "merganser/base/uri.h"
#include "merganser/io/local_file_system.h"

namespace merganser {
namespace {

/// Drop "." and "..", doubled slashes and the slash at the end.
std::string NormalizeLocalPath(std::string_view path) {
  std::string normal = std::filesystem::path(path).lexically_normal().string();
  while (normal.size() > 1 && normal.back() == '/') normal.pop_back();
  return normal;
}

/// The path of a URI whose scheme is taken off: "//host/a", "///a" or "/a".
std::string_view WithoutAuthority(std::string_view rest) {
  if (!rest.starts_with("//")) return rest;
  const size_t slash = rest.find('/', 2);
  return slash == std::string_view::npos ? std::string_view("/") : rest.substr(slash);
}

}  // namespace

FileSystems::FileSystems() : local_(std::make_shared<LocalFileSystem>()) {}

void FileSystems::Register(std::string scheme, std::shared_ptr<FileSystem> file_system) {
  by_scheme_.insert_or_assign(std::move(scheme), std::move(file_system));
}

Result<FileLocation> FileSystems::Resolve(std::string_view location) const {
  const std::string_view scheme = UriScheme(location);
  std::string_view rest = scheme.empty() ? location : location.substr(scheme.size() + 1);
  if (scheme.empty() || scheme == "file") {
    const std::string_view path = scheme.empty() ? rest : WithoutAuthority(rest);
    std::error_code code;
    const std::filesystem::path absolute =
        std::filesystem::absolute(std::filesystem::path(path), code);
    if (code) return FileSystemError("find", std::string(location), code.message());
    std::string normal = NormalizeLocalPath(absolute.string());
    std::string uri = "file:" + normal;
    return FileLocation{local_, std::move(normal), std::move(uri)};
  }
  const auto registered = by_scheme_.find(scheme);
  if (registered == by_scheme_.end()) {
    return Error(ErrorClass::UNSUPPORTED_FILE_SYSTEM,
                 {{"scheme", std::string(scheme)}, {"path", std::string(location)}});
  }
  // A bucket or host is the first folder of the store.
  while (rest.starts_with("//")) rest.remove_prefix(1);
  return FileLocation{registered->second, NormalizeLocalPath(rest), std::string(location)};
}

}  // namespace merganser
