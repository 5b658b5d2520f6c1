#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace merganser {

/// Columns that UTF-8 text takes in a terminal: two for full-width characters, as `show()` counts
/// them.
size_t DisplayWidth(std::string_view text);

/// The first `characters` code points of UTF-8 text.
std::string_view FirstCharacters(std::string_view text, size_t characters);
/// Number of code points.
size_t CountCharacters(std::string_view text);

}  // namespace merganser
