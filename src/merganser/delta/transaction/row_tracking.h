#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/table/snapshot.h"

namespace merganser {

/// The domain that keeps the highest row id given out ("Row Tracking" in PROTOCOL.md).
inline constexpr std::string_view kRowTrackingDomain = "delta.rowTracking";

/// The mark in the domain's configuration; nothing if the text does not have one.
std::optional<int64_t> ParseRowIdHighWaterMark(std::string_view configuration);

/// The highest row id of the table, -1 if none was given out.
int64_t RowIdHighWaterMark(const Snapshot& snapshot);

/// Give base row ids and `version` as default commit version to the files that lack them. Returns
/// the new mark. Fails with INTERNAL_ERROR if a file does not say how many rows it has.
Result<int64_t> AssignRowIds(std::vector<AddFile>& files, int64_t high_water_mark, Version version);

/// The domain's action for a mark.
DomainMetadata RowIdHighWaterMarkAction(int64_t high_water_mark);

}  // namespace merganser
