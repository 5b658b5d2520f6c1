#include <algorithm>
#include <cctype>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/registry.h"

/// Dates, and the fields of dates, timestamps and intervals.
namespace merganser {
namespace {

/// date_add, dateadd and date_sub. Unlike other functions they take no wider number of days;
/// dateadd prints as date_add.
Result<BoundExpressionPtr> ResolveDateAdd(CallBinder& call) {
  if (call.entry().name == "dateadd" && call.size() == 3)
    return call.Call("timestampadd", call.arguments());
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 2));
  if (call.type(1).is_string() || call.type(1).is(TypeId::kNull)) call.Cast(1, DataType::Integer());
  const bool days = call.type(1).is_integral() && !call.type(1).is(TypeId::kLong);
  if (!days) return call.UnexpectedInput(1, "(\"INT\" or \"SMALLINT\" or \"TINYINT\")");
  return call.ApplyAndFinish("date, int -> date");
}

/// Function that a field name of extract() stands for; null if there is none for values of `type`.
const char* FieldFunction(const std::string& field, const DataType& type) {
  struct Field {
    std::string_view names;  ///< Each name between commas.
    const char* of_moments;
    const char* of_intervals;
  };
  static constexpr Field kFields[] = {
      {",year,y,years,yr,yrs,", "year", "extract_years"},
      {",yearofweek,", "yearofweek", nullptr},
      {",quarter,qtr,", "quarter", nullptr},
      {",month,mon,mons,months,", "month", "extract_months"},
      {",week,w,weeks,", "weekofyear", nullptr},
      {",day,d,days,", "day", "extract_days"},
      {",dayofweek,dow,", "dayofweek", nullptr},
      {",dayofweek_iso,dow_iso,", "dayofweek_iso", nullptr},
      {",doy,", "dayofyear", nullptr},
      {",hour,h,hours,hr,hrs,", "hour", "extract_hours"},
      {",minute,m,min,mins,minutes,", "minute", "extract_minutes"},
      {",second,s,sec,seconds,secs,", "second_with_fraction", "extract_seconds"},
  };
  for (const Field& entry : kFields) {
    if (entry.names.find("," + field + ",") == std::string_view::npos) continue;
    return type.is_interval() ? entry.of_intervals : entry.of_moments;
  }
  return nullptr;
}

/// extract(field FROM x), date_part and datepart.
Result<BoundExpressionPtr> ResolveExtractField(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 2));
  const auto field = call.Constant(0);
  if (!field) return call.NonFoldable(0, "field");
  if (field->is_null()) return call.Replace(call.Constant(plan::Literal{DataType::Double(), {}}));
  if (call.type(1).is_string() || call.type(1).is(TypeId::kNull))
    call.Cast(1, DataType::Timestamp());
  const char* function = nullptr;
  if (const auto* name = std::get_if<std::string>(&field->value)) {
    function = FieldFunction(AsciiLowerCase(*name), call.type(1));
  }
  if (function == nullptr) {
    const std::string name =
        field->type.is_string() ? std::get<std::string>(field->value) : std::string();
    return call.At(
        Error(ErrorClass::INVALID_EXTRACT_FIELD,
              {{"field", QuotedIdentifier(name)}, {"expr", QuotedExpression(*call.argument(1))}}));
  }
  MERGANSER_ASSIGN_OR_RETURN(auto part, call.Call(function, {call.argument(1)}));
  return call.Replace(std::move(part));
}

Result<BoundExpressionPtr> ResolveExtractSeconds(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(
      call.Apply(call.type(0).is_interval() ? "day_time|interval -> int" : "anytimestamp -> int"));
  return call.Finish(DataType::Decimal(8, 6));
}

/// A day that does not exist is an error, or NULL outside of ANSI mode.
Result<BoundExpressionPtr> ResolveMakeDate(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.Apply("int, int, int -> date"));
  return call.Finish(DataType::Date(), !call.context().ansi || call.AnyNullable());
}

constexpr std::string_view kDatePart = "date -> int";
constexpr std::string_view kTimePart = "anytimestamp -> int";

constexpr FunctionEntry kDatesFunctions[] = {
    {.name = "add_months", .signature = "date, int -> date"},
    {.name = "date_add", .resolve = &ResolveDateAdd},
    {.name = "date_diff", .signature = "date, date -> int"},
    {.name = "date_from_unix_date", .signature = "int -> date"},
    {.name = "date_part", .resolve = &ResolveExtractField},
    {.name = "date_sub", .resolve = &ResolveDateAdd},
    {.name = "dateadd", .resolve = &ResolveDateAdd, .printed = "date_add"},
    {.name = "datediff", .signature = "date, date -> int"},
    {.name = "datepart", .resolve = &ResolveExtractField, .printed = "datepart({0} FROM {1})"},
    {.name = "day", .signature = kDatePart},
    {.name = "dayname", .signature = "date -> string"},
    {.name = "dayofmonth", .signature = kDatePart},
    {.name = "dayofweek", .signature = kDatePart},
    {.name = "dayofweek_iso", .signature = kDatePart, .internal = true},
    {.name = "dayofyear", .signature = kDatePart},
    {.name = "extract", .resolve = &ResolveExtractField, .printed = "extract({0} FROM {1})"},
    {.name = "extract_days", .signature = "day_time|interval -> int", .internal = true},
    {.name = "extract_hours", .signature = "day_time|interval -> tinyint", .internal = true},
    {.name = "extract_minutes", .signature = "day_time|interval -> tinyint", .internal = true},
    {.name = "extract_months", .signature = "year_month|interval -> tinyint", .internal = true},
    {.name = "extract_seconds", .resolve = &ResolveExtractSeconds, .internal = true},
    {.name = "extract_years", .signature = "year_month|interval -> int", .internal = true},
    {.name = "hour", .signature = kTimePart},
    {.name = "last_day", .signature = "date -> date"},
    {.name = "make_date", .resolve = &ResolveMakeDate},
    {.name = "minute", .signature = kTimePart},
    {.name = "month", .signature = kDatePart},
    {.name = "monthname", .signature = "date -> string"},
    {.name = "months_between", .signature = "timestamp, timestamp, boolean = true -> double"},
    {.name = "next_day", .signature = "date, string -> date?"},
    {.name = "quarter", .signature = kDatePart},
    {.name = "second", .signature = kTimePart},
    {.name = "second_with_fraction", .resolve = &ResolveExtractSeconds, .internal = true},
    {.name = "trunc", .signature = "date, string -> date?"},
    {.name = "unix_date", .signature = "date -> int", .exact = true},
    {.name = "weekday", .signature = kDatePart},
    {.name = "weekofyear", .signature = kDatePart},
    {.name = "year", .signature = kDatePart},
    {.name = "yearofweek", .signature = kDatePart, .internal = true},
};

}  // namespace

std::span<const FunctionEntry> DateFunctions() { return kDatesFunctions; }

}  // namespace merganser
