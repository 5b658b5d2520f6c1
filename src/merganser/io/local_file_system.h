#pragma once

#include <memory>

#include "merganser/io/file_system.h"

namespace merganser {

/// The machine's own disks. PutIfAbsent writes a hidden temporary file in the same folder, syncs
/// it, links it to the final name and syncs the folder.
class LocalFileSystem final : public FileSystem {
 public:
  Result<std::string> Read(const std::string& path) override;
  Result<std::string> ReadRange(const std::string& path, int64_t offset, int64_t length) override;
  Result<std::optional<FileEntry>> Stat(const std::string& path) override;
  Result<std::vector<FileEntry>> List(const std::string& directory,
                                      std::string_view start_after) override;
  bool lists_from_any_name() const override { return false; }
  Result<PutOutcome> PutIfAbsent(const std::string& path, std::string_view bytes) override;
  Status Write(const std::string& path, std::string_view bytes) override;
  Status WriteUnsynced(const std::string& path, std::string_view bytes) override;
  Status Rename(const std::string& from, const std::string& to) override;
  Status Delete(const std::string& path) override;
  Status CreateDirectories(const std::string& path) override;
  Status DeleteDirectory(const std::string& path) override;
  Status SyncFiles(const std::vector<std::string>& paths, const std::string& root) override;
  void StartSync(const std::string& path) override;
};

}  // namespace merganser
