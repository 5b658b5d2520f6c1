#pragma once

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

/// All actions of a commit.
Result<std::vector<Action>> ReadCommitActions(FileSystem& file_system,
                                              const std::string& log_directory, Version version);

/// The commitInfo of a commit, if it has one.
Result<std::optional<CommitInfo>> ReadCommitInfo(FileSystem& file_system,
                                                 const std::string& log_directory, Version version);

}  // namespace merganser
