#pragma once

#include <string>
#include <vector>

#include "merganser/commands/write_target.h"
#include "merganser/delta/table/snapshot.h"
#include "merganser/engine/scan/scan_source.h"

namespace merganser {

/// Let a scan of `files` (as ScanSourceOf made it) know what ids and commit versions of rows come
/// from
/// ("Row Tracking" in PROTOCOL.md): the columns kept in files, and each file's base id and commit
/// version.
void AddRowTracking(const std::vector<FileView>& files, const RowTrackingColumns& columns,
                    engine::ScanSource& source);

/// SQL of a row's id, and of the version that last changed it, over such a scan.
std::string RowIdSql(const RowTrackingColumns& columns);
std::string RowCommitVersionSql(const RowTrackingColumns& columns);

/// Columns of such a scan: what its file says of all its rows.
inline constexpr const char* kBaseRowId = "_mg_base_row_id";
inline constexpr const char* kDefaultRowCommitVersion = "_mg_default_row_commit_version";

}  // namespace merganser
