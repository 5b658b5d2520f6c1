#include "merganser/delta/log/commit_reader.h"

#include <utility>

#include "merganser/delta/protocol/action_json.h"

namespace merganser {
namespace {

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

}  // namespace

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
