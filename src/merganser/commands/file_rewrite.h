#pragma once

#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/clustering.h"
#include "merganser/commands/statement_context.h"
#include "merganser/commands/uncommitted_files.h"
#include "merganser/commands/write_target.h"
#include "merganser/delta/table/snapshot.h"

namespace merganser {

/// How rows of a group of files are laid out in new ones.
struct RewriteLayout {
  int64_t max_file_bytes = int64_t{1} << 30;
  /// Rows that are near in these columns come near each other, along a Z-order curve; empty: rows
  /// stay as they come.
  std::vector<ColumnPath> cluster_by = {};
};

/// Copy the live rows of `group`, files of one partition of `snapshot`, into new files: of the
/// table's present schema, without deletion vectors, row ids kept. The add actions change no data.
/// Fails as engine::RunSink.
Result<std::vector<AddFile>> RewriteFiles(StatementContext& context, const Snapshot& snapshot,
                                          const std::vector<FileView>& group,
                                          const WriteTarget& target, const RewriteLayout& layout,
                                          UncommittedFiles& files);

/// Files by partition, in the order of the log.
std::vector<std::vector<FileView>> GroupByPartition(const std::vector<FileView>& files);

/// Cut the files of a partition into groups of at most `max_bytes` each, in their order.
std::vector<std::vector<FileView>> PackBySize(const std::vector<FileView>& files,
                                              int64_t max_bytes);

}  // namespace merganser
