#pragma once

#include <string_view>

namespace merganser {

/// Version of this build, as the project's CMakeLists.txt has it.
inline constexpr std::string_view kBuildVersion = "0.1.0";

}  // namespace merganser
