#pragma once

#include <string_view>

/// The pieces of a signature's text (signature.h, type_pattern.h).
namespace merganser {

inline void SkipSpaces(std::string_view& text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
}

/// Move `text` behind `token`, if that comes next after spaces.
inline bool Consume(std::string_view& text, std::string_view token) {
  SkipSpaces(text);
  if (!text.starts_with(token)) return false;
  text.remove_prefix(token.size());
  return true;
}

}  // namespace merganser
