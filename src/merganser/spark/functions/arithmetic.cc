#include <fmt/format.h>

#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/coercion.h"
#include "merganser/spark/functions/interval_arithmetic.h"
#include "merganser/spark/functions/numeric_types.h"
#include "merganser/spark/functions/registry.h"

namespace merganser {
namespace {

constexpr const char* kArithmeticOperand =
    "(\"NUMERIC\" or \"INTERVAL DAY TO SECOND\" or \"INTERVAL YEAR TO MONTH\" or \"INTERVAL\")";

/// `+` of `+` and `try_add`.
char OperatorOf(std::string_view name) {
  if (name == "try_add") return '+';
  if (name == "try_subtract") return '-';
  if (name == "try_multiply") return '*';
  if (name == "try_divide") return '/';
  if (name == "mod" || name == "try_mod" || name == "pmod") return '%';
  return name.front();
}

DecimalOperation DecimalOperationOf(char op) {
  switch (op) {
    case '+':
      return DecimalOperation::kAdd;
    case '-':
      return DecimalOperation::kSubtract;
    case '*':
      return DecimalOperation::kMultiply;
    case '/':
      return DecimalOperation::kDivide;
    default:
      return DecimalOperation::kRemainder;
  }
}

std::string RequiredType(char op) {
  if (op == '+' || op == '-') return kArithmeticOperand;
  return op == '/' ? "(\"DOUBLE\" or \"DECIMAL\")" : "\"NUMERIC\"";
}

Error DifferentTypes(const CallBinder& call) {
  return call.Mismatch("BINARY_OP_DIFF_TYPES", {{"left", QuotedType(call.argument(0)->type)},
                                                {"right", QuotedType(call.argument(1)->type)}});
}

Error WrongType(const CallBinder& call, const std::string& required) {
  return call.Mismatch(
      "BINARY_OP_WRONG_TYPE",
      {{"inputType", required}, {"actualDataType", QuotedType(call.argument(0)->type)}});
}

/// Strings beside numbers turn into numbers; without ANSI every string turns into a DOUBLE.
void PromoteStrings(CallBinder& call) {
  if (call.context().ansi) {
    if (const auto type = PromoteString(call.type(0), call.type(1))) {
      call.Cast(0, *type);
      call.Cast(1, *type);
    }
    return;
  }
  for (size_t i = 0; i < 2; ++i) {
    const DataType& other = call.type(1 - i);
    if (call.type(i).is_string() && !other.is_interval()) call.Cast(i, DataType::Double());
  }
}

/// NULL takes the other operand's type, or `both` if both are NULL.
void TypeNulls(CallBinder& call, const DataType& both) {
  const bool left = call.type(0).is(TypeId::kNull);
  const bool right = call.type(1).is(TypeId::kNull);
  if (left) call.Cast(0, right ? both : call.type(1));
  if (right) call.Cast(1, call.type(0));
}

/// An operand of a decimal: DOUBLE beside a FLOAT or DOUBLE, else a decimal.
void AlignDecimals(CallBinder& call) {
  const bool decimals[] = {call.type(0).is(TypeId::kDecimal), call.type(1).is(TypeId::kDecimal)};
  if (decimals[0] == decimals[1]) return;
  const size_t decimal = decimals[0] ? 0 : 1;
  const size_t other = 1 - decimal;
  if (call.type(other).is_floating()) {
    call.Cast(decimal, DataType::Double());
  } else if (call.type(other).is_integral()) {
    call.Cast(other, DecimalOperand(*call.argument(other)));
  }
}

bool BothDecimals(const CallBinder& call) {
  return call.argument(0)->type.is(TypeId::kDecimal) && call.argument(1)->type.is(TypeId::kDecimal);
}

/// Division by zero is NULL where it is no error.
bool ResultNullable(const CallBinder& call, char op) {
  const bool partial =
      op == '/' || op == '%' || call.entry().name.starts_with("try_") || !call.context().ansi;
  return partial || call.AnyNullable();
}

Result<BoundExpressionPtr> ResolveArithmetic(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 2));
  const char op = OperatorOf(call.entry().name);
  const std::string_view name = call.entry().name;
  if (name.starts_with("try_") && (call.type(0).is_string() || call.type(1).is_string())) {
    // All that fails in computing what is no number is NULL, operands included.
    MERGANSER_ASSIGN_OR_RETURN(auto plain,
                               call.Call(std::string(1, op), {call.argument(0), call.argument(1)}));
    MERGANSER_ASSIGN_OR_RETURN(auto guarded, call.Call("try_eval", {std::move(plain)}));
    return call.Replace(std::move(guarded));
  }
  MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr moment, ResolveIntervalArithmetic(call, op));
  if (moment) return moment;
  PromoteStrings(call);
  TypeNulls(call, DataType::Double());
  AlignDecimals(call);
  if (BothDecimals(call)) {
    return call.Finish(DecimalResult(DecimalOperationOf(op), call.type(0), call.type(1),
                                     call.context().decimal_precision_loss),
                       ResultNullable(call, op));
  }
  if (op == '/' && call.type(0).is_numeric() && call.type(1).is_numeric()) {
    call.Cast(0, DataType::Double());
    call.Cast(1, DataType::Double());
  } else if (const auto common =
                 FindTightestCommonType(call.type(0), call.type(1), call.context())) {
    call.Cast(0, *common);
    call.Cast(1, *common);
  }
  if (!call.type(0).SameType(call.type(1))) return DifferentTypes(call);
  const bool interval = call.type(0).is_interval() && (op == '+' || op == '-');
  if (!call.type(0).is_numeric() && !interval) return WrongType(call, RequiredType(op));
  return call.Finish(call.type(0), ResultNullable(call, op));
}

