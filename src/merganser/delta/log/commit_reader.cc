#include "merganser/delta/log/commit_reader.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "merganser/delta/protocol/action_json.h"

namespace merganser {
namespace {

constexpr int64_t kPartBytes = int64_t{64} << 20;
constexpr int64_t kLongestLine = int64_t{256} << 20;

/// Keeps the first commitInfo it sees.
class CommitInfoVisitor final : public ActionVisitor {
 public:
  using ActionVisitor::Visit;
  void Visit(const CommitInfo& info) override {
    if (!info_) info_ = info;
  }
  std::optional<CommitInfo> Take() { return std::move(info_); }

 private:
  std::optional<CommitInfo> info_;
};

/// Reads a big file part by part, whole lines at a time.
class PartReader {
 public:
  PartReader(FileSystem& file_system, const std::string& path, int64_t size)
      : file_system_(file_system), path_(path), size_(size) {}

  Status Read(ActionSet wanted, ActionVisitor& visitor) {
    while (offset_ < size_) {
      const int64_t length = std::min(kPartBytes, size_ - offset_);
      MERGANSER_ASSIGN_OR_RETURN(const std::string part,
                                 file_system_.ReadRange(path_, offset_, length));
      rest_ += part;
      offset_ += length;
      const size_t end = offset_ == size_ ? rest_.size() : rest_.rfind('\n') + 1;
      if (end == 0) {
        if (static_cast<int64_t>(rest_.size()) > kLongestLine) return TooLong();
        continue;
      }
      const std::string_view lines = std::string_view(rest_).substr(0, end);
      MERGANSER_RETURN_IF_ERROR(ReadActions(lines, path_, wanted, visitor, lines_before_));
      lines_before_ += std::ranges::count(lines, '\n');
      rest_.erase(0, end);
    }
    return Status::Ok();
  }

 private:
  Error TooLong() const {
    return Error(ErrorClass::DELTA_LOG_CORRUPTED, {{"file", path_},
                                                   {"line", std::to_string(lines_before_ + 1)},
                                                   {"reason", "it is too long"}});
  }

  FileSystem& file_system_;
  const std::string& path_;
  int64_t size_;
  int64_t offset_ = 0;
  int64_t lines_before_ = 0;
  std::string rest_;
};

}  // namespace

Status ReadActionsFile(FileSystem& file_system, const std::string& path, int64_t size,
                       ActionSet wanted, ActionVisitor& visitor) {
  if (size > kPartBytes) return PartReader(file_system, path, size).Read(wanted, visitor);
  MERGANSER_ASSIGN_OR_RETURN(const std::string bytes, file_system.Read(path));
  return ReadActions(bytes, path, wanted, visitor);
}

Status ReadCommit(FileSystem& file_system, const std::string& log_directory, Version version,
                  ActionSet wanted, ActionVisitor& visitor) {
  const std::string path = JoinPath(log_directory, CommitFileName(version));
  MERGANSER_ASSIGN_OR_RETURN(const std::string bytes, file_system.Read(path));
  return ReadActions(bytes, path, wanted, visitor);
}

Result<std::vector<Action>> ReadCommitActions(FileSystem& file_system,
                                              const std::string& log_directory, Version version) {
  ActionCollector collector;
  MERGANSER_RETURN_IF_ERROR(
      ReadCommit(file_system, log_directory, version, ActionSet::All(), collector));
  return collector.Take();
}

Result<std::optional<CommitInfo>> ReadCommitInfo(FileSystem& file_system,
                                                 const std::string& log_directory,
                                                 Version version) {
  CommitInfoVisitor visitor;
  MERGANSER_RETURN_IF_ERROR(
      ReadCommit(file_system, log_directory, version, ActionSet::kCommitInfo, visitor));
  return visitor.Take();
}

}  // namespace merganser
