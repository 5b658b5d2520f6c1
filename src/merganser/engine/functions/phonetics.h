#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace merganser::engine {

/// Soundex code of an English word ("M460"); text that begins with no ASCII letter is given back.
std::string Soundex(std::string_view text);

/// Edits of one character that turn `a` into `b`; both are valid UTF-8.
int32_t Levenshtein(std::string_view a, std::string_view b);

}  // namespace merganser::engine
