#pragma once

#include <string_view>

namespace merganser {

/// May `word` not be a name when spark.sql.ansi.enforceReservedKeywords is on? Any case.
bool IsReservedKeyword(std::string_view word);

/// May `word` never be a table alias without quotes (JOIN, ON, USING, ...)? Any case.
bool IsStrictKeyword(std::string_view word);

}  // namespace merganser
