#include "merganser/engine/lowering/null_constant.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace merganser {
namespace {

// Functions of which any NULL argument makes the result NULL, each between spaces.
constexpr std::string_view kNullIntolerant =
    " ! != % & * + - / < <= <> = == > >= [] ^ abs add_months array_contains array_position"
    " array_remove ascii atan2 bit_count bround ceil"
    " char_length contains conv date_add date_format date_sub date_trunc datediff day"
    " dayofweek dayofyear degrees div element_at endswith exp expm1 floor hex hour instr last_day"
    " length like ln locate log10 log2 lower lpad make_date make_timestamp minute mod month"
    " months_between negative next_day not pmod pow power quarter repeat regexp_extract "
    "regexp_like regexp_replace reverse rint rlike"
    " round rpad second shiftleft shiftright sign signum split sqrt startswith substr substring"
    " substring_index translate"
    " trunc try_add try_divide try_mod try_multiply try_subtract unix_micros upper weekday"
    " weekofyear year | ~"
    " ";

}  // namespace

bool IsNullIntolerant(const std::string& function) {
  return kNullIntolerant.find(" " + function + " ") != std::string_view::npos;
}

bool IsNullConstant(const BoundExpression& expression) {
  if (const auto* literal = expression.As<plan::Literal>()) return literal->is_null();
  if (const auto* cast = expression.As<BoundCast>()) return IsNullConstant(*cast->child);
  const auto* call = expression.As<BoundCall>();
  if (call == nullptr) return false;
  if (call->replacement) return IsNullConstant(*call->replacement);
  return IsNullIntolerant(call->function) &&
         std::ranges::any_of(call->arguments,
                             [](const auto& argument) { return IsNullConstant(*argument); });
}

}  // namespace merganser