Result<BoundExpressionPtr> ResolveIntegralDivide(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 2));
  PromoteStrings(call);
  TypeNulls(call, DataType::Long());
  AlignDecimals(call);
  for (size_t i = 0; i < 2; ++i) {
    if (call.type(i).is_integral()) call.Cast(i, DataType::Long());
  }
  const bool intervals =
      call.type(0).id() == call.type(1).id() &&
      (call.type(0).is(TypeId::kDayTimeInterval) || call.type(0).is(TypeId::kYearMonthInterval));
  if (!BothDecimals(call) && !intervals) {
    if (!call.type(0).SameType(call.type(1))) return DifferentTypes(call);
    if (!call.type(0).is(TypeId::kLong)) {
      return WrongType(call,
                       "(\"BIGINT\" or \"DECIMAL\" or \"INTERVAL YEAR TO MONTH\" or \"INTERVAL DAY "
                       "TO SECOND\")");
    }
  }
  return call.Finish(DataType::Long(), true);
}

Result<BoundExpressionPtr> ResolveBitwise(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 2));
  PromoteStrings(call);
  TypeNulls(call, DataType::Integer());
  AlignDecimals(call);
  if (call.type(0).is_integral() && call.type(1).is_integral()) {
    const DataType wider = WiderNumber(call.type(0), call.type(1));
    call.Cast(0, wider);
    call.Cast(1, wider);
  }
  if (!call.type(0).SameType(call.type(1))) return DifferentTypes(call);
  if (!call.type(0).is_integral()) return WrongType(call, "\"INTEGRAL\"");
  return call.Finish(call.type(0));
}

/// Unary minus, plus and abs: of numbers and intervals.
Result<BoundExpressionPtr> ResolveSign(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, 1));
  if (call.type(0).is_string() || call.type(0).is(TypeId::kNull)) call.Cast(0, DataType::Double());
  const bool interval = call.type(0).is_interval() &&
                        !(call.entry().name == "abs" && call.type(0).is(TypeId::kCalendarInterval));
  if (!call.type(0).is_numeric() && !interval) return call.UnexpectedInput(0, kArithmeticOperand);
  return call.Finish(call.type(0));
}

std::string PrintMinus(const BoundCall& call, const std::vector<std::string>& arguments) {
  return call.is_operator ? fmt::format("(- {})", arguments[0])
                          : fmt::format("negative({})", arguments[0]);
}

