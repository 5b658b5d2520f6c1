#pragma once

#include <memory>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/write_target.h"
#include "merganser/delta/table/snapshot.h"
#include "merganser/engine/scan/scan_source.h"

namespace merganser {

/// Let a scan of `files` (as ScanSourceOf made it) know what `_metadata` tells of them; `tracking`
/// where the table tracks rows.
void AddFileMetadata(const std::vector<FileView>& files,
                     const std::optional<RowTrackingColumns>& tracking, engine::ScanSource& source);

/// The table expression `scan` over such a source, with a column `_metadata` of the type that
/// FileMetadataType gives.
std::string WithFileMetadata(const std::string& scan, const Snapshot& snapshot,
                             const std::optional<RowTrackingColumns>& tracking);

}  // namespace merganser
