#include "merganser/spark/functions/interval_arithmetic.h"

#include <utility>

#include "merganser/spark/functions/cast_rules.h"
#include "merganser/spark/functions/numeric_types.h"
#include "merganser/spark/functions/type_pattern.h"

namespace merganser {
namespace {

bool IsDayInterval(const DataType& type) {
  return type.is(TypeId::kDayTimeInterval) && type.start_field() == 0 && type.end_field() == 0;
}

/// True if `interval` is added to the other operand rather than to another interval of its kind.
bool ShiftsMoment(const DataType& interval, const DataType& other) {
  if (interval.is(TypeId::kYearMonthInterval)) return other.is(TypeId::kDate) || IsTimestamp(other);
  return interval.is_interval() && interval.id() != other.id();
}

/// `left + right` or `left - right` where `right` is an interval and `left` is none of its kind.
Result<BoundExpressionPtr> ShiftMoment(const CallBinder& call, BoundExpressionPtr left,
                                       BoundExpressionPtr right, bool plus) {
  const DataType moment = left->type;
  const DataType interval = right->type;
  if (moment.is(TypeId::kDate)) {
    if (IsDayInterval(interval)) {
      MERGANSER_ASSIGN_OR_RETURN(auto days,
                                 call.Call("extractansiintervaldays", {std::move(right)}));
      if (!plus) {
        CallRequest negate;
        negate.name = "negative";
        negate.is_operator = true;
        negate.arguments = {std::move(days)};
        negate.lambdas.resize(1);
        MERGANSER_ASSIGN_OR_RETURN(days, ResolveCall(negate, call.context(), {}));
      }
      return call.Call("date_add", {std::move(left), std::move(days)});
    }
    if (interval.is(TypeId::kYearMonthInterval)) {
      return call.Call(plus ? "date_plus_months" : "date_minus_months",
                       {std::move(left), std::move(right)});
    }
    if (interval.is(TypeId::kCalendarInterval)) {
      return call.Call(plus ? "date_plus_interval" : "date_minus_interval",
                       {std::move(left), std::move(right)});
    }
    left =
        ImplicitCast(std::move(left), DataType::Timestamp(), call.context(), call.request().origin);
  }
  MERGANSER_ASSIGN_OR_RETURN(
      auto shifted, call.Call(plus ? "timestamp_plus_interval" : "timestamp_minus_interval",
                              {std::move(left), std::move(right)}));
  // A string goes through a timestamp and comes back as a string.
  return moment.is_string() ? ImplicitCast(std::move(shifted), moment, call.context()) : shifted;
}

Result<BoundExpressionPtr> ResolveAddition(CallBinder& call) {
  for (size_t i = 0; i < 2; ++i) {
    const size_t other = 1 - i;
    if (call.type(i).is_interval() && ShiftsMoment(call.type(i), call.type(other))) {
      return ShiftMoment(call, call.argument(other), call.argument(i), true);
    }
  }
  for (size_t i = 0; i < 2; ++i) {
    const DataType other = call.type(1 - i);
    if (IsTimestamp(call.type(i)) && other.is(TypeId::kNull)) {
      call.Cast(1 - i, DataType::DayTimeInterval());
      return ShiftMoment(call, call.argument(i), call.argument(1 - i), true);
    }
    if (!call.type(i).is(TypeId::kDate)) continue;
    if (other.is_string()) call.Cast(1 - i, DataType::Date());  // Which date_add refuses.
    if (!other.is(TypeId::kNull))
      return call.Call("date_add", {call.argument(i), call.argument(1 - i)});
    call.Cast(1 - i, DataType::DayTimeInterval());
    return ShiftMoment(call, call.argument(i), call.argument(1 - i), true);
  }
  return BoundExpressionPtr{};
}

Result<BoundExpressionPtr> ResolveDifference(CallBinder& call) {
  const DataType& left = call.type(0);
  const DataType& right = call.type(1);
  if (right.is_interval() && ShiftsMoment(right, left)) {
    return ShiftMoment(call, call.argument(0), call.argument(1), false);
  }
  if (IsTimestamp(left) || IsTimestamp(right)) {
    return call.Call("subtract_timestamps", {call.argument(0), call.argument(1)});
  }
  if (right.is(TypeId::kDate) ||
      (left.is(TypeId::kDate) && (right.is_string() || right.is(TypeId::kNull)))) {
    return call.Call("subtract_dates", {call.argument(0), call.argument(1)});
  }
  if (left.is(TypeId::kDate)) return call.Call("date_sub", {call.argument(0), call.argument(1)});
  return BoundExpressionPtr{};
}

Result<BoundExpressionPtr> ResolvePlain(CallBinder& call, char op) {
  const bool intervals[] = {call.type(0).is_interval(), call.type(1).is_interval()};
  switch (op) {
    case '+':
      return ResolveAddition(call);
    case '-':
      return ResolveDifference(call);
    case '*':
      if (intervals[0] != intervals[1]) {
        const size_t interval = intervals[0] ? 0 : 1;
        return call.Call("multiply_interval",
                         {call.argument(interval), call.argument(1 - interval)});
      }
      return BoundExpressionPtr{};
    case '/':
      if (intervals[0] && !intervals[1])
        return call.Call("divide_interval", {call.argument(0), call.argument(1)});
      return BoundExpressionPtr{};
    default:
      return BoundExpressionPtr{};
  }
}

}  // namespace

Result<BoundExpressionPtr> ResolveIntervalArithmetic(CallBinder& call, char op) {
  // NULL beside an interval is an interval.
  if (op == '+' || op == '-') {
    for (size_t i = 0; i < 2; ++i) {
      if (call.type(i).is(TypeId::kNull) && call.type(1 - i).is_interval())
        call.Cast(i, call.type(1 - i));
    }
  }
  MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr moment, ResolvePlain(call, op));
  if (!moment || !call.entry().name.starts_with("try_")) return moment;
  MERGANSER_ASSIGN_OR_RETURN(auto guarded, call.Call("try_eval", {std::move(moment)}));
  return call.Replace(std::move(guarded));
}

