#pragma once

#include <string>
#include <string_view>

#include "merganser/base/result.h"

namespace merganser {

/// Where a file of the log lies: `path` of an add, remove or cdc action is a URI, absolute or
/// relative to `folder`, which is the table's. The result is decoded: a plain path, or for schemes
/// other than `file:` a URI for FileSystems::Resolve.
///
/// Fails with DELTA_PATH_OUTSIDE_TABLE if a relative path leaves the folder.
Result<std::string> DataFilePath(std::string_view folder, std::string_view path);

/// The URI form that actions hold, of a path relative to the table's folder ("a b" -> "a%20b").
std::string EncodeDataPath(std::string_view relative_path);
/// Undo percent-encoding.
std::string DecodeDataPath(std::string_view path);

/// One spelling for all URIs of a file, so that paths can be compared: decoded, and absolute local
/// paths as "file:/...".
std::string CanonicalDataPath(std::string_view path);

}  // namespace merganser
