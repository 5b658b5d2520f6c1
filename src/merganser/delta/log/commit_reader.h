#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/base/version.h"
#include "merganser/delta/log/log_path.h"
#include "merganser/delta/protocol/action_visitor.h"
#include "merganser/io/file_system.h"

namespace merganser {

/// Hand the wanted actions of a commit to `visitor`. Fails with FAILED_READ_FILE.FILE_NOT_EXIST if
/// the commit is gone, DELTA_LOG_CORRUPTED if a line is malformed.
Status ReadCommit(FileSystem& file_system, const std::string& log_directory, Version version,
                  ActionSet wanted, ActionVisitor& visitor);

/// Hand the wanted actions of the text file `path` of the log, which has `size` bytes (0: not
/// known), to `visitor`. A big file is read in parts, so memory is bounded by its longest line.
/// Fails as ReadCommit, and with DELTA_LOG_CORRUPTED for a line of more than 256 MB.
Status ReadActionsFile(FileSystem& file_system, const std::string& path, int64_t size,
                       ActionSet wanted, ActionVisitor& visitor);

/// All actions of a commit.
Result<std::vector<Action>> ReadCommitActions(FileSystem& file_system,
                                              const std::string& log_directory, Version version);

/// The commitInfo of a commit, if it has one.
Result<std::optional<CommitInfo>> ReadCommitInfo(FileSystem& file_system,
                                                 const std::string& log_directory, Version version);

}  // namespace merganser
