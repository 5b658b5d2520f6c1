#pragma once

#include <string>
#include <string_view>

namespace merganser {

/// The short name (`parquet`, `json`, ...) of a format that is named by a class of Spark's, or by
/// the package of one; any other name in small letters.
std::string DataSourceName(std::string_view name);

}  // namespace merganser
