#pragma once

#include <functional>
#include <string>
#include <vector>

#include "merganser/delta/log/checkpoint_codec.h"

namespace merganser {

/// A codec whose "Parquet" files are lines of JSON, for tests that build without the engine. It
/// keeps what a real checkpoint keeps: no commitInfo, no cdc.
class TextCheckpointCodec final : public CheckpointCodec {
 public:
  Status ReadInParts(FileSystem& file_system, const std::vector<std::string>& paths,
                     const CheckpointRead& read, const PartVisitors& visitors) override;
  Result<CheckpointWritten> Write(FileSystem& file_system, const std::string& path,
                                  const CheckpointLayout& layout,
                                  const std::function<Status(ActionVisitor&)>& produce) override;
};

}  // namespace merganser
