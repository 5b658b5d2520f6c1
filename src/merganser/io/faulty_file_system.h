#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "merganser/io/file_system.h"

namespace merganser {

/// A file system that fails on command, for tests of crashes and lost answers.
///
/// Counts the operations that reach it; all faults are off until asked for.
class FaultyFileSystem final : public FileSystem {
 public:
  explicit FaultyFileSystem(std::shared_ptr<FileSystem> base) : base_(std::move(base)) {}

  /// Operations so far, reads and writes alike.
  int64_t operation_count() const;
  /// Operation number `n` (0-based, counted from construction) fails before it has any effect.
  void FailAt(int64_t n);
  /// Operation number `n` and every later one fail: the process lost its disk.
  void FailFrom(int64_t n);
  /// Operation number `n` takes effect and then reports failure.
  void LoseAnswerAt(int64_t n);
  /// The next PutIfAbsent takes effect and then reports failure.
  void LoseNextPutAnswer();
  /// Names created from now on stay out of List until ShowNewNames.
  void HideNewNames();
  void ShowNewNames();
  /// The machine stops: files written by WriteUnsynced and never synced lose their bytes.
  Status Crash();

  Result<std::string> Read(const std::string& path) override;
  Result<std::string> ReadRange(const std::string& path, int64_t offset, int64_t length) override;
  Result<std::optional<FileEntry>> Stat(const std::string& path) override;
  Result<std::vector<FileEntry>> List(const std::string& directory,
                                      std::string_view start_after) override;
  bool lists_from_any_name() const override { return base_->lists_from_any_name(); }
  Result<PutOutcome> PutIfAbsent(const std::string& path, std::string_view bytes) override;
  Status Write(const std::string& path, std::string_view bytes) override;
  Status WriteUnsynced(const std::string& path, std::string_view bytes) override;
  Status Rename(const std::string& from, const std::string& to) override;
  Status Delete(const std::string& path) override;
  Status CreateDirectories(const std::string& path) override;
  Status DeleteDirectory(const std::string& path) override;
  Status SyncFiles(const std::vector<std::string>& paths, const std::string& root) override;

 private:
  /// The number of an operation that may go on.
  Result<int64_t> Count(std::string_view operation, const std::string& path);
  /// What an operation that took effect says.
  Status Answer(int64_t number, std::string_view operation, const std::string& path) const;
  void RememberName(const std::string& path);

  std::shared_ptr<FileSystem> base_;
  mutable std::mutex mutex_;
  int64_t operations_ = 0;
  std::optional<int64_t> fail_at_;
  std::optional<int64_t> fail_from_;
  std::optional<int64_t> lose_answer_at_;
  bool lose_next_put_answer_ = false;
  bool hide_new_names_ = false;
  std::set<std::string, std::less<>> hidden_;
  std::set<std::string, std::less<>> unsynced_;
};

}  // namespace merganser
