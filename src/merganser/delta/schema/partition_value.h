#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/schema/scalar.h"

namespace merganser {

/// The instant, in microseconds since the epoch, of a wall-clock time in the session's zone.
using LocalToInstant = std::function<int64_t(int64_t local_micros)>;

/// Name of the folder and value that stand for NULL in a partition path.
inline constexpr std::string_view kHiveDefaultPartition = "__HIVE_DEFAULT_PARTITION__";

/// Read a value as the log stores it ("Partition Value Serialization" in PROTOCOL.md). No text and
/// empty text are NULL. A timestamp without zone is taken in the zone of `local_to_instant`, UTC if
/// that is empty.
///
/// Fails with DELTA_FAILED_CAST_PARTITION_VALUE if the text is not of the type.
Result<Scalar> ParsePartitionValue(const DataType& type, std::optional<std::string_view> text,
                                   const LocalToInstant& local_to_instant = {});

/// The text the log stores; nothing for NULL and for the empty string. Timestamps are written in
/// UTC
/// ("2024-01-31T10:20:30.000000Z").
std::optional<std::string> FormatPartitionValue(const Scalar& value);

/// Folders of a file: "a=1/b=x%2Fy/". Values as CAST(... AS STRING) gives them; names as they are
/// in the folders (physical names under column mapping).
std::string PartitionDirectory(
    const std::vector<std::pair<std::string, std::optional<std::string>>>& values);

/// Percent-encode what Spark escapes in the names and values of partition folders.
std::string EscapePathName(std::string_view text);
std::string UnescapePathName(std::string_view text);

}  // namespace merganser
