#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

#include <sys/stat.h>

namespace merganser::engine {

/// Which file lies at a local path, and in which state. The engine opens a path several times while
/// it reads, and a checkpoint may be replaced by one that another writer made.
struct FileIdentity {
  dev_t device = 0;
  ino_t inode = 0;
  int64_t size = 0;
  int64_t seconds = 0;  ///< With `nanoseconds`, when it was last written.
  int64_t nanoseconds = 0;

  auto operator<=>(const FileIdentity& other) const = default;

  /// Nothing if there is no such file.
  static std::optional<FileIdentity> Of(const std::string& path) {
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0) return std::nullopt;
    return FileIdentity{status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec,
                        status.st_mtim.tv_nsec};
  }
};

}  // namespace merganser::engine
