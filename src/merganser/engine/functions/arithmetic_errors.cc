#include "merganser/engine/functions/arithmetic_errors.h"

#include "merganser/engine/functions/spark_text.h"

namespace merganser::engine {

void ThrowArithmeticOverflow(const CallSite& site, const std::string& message,
                             const std::string& alternative) {
  site.Throw(Error(
      ErrorClass::ARITHMETIC_OVERFLOW,
      {{"message", message},
       {"alternative", alternative.empty() ? ""
                                           : " Use '" + alternative +
                                                 "' to tolerate overflow and return NULL instead."},
       {"config", kAnsiConfig}}));
}

void ThrowDivideByZero(const CallSite& site) {
  site.Throw(Error(ErrorClass::DIVIDE_BY_ZERO, {{"config", kAnsiConfig}}));
}

void ThrowRemainderByZero(const CallSite& site) {
  site.Throw(Error(ErrorClass::REMAINDER_BY_ZERO, {{"config", kAnsiConfig}}));
}

void ThrowIntervalOverflow(const CallSite& site, const std::string& alternative) {
  if (alternative.empty())
    site.Throw(Error(ErrorClass::INTERVAL_ARITHMETIC_OVERFLOW, {}, "WITHOUT_SUGGESTION"));
  site.Throw(Error(ErrorClass::INTERVAL_ARITHMETIC_OVERFLOW,
                   {{"functionName", QuotedId(alternative)}}, "WITH_SUGGESTION"));
}

void ThrowNumericOutOfRange(const CallSite& site, const std::string& value, int precision,
                            int scale) {
  site.Throw(Error(ErrorClass::NUMERIC_VALUE_OUT_OF_RANGE,
                   {{"value", value},
                    {"precision", std::to_string(precision)},
                    {"scale", std::to_string(scale)},
                    {"config", kAnsiConfig}},
                   "WITH_SUGGESTION"));
}

}  // namespace merganser::engine
