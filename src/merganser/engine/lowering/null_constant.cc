#include "merganser/engine/lowering/null_constant.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace merganser {
namespace {

// Functions of which any NULL argument makes the result NULL, each between spaces.
constexpr std::string_view kNullIntolerant =
    " ! != % & * + - / < <= <> = == > >= ^ abs add_months ascii atan2 bit_count bround ceil"
    " char_length contains conv date_add date_format date_sub date_trunc datediff day"
    " dayofweek dayofyear degrees div endswith exp expm1 floor hex hour instr last_day"
    " length like ln locate log10 log2 lower lpad make_date make_timestamp minute mod month"
    " months_between negative next_day not pmod pow power quarter repeat reverse rint rlike"
    " round rpad second shiftleft shiftright sign signum sqrt startswith substr substring"
    " trunc try_add try_divide try_mod try_multiply try_subtract unix_micros upper weekday"
    " weekofyear year | ~"
    " ";

bool IsNullIntolerant(const std::string& function) {
  return kNullIntolerant.find(" " + function + " ") != std::string_view::npos;
}

}  // namespace

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
