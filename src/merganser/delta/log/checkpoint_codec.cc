#include "merganser/delta/log/checkpoint_codec.h"

#include <map>
#include <mutex>

namespace merganser {

Status CheckpointCodec::Read(FileSystem& file_system, const std::string& path,
                             const CheckpointRead& read, ActionVisitor& visitor) {
  std::mutex mutex;
  std::map<CheckpointPlace, ActionCollector> parts;
  MERGANSER_RETURN_IF_ERROR(
      ReadInParts(file_system, {path}, read, [&](const CheckpointPlace& begin) -> ActionVisitor& {
        const std::lock_guard lock(mutex);
        return parts[begin];
      }));
  for (const auto& [begin, part] : parts) {
    for (const Action& action : part.actions()) VisitAction(action, visitor);
  }
  return Status::Ok();
}

}  // namespace merganser
