#pragma once

#include <string>
#include <string_view>

namespace merganser {

/// `text` with A to Z made lower case, for keywords and settings.
std::string AsciiLowerCase(std::string_view text);

/// `text` with a to z made upper case.
std::string AsciiUpperCase(std::string_view text);

/// UTF-8 `text` in a form that is the same for names that differ only in the case of letters, as
/// Java's equalsIgnoreCase decides it: each code point to upper, then to lower case. Spark compares
/// names so unless spark.sql.caseSensitive is set. Bytes that are not UTF-8 stay as they are.
std::string FoldCase(std::string_view text);

/// Whether the two fold to the same.
bool EqualsIgnoringCase(std::string_view left, std::string_view right);

/// Whether two names are the same: letters compare without case unless `case_sensitive`.
bool SameName(std::string_view left, std::string_view right, bool case_sensitive);

}  // namespace merganser
