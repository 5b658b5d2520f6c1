#pragma once

#include "merganser/base/result.h"
#include "merganser/delta/table/snapshot.h"

namespace merganser {

/// Write `_symlink_format_manifest`: in a file per partition the paths of the version's data files,
/// for readers that know folders and no log. Manifests of partitions that are empty now go.
///
/// Fails with DELTA_UNSUPPORTED_GENERATE_WITH_DELETION_VECTORS and
/// DELTA_UNSUPPORTED_MANIFEST_GENERATION_WITH_COLUMN_MAPPING.
Status WriteManifest(const Snapshot& snapshot);

/// Does the table want a manifest of every version?
bool WantsManifest(const Snapshot& snapshot);

}  // namespace merganser
