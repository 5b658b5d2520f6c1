#pragma once

#include <string>

#include "merganser/engine/functions/scalar_call.h"

namespace merganser::engine {

/// ARITHMETIC_OVERFLOW; `alternative` names the function that gives NULL instead, or is empty.
[[noreturn, gnu::cold]] void ThrowArithmeticOverflow(const CallSite& site,
                                                     const std::string& message,
                                                     const std::string& alternative);
/// DIVIDE_BY_ZERO.
[[noreturn, gnu::cold]] void ThrowDivideByZero(const CallSite& site);
/// REMAINDER_BY_ZERO.
[[noreturn, gnu::cold]] void ThrowRemainderByZero(const CallSite& site);
/// INTERVAL_ARITHMETIC_OVERFLOW.
[[noreturn, gnu::cold]] void ThrowIntervalOverflow(const CallSite& site,
                                                   const std::string& alternative);
/// NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION.
[[noreturn, gnu::cold]] void ThrowNumericOutOfRange(const CallSite& site, const std::string& value,
                                                    int precision, int scale);

}  // namespace merganser::engine
