#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "merganser/io/file_system.h"

namespace merganser {

/// A file system in memory, for tests. Folders exist once created or once they hold a file;
/// writing does not ask for the folder to exist.
class InMemoryFileSystem final : public FileSystem {
 public:
  Result<std::string> Read(const std::string& path) override;
  Result<std::string> ReadRange(const std::string& path, int64_t offset, int64_t length) override;
  Result<std::optional<FileEntry>> Stat(const std::string& path) override;
  Result<std::vector<FileEntry>> List(const std::string& directory,
                                      std::string_view start_after) override;
  bool lists_from_any_name() const override { return true; }
  Result<PutOutcome> PutIfAbsent(const std::string& path, std::string_view bytes) override;
  Status Write(const std::string& path, std::string_view bytes) override;
  Status Rename(const std::string& from, const std::string& to) override;
  Status Delete(const std::string& path) override;
  Status CreateDirectories(const std::string& path) override;
  Status DeleteDirectory(const std::string& path) override;
  Status SyncFiles(const std::vector<std::string>& paths, const std::string& root) override;

  /// Modification time given to files written from now on, in milliseconds since the epoch.
  void SetTime(int64_t milliseconds);

 private:
  struct File {
    std::string bytes;
    int64_t modification_time;
  };
  std::mutex mutex_;
  std::map<std::string, File, std::less<>> files_;
  std::set<std::string, std::less<>> directories_;
  int64_t time_ = 0;
};

}  // namespace merganser