Result<BoundExpressionPtr> ResolveSubtractDates(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.Apply("date, date -> date"));
  return call.Finish(DataType::DayTimeInterval(0, 0));
}

Result<BoundExpressionPtr> ResolveSubtractTimestamps(CallBinder& call) {
  // A date or string reads as the other side's kind of timestamp.
  for (size_t i = 0; i < 2; ++i) {
    const DataType& type = call.type(i);
    const bool reads = type.is(TypeId::kDate) || type.is_string() || type.is(TypeId::kNull);
    if (reads && IsTimestamp(call.type(1 - i))) call.Cast(i, call.type(1 - i));
    if (!reads && !IsTimestamp(type))
      return call.UnexpectedInput(i, PatternText({PatternKind::kAnyTimestamp}));
  }
  MERGANSER_RETURN_IF_ERROR(call.Apply("anytimestamp, anytimestamp -> day_time"));
  if (call.type(0).id() != call.type(1).id()) {
    call.Cast(0, DataType::Timestamp());
    call.Cast(1, DataType::Timestamp());
  }
  return call.Finish(DataType::DayTimeInterval());
}

std::string PrintScaledInterval(const BoundCall& call, const std::vector<std::string>& arguments) {
  if (call.arguments[0]->type.is(TypeId::kCalendarInterval))
    return call.function + "(" + arguments[0] + ", " + arguments[1] + ")";
  const char* symbol = call.function == "multiply_interval" ? " * " : " / ";
  return "(" + arguments[0] + symbol + arguments[1] + ")";
}

Result<BoundExpressionPtr> ResolveScaledInterval(CallBinder& call) {
  if (call.type(0).is(TypeId::kCalendarInterval))
    return call.ApplyAndFinish("interval, double -> interval");
  MERGANSER_RETURN_IF_ERROR(call.Apply("year_month|day_time, numeric -> $0"));
  return call.Finish(call.type(0).is(TypeId::kYearMonthInterval) ? DataType::YearMonthInterval()
                                                                 : DataType::DayTimeInterval());
}

}  // namespace merganser
