#include "merganser/delta/table/history.h"

#include <algorithm>
#include <utility>

#include "merganser/delta/log/commit_reader.h"
#include "merganser/delta/log/log_segment.h"

namespace merganser {

Result<std::vector<HistoryEntry>> ReadHistory(const Snapshot& latest,
                                              std::optional<int64_t> limit) {
  const std::string& directory = latest.segment().directory;
  // One more than asked for: file times are made to increase, which needs the predecessor.
  const int64_t first = limit ? std::max<int64_t>(0, latest.version().value() - *limit) : 0;
  MERGANSER_ASSIGN_OR_RETURN(const auto commits, ListCommits(latest.file_system(), directory,
                                                             Version(first), latest.version()));
  std::vector<HistoryEntry> history;
  int64_t previous = 0;
  for (const LogPath& commit : commits) {
    HistoryEntry entry;
    entry.version = commit.version;
    auto info = ReadCommitInfo(latest.file_system(), directory, commit.version);
    if (!info.ok()) {
      if (info.error().error_class() == ErrorClass::FAILED_READ_FILE) continue;
      return std::move(info).error();
    }
    if (info->has_value()) entry.commit_info = **std::move(info);
    entry.timestamp = entry.commit_info.in_commit_timestamp.value_or(
        std::max(commit.modification_time, previous + 1));
    previous = entry.timestamp;
    history.push_back(std::move(entry));
  }
  std::ranges::reverse(history);
  if (limit && static_cast<int64_t>(history.size()) > *limit)
    history.resize(static_cast<size_t>(*limit));
  return history;
}

}  // namespace merganser
