#pragma once

#include <string_view>

#include "merganser/delta/schema/data_type.h"
#include "merganser/delta/table/snapshot.h"

namespace merganser {

/// The hidden column of every table that tells where a row comes from.
inline constexpr std::string_view kFileMetadataColumn = "_metadata";

/// Its type: file_path, file_name, file_size, file_block_start, file_block_length,
/// file_modification_time; with row tracking also row_id, base_row_id, default_row_commit_version,
/// row_commit_version ("Row Tracking" in PROTOCOL.md).
DataType FileMetadataType(const Snapshot& snapshot);

}  // namespace merganser
