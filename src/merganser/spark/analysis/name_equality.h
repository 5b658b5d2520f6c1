#pragma once

#include <string>
#include <string_view>

namespace merganser {

/// `text` with ASCII letters in lower case.
std::string LowerCase(std::string_view text);

/// Equal names; letters of ASCII compare without case unless `case_sensitive`.
bool SameName(std::string_view left, std::string_view right, bool case_sensitive);

}  // namespace merganser