constexpr std::string_view kShift = "int|bigint, int -> $0";

constexpr FunctionEntry kArithmeticFunctions[] = {
    {.name = "+", .resolve = &ResolveArithmetic, .printed = "({0} + {1})"},
    {.name = "-", .resolve = &ResolveArithmetic, .printed = "({0} - {1})"},
    {.name = "*", .resolve = &ResolveArithmetic, .printed = "({0} * {1})"},
    {.name = "/", .resolve = &ResolveArithmetic, .printed = "({0} / {1})"},
    {.name = "%", .resolve = &ResolveArithmetic, .printed = "({0} % {1})"},
    {.name = "mod", .resolve = &ResolveArithmetic},
    {.name = "pmod", .resolve = &ResolveArithmetic},
    {.name = "div", .resolve = &ResolveIntegralDivide, .printed = "({0} div {1})"},
    {.name = "try_add", .resolve = &ResolveArithmetic},
    {.name = "try_subtract", .resolve = &ResolveArithmetic},
    {.name = "try_multiply", .resolve = &ResolveArithmetic},
    {.name = "try_divide", .resolve = &ResolveArithmetic},
    {.name = "try_mod", .resolve = &ResolveArithmetic},
    {.name = "&", .resolve = &ResolveBitwise, .printed = "({0} & {1})"},
    {.name = "|", .resolve = &ResolveBitwise, .printed = "({0} | {1})"},
    {.name = "^", .resolve = &ResolveBitwise, .printed = "({0} ^ {1})"},
    {.name = "~", .signature = "integral -> $0", .printed = "~{0}"},
    {.name = "<<", .signature = kShift, .printed = "({0} << {1})"},
    {.name = ">>", .signature = kShift, .printed = "({0} >> {1})"},
    {.name = ">>>", .signature = kShift, .printed = "({0} >>> {1})"},
    {.name = "shiftleft", .signature = kShift},
    {.name = "shiftright", .signature = kShift},
    {.name = "shiftrightunsigned", .signature = kShift},
    {.name = "negative", .resolve = &ResolveSign, .print = &PrintMinus},
    {.name = "positive", .resolve = &ResolveSign, .printed = "(+ {0})"},
    {.name = "abs", .resolve = &ResolveSign},

    // What arithmetic on dates, timestamps and intervals turns into.
    {.name = "date_plus_months",
     .signature = "date, year_month -> date",
     .printed = "{0} + {1}",
     .internal = true},
    {.name = "date_minus_months",
     .signature = "date, year_month -> date",
     .printed = "{0} - {1}",
     .internal = true},
    {.name = "date_plus_interval",
     .signature = "date, interval -> date",
     .printed = "{0} + {1}",
     .internal = true},
    {.name = "date_minus_interval",
     .signature = "date, interval -> date",
     .printed = "{0} - {1}",
     .internal = true},
    {.name = "timestamp_plus_interval",
     .signature = "anytimestamp, day_time|year_month|interval -> $0",
     .printed = "{0} + {1}",
     .internal = true},
    {.name = "timestamp_minus_interval",
     .signature = "anytimestamp, day_time|year_month|interval -> $0",
     .printed = "{0} - {1}",
     .internal = true},
    {.name = "subtract_dates",
     .resolve = &ResolveSubtractDates,
     .printed = "({0} - {1})",
     .internal = true},
    {.name = "subtract_timestamps",
     .resolve = &ResolveSubtractTimestamps,
     .printed = "({0} - {1})",
     .internal = true},
    {.name = "multiply_interval",
     .resolve = &ResolveScaledInterval,
     .print = &PrintScaledInterval,
     .internal = true},
    {.name = "divide_interval",
     .resolve = &ResolveScaledInterval,
     .print = &PrintScaledInterval,
     .internal = true},
    {.name = "extractansiintervaldays", .signature = "day_time -> int", .internal = true},
    {.name = "try_eval", .signature = "any -> $0?", .printed = "{0}", .internal = true},
};

}  // namespace

std::span<const FunctionEntry> ArithmeticFunctions() { return kArithmeticFunctions; }

}  // namespace merganser
