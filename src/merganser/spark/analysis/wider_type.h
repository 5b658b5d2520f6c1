#pragma once

#include <optional>
#include <vector>

#include "merganser/spark/functions/resolve.h"

namespace merganser {

/// The common type of the rows of VALUES and of the columns of UNPIVOT: as FindWiderType, but
/// strings are not read as other types, and a FLOAT beside integers stays one.
std::optional<DataType> FindWiderTypeWithoutStrings(const std::vector<DataType>& types,
                                                    const TypingContext& typing);

}  // namespace merganser
