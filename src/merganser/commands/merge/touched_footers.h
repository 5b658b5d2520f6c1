#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/merge/match_phase.h"
#include "merganser/commands/write_target.h"
#include "merganser/engine/splice/data_file_footer.h"

namespace merganser {

/// May parts of the file be taken over as bytes? It must be the table's own, fit in memory while it
/// is written, be big enough that its footer costs less than its rows, and have been written by the
/// rules that new files of the table keep to.
bool IsWorthSplicing(const FileView& file, const WriteTarget& target);

/// Footers of the touched files, each read once however many plans look at it.
class TouchedFooters {
 public:
  TouchedFooters(const MatchResult& match, const WriteTarget& target)
      : match_(match), target_(target), footers_(match.files.size()) {}

  /// Of the touched file at that position. Fails as engine::DataFileFooter::Read.
  Result<std::shared_ptr<const engine::DataFileFooter>> Read(size_t file);

 private:
  const MatchResult& match_;
  const WriteTarget& target_;
  std::vector<std::shared_ptr<const engine::DataFileFooter>> footers_;
};

}  // namespace merganser
