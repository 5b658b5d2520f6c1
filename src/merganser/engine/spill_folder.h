#pragma once

#include <memory>
#include <string>
#include <utility>

#include "merganser/base/result.h"

namespace merganser::engine {

/// A folder for what one engine spills, with a name of its own: spill files of two processes would
/// have the same names. A locked file beside it says that its owner lives.
class SpillFolder {
 public:
  /// Choose a folder in `parent`, or in the system's temporary folder if that is empty, and remove
  /// those there whose owners ended without doing so. The folder itself is not made. Fails with
  /// FILE_SYSTEM_ERROR if nothing can be made in `parent`.
  static Result<std::unique_ptr<SpillFolder>> Open(const std::string& parent);

  /// Removes the folder and what is in it.
  ~SpillFolder();
  SpillFolder(const SpillFolder&) = delete;
  SpillFolder& operator=(const SpillFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  SpillFolder(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::string path_;
  int lock_;  // Handle of the locked file.
};

}  // namespace merganser::engine
