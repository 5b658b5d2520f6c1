#include <fmt/format.h>

#include "merganser/engine/lowering/call_lowering.h"
#include "merganser/engine/lowering/sql_quoting.h"

/// Arithmetic of numbers, dates and intervals.
namespace merganser {
namespace {

/// "add" for `+` and `try_add`.
std::string_view OperationOf(std::string_view function) {
  if (function == "+" || function == "try_add") return "add";
  if (function == "-" || function == "try_subtract") return "subtract";
  if (function == "*" || function == "try_multiply") return "multiply";
  if (function == "/" || function == "try_divide") return "divide";
  return function == "pmod" ? "pmod" : "remainder";
}

Result<std::string> LowerArithmetic(const LoweredCall& call) {
  const std::string_view operation = OperationOf(call.call.function);
  std::string pattern;
  if (call.type().is(TypeId::kDecimal)) {
    pattern =
        fmt::format("mg_decimal_{}({{0}}, {{1}}, {{p}}, {{s}}, {{mode}}, {{context}})", operation);
  } else if (call.type().is(TypeId::kCalendarInterval)) {
    pattern = operation == "add" ? "({0} + {1})" : "({0} - {1})";
  } else if (call.type().is_interval()) {
    pattern = fmt::format("mg_interval_{}({{0}}, {{1}}, {{mode}}, {{context}})", operation);
  } else if (call.type().is_floating() && operation != "divide" && operation != "remainder" &&
             operation != "pmod") {
    // No overflow to report: infinities are values.
    pattern = fmt::format("({{0}} {} {{1}})",
                          operation == "add" ? "+" : (operation == "subtract" ? "-" : "*"));
  } else {
    pattern = fmt::format("mg_{}({{0}}, {{1}}, {{mode}}, {{context}})", operation);
  }
  return FillCallPattern(pattern, call);
}

Result<std::string> LowerIntegralDivide(const LoweredCall& call) {
  const bool decimals = call.type(0).is(TypeId::kDecimal);
  return FillCallPattern(decimals ? "mg_decimal_divide_integral({0}, {1}, {mode}, {context})"
                                  : "mg_divide_integral({0}, {1}, {mode}, {context})",
                         call);
}

/// Unary minus and abs.
Result<std::string> LowerSign(const LoweredCall& call) {
  const std::string_view name = call.call.function;
  const DataType& type = call.type();
  if (type.is(TypeId::kCalendarInterval)) return FillCallPattern("(- {0})", call);
  if (type.is_floating()) return FillCallPattern(name == "abs" ? "abs({0})" : "(- {0})", call);
  return FillCallPattern(fmt::format("mg_{}{}({{0}}, {{mode}}, {{context}})",
                                     type.is_interval() ? "interval_" : "", name),
                         call);
}

/// A timestamp plus or minus an interval, in the session's zone for TIMESTAMP.
Result<std::string> LowerShiftedTimestamp(const LoweredCall& call) {
  const bool plus = call.call.function == "timestamp_plus_interval";
  const char* zone = call.type(0).is(TypeId::kTimestamp) ? "{zone}" : "'UTC'";
  const char* kind = "interval";
  if (call.type(1).is(TypeId::kYearMonthInterval)) kind = "months";
  if (call.type(1).is(TypeId::kDayTimeInterval)) kind = "micros";
  return FillCallPattern(fmt::format("mg_timestamp_add_{}({{0}}, {}{{1}}, {}, {{context}})", kind,
                                     plus ? "" : "-", zone),
                         call);
}

Result<std::string> LowerSubtractTimestamps(const LoweredCall& call) {
  return FillCallPattern(call.type(0).is(TypeId::kTimestamp)
                             ? "mg_subtract_timestamps({0}, {1}, {zone})"
                             : "mg_subtract_timestamps({0}, {1}, 'UTC')",
                         call);
}

Result<std::string> LowerScaledInterval(const LoweredCall& call) {
  const bool multiply = call.call.function == "multiply_interval";
  return FillCallPattern(fmt::format("mg_{}interval_{}({{0}}, {{1}}, {{mode}}, {{context}})",
                                     call.type().is(TypeId::kCalendarInterval) ? "calendar_" : "",
                                     multiply ? "multiply" : "divide"),
                         call);
}

constexpr CallLowering kArithmeticLowerings[] = {
    {.name = "+", .lower = &LowerArithmetic},
    {.name = "-", .lower = &LowerArithmetic},
    {.name = "*", .lower = &LowerArithmetic},
    {.name = "/", .lower = &LowerArithmetic},
    {.name = "%", .lower = &LowerArithmetic},
    {.name = "mod", .lower = &LowerArithmetic},
    {.name = "pmod", .lower = &LowerArithmetic},
    {.name = "try_add", .lower = &LowerArithmetic},
    {.name = "try_subtract", .lower = &LowerArithmetic},
    {.name = "try_multiply", .lower = &LowerArithmetic},
    {.name = "try_divide", .lower = &LowerArithmetic},
    {.name = "try_mod", .lower = &LowerArithmetic},
    {.name = "div", .lower = &LowerIntegralDivide},
    {.name = "negative", .lower = &LowerSign},
    {.name = "abs", .lower = &LowerSign},
    {.name = "positive", .sql = "={0}"},
    {.name = "&", .sql = "({0} & {1})"},
    {.name = "|", .sql = "({0} | {1})"},
    {.name = "^", .sql = "xor({0}, {1})"},
    {.name = "~", .sql = "(~ {0})"},
    {.name = "<<", .sql = "mg_shiftleft({0}, {1})"},
    {.name = ">>", .sql = "mg_shiftright({0}, {1})"},
    {.name = ">>>", .sql = "mg_shiftrightunsigned({0}, {1})"},
    {.name = "shiftleft", .sql = "mg_shiftleft({0}, {1})"},
    {.name = "shiftright", .sql = "mg_shiftright({0}, {1})"},
    {.name = "shiftrightunsigned", .sql = "mg_shiftrightunsigned({0}, {1})"},

    {.name = "date_plus_months", .sql = "mg_add_months({0}, {1}, {context})"},
    {.name = "date_minus_months", .sql = "mg_add_months({0}, -{1}, {context})"},
    {.name = "date_plus_interval", .sql = "mg_date_add_interval({0}, {1}, {mode}, {context})"},
    {.name = "date_minus_interval", .sql = "mg_date_add_interval({0}, -{1}, {mode}, {context})"},
    {.name = "timestamp_plus_interval", .lower = &LowerShiftedTimestamp},
    {.name = "timestamp_minus_interval", .lower = &LowerShiftedTimestamp},
    {.name = "subtract_dates", .sql = "(({0} - {1}) * 86400000000)"},
    {.name = "subtract_timestamps", .lower = &LowerSubtractTimestamps},
    {.name = "multiply_interval", .lower = &LowerScaledInterval},
    {.name = "divide_interval", .lower = &LowerScaledInterval},
    {.name = "extractansiintervaldays", .sql = "({0} // 86400000000)"},
    {.name = "try_eval", .sql = "=TRY({0})"},
};

}  // namespace

std::span<const CallLowering> ArithmeticLowerings() { return kArithmeticLowerings; }

}  // namespace merganser
