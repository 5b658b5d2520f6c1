#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/protocol/action_visitor.h"

namespace merganser {

/// Read newline-delimited actions: a commit, a log compaction file or a JSON checkpoint. Actions
/// outside `wanted` are skipped, unknown actions and fields are ignored ("Protocol Evolution").
///
/// `file` names the source in errors, `lines_before` says how many of its lines came before
/// `bytes`. Fails with DELTA_LOG_CORRUPTED (kCorruption) if a line is no JSON object or a required
/// field is missing or of the wrong type; the visitor may by then have seen the lines before.
Status ReadActions(std::string_view bytes, std::string_view file, ActionSet wanted,
                   ActionVisitor& visitor, int64_t lines_before = 0);

/// All actions of `bytes`, in order.
Result<std::vector<Action>> ParseActions(std::string_view bytes, std::string_view file);

/// One action as a line of a commit, without the line break. Fields in the order Delta writes them,
/// absent ones left out.
std::string ToJson(const Action& action);

/// The lines of a commit, each ended by a line break.
std::string ToJsonLines(const std::vector<Action>& actions);

}  // namespace merganser
