#pragma once

#include <string_view>

namespace merganser {

/// Equal names; letters compare without case unless `case_sensitive`.
bool SameName(std::string_view left, std::string_view right, bool case_sensitive);

}  // namespace merganser
