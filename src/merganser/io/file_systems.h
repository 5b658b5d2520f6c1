#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "merganser/io/file_system.h"

namespace merganser {

/// A folder or file and the store that holds it.
struct FileLocation {
  std::shared_ptr<FileSystem> file_system;
  std::string path;  ///< Absolute within the store, without a trailing slash.
  std::string uri;   ///< As Spark shows it: "file:/a/b".
};

/// Finds the store of a location. Not changed after start-up; then safe from every thread.
class FileSystems {
 public:
  /// Serves plain paths and `file:` URIs from the local disk.
  FileSystems();
  /// Serve them from `local` instead.
  explicit FileSystems(std::shared_ptr<FileSystem> local) : local_(std::move(local)) {}

  /// Serve the URIs of `scheme` ("memory", "s3") from `file_system`.
  void Register(std::string scheme, std::shared_ptr<FileSystem> file_system);

  /// `location` is a path, absolute or relative to the working directory, or a URI
  /// ("file:/a/b", "file:///a/b", "s3://bucket/a": path "/bucket/a"). The path of a URI is taken as
  /// it is, not percent-decoded.
  ///
  /// Fails with UNSUPPORTED_FILE_SYSTEM, which names the scheme, if nothing serves it.
  Result<FileLocation> Resolve(std::string_view location) const;

  const std::shared_ptr<FileSystem>& local() const { return local_; }

 private:
  std::shared_ptr<FileSystem> local_;
  std::map<std::string, std::shared_ptr<FileSystem>, std::less<>> by_scheme_;
};

}  // namespace merganser
