#include "merganser/delta/log/text_checkpoint_codec.h"

#include <utility>

#include "merganser/delta/protocol/action_json.h"

namespace merganser {
namespace {

/// Takes the statistics off on the way.
class WithoutStatistics final : public ActionVisitor {
 public:
  explicit WithoutStatistics(ActionVisitor& next) : next_(next) {}
  void Visit(const Protocol& action) override { next_.Visit(action); }
  void Visit(const Metadata& action) override { next_.Visit(action); }
  void Visit(const AddFile& action) override {
    AddFile file = action;
    file.stats.reset();
    next_.Visit(file);
  }
  void Visit(const RemoveFile& action) override { next_.Visit(action); }
  void Visit(const SetTransaction& action) override { next_.Visit(action); }
  void Visit(const DomainMetadata& action) override { next_.Visit(action); }
  void Visit(const CheckpointMetadata& action) override { next_.Visit(action); }
  void Visit(const Sidecar& action) override { next_.Visit(action); }
  using ActionVisitor::Visit;

 private:
  ActionVisitor& next_;
};

}  // namespace

Status TextCheckpointCodec::ReadInParts(FileSystem& file_system,
                                        const std::vector<std::string>& paths,
                                        const CheckpointRead& read, const PartVisitors& visitors) {
  const ActionSet wanted = read.actions.Without(ActionSet::kCommitInfo | ActionSet::kCdc);
  for (size_t file = 0; file < paths.size(); ++file) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string bytes, file_system.Read(paths[file]));
    ActionVisitor& visitor = visitors({file, 0});
    WithoutStatistics without(visitor);
    MERGANSER_RETURN_IF_ERROR(
        ReadActions(bytes, paths[file], wanted, read.statistics ? visitor : without));
  }
  return Status::Ok();
}

Result<CheckpointWritten> TextCheckpointCodec::Write(
    FileSystem& file_system, const std::string& path, const CheckpointLayout&,
    const std::function<Status(ActionVisitor&)>& produce) {
  ActionCollector collector;
  MERGANSER_RETURN_IF_ERROR(produce(collector));
  const std::string bytes = ToJsonLines(collector.actions());
  MERGANSER_RETURN_IF_ERROR(file_system.Write(path, bytes));
  return CheckpointWritten{static_cast<int64_t>(bytes.size()),
                           static_cast<int64_t>(collector.actions().size())};
}

}  // namespace merganser
