#include "merganser/delta/schema/calendar_text.h"
#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/cast_rules.h"
#include "merganser/spark/functions/registry.h"

/// Timestamps, their formats, and the making of intervals.
namespace merganser {
namespace {

constexpr const char* kDefaultFormat = "yyyy-MM-dd HH:mm:ss";

bool IsTry(const CallBinder& call) { return call.entry().name.starts_with("try_"); }

/// current_timestamp, now, current_date and localtimestamp: one value for the whole statement. Date
/// and local time are taken in the session's zone.
Result<BoundExpressionPtr> ResolveCurrentTime(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(0, 0));
  auto now =
      call.Constant(plan::Literal{DataType::Timestamp(), call.context().current_timestamp_us});
  const std::string_view name = call.entry().name;
  if (name == "current_date" || name == "curdate") {
    return call.Replace(ImplicitCast(std::move(now), DataType::Date(), call.context()));
  }
  if (name == "localtimestamp") {
    return call.Replace(ImplicitCast(std::move(now), DataType::TimestampNtz(), call.context()));
  }
  return call.Replace(std::move(now));
}

/// The type that to_date, to_timestamp and their kin read.
DataType ReadType(std::string_view name) {
  if (name.starts_with("try_")) name.remove_prefix(4);
  if (name == "to_date") return DataType::Date();
  return name == "to_timestamp_ntz" ? DataType::TimestampNtz() : DataType::Timestamp();
}

/// to_date(x [, format]) and siblings: without a format a cast.
Result<BoundExpressionPtr> ResolveReadTime(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, 2));
  const DataType target = ReadType(call.entry().name);
  if (call.size() == 1) {
    const DataType& type = call.type(0);
    const bool readable = type.is(TypeId::kNull) || type.is(TypeId::kDate) || IsTimestamp(type) ||
                          (type.is_numeric() && target.is(TypeId::kTimestamp));
    if (!readable && IsAtomic(type)) call.Cast(0, DataType::String());
    MERGANSER_ASSIGN_OR_RETURN(auto cast, ResolveCast(call.argument(0), target, IsTry(call),
                                                      call.context(), call.request().origin));
    return call.Replace(std::move(cast));
  }
  const DataType& type = call.type(0);
  if (type.is(TypeId::kDate) || IsTimestamp(type)) {
    return call.Replace(ImplicitCast(call.argument(0), target, call.context()));
  }
  MERGANSER_RETURN_IF_ERROR(call.Apply("string, string -> timestamp"));
  return call.Finish(target, true);
}

/// unix_timestamp and to_unix_timestamp: of now, of a moment, or of text in a format.
Result<BoundExpressionPtr> ResolveUnixTimestamp(CallBinder& call) {
  const bool now_by_default = call.entry().name == "unix_timestamp";
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(now_by_default ? 0 : 1, 2));
  if (call.size() == 0) {
    MERGANSER_ASSIGN_OR_RETURN(auto now, call.Call("current_timestamp", {}));
    call.arguments().push_back(std::move(now));
  }
  if (call.size() == 1) {
    call.arguments().push_back(
        call.Constant(plan::Literal{DataType::String(), std::string(kDefaultFormat)}));
  }
  return call.ApplyAndFinish("string|date|timestamp|timestamp_ntz, string -> bigint");
}

/// make_timestamp and siblings: from six fields and a zone, or from a date.
constexpr std::string_view kTimeLiteral = "time literal";

/// Microseconds since midnight.
int64_t TimeOfDay(const BoundCall& literal) {
  return std::get<int64_t>(FoldLiteral(*literal.arguments[0])->value);
}

std::string PrintTimeLiteral(const BoundCall& call, const std::vector<std::string>&) {
  constexpr size_t kAfterDate = 11;
  const std::string text = FormatTimestamp(TimeOfDay(call), ' ', FractionDigits::kShortest);
  return "TIME '" + text.substr(kAfterDate) + "'";
}

/// make_timestamp(date, TIME '...' [, zone]) and its kin, by their fields.
Result<BoundExpressionPtr> ResolveDateAndTime(CallBinder& call, const DataType& target) {
  const std::string name(call.entry().name);
  const bool without_zone = name.ends_with("_ntz");
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, without_zone ? 2 : 3));
  MERGANSER_RETURN_IF_ERROR(call.Apply("date, bigint, string? -> timestamp"));
  int64_t rest = TimeOfDay(*call.argument(1)->As<BoundCall>());
  const auto part = [&](int64_t unit) {
    const int64_t value = rest / unit;
    rest %= unit;
    return call.Constant(plan::Literal{DataType::Integer(), value});
  };
  std::vector<BoundExpressionPtr> fields;
  for (const char* field : {"year", "month", "day"}) {
    MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr value, call.Call(field, {call.argument(0)}));
    fields.push_back(std::move(value));
  }
  fields.push_back(part(3'600'000'000));
  fields.push_back(part(60'000'000));
  fields.push_back(
      call.Constant(plan::Literal{DataType::Decimal(16, 6), plan::DecimalValue{rest}}));
  if (call.size() == 3) fields.push_back(call.argument(2));
  MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr made, call.Call(name, std::move(fields)));
  // Names show what Spark rewrites each of them to.
  std::string shown = name.ends_with("_ltz") ? "make_timestamp" : name;
  if (name == "try_make_timestamp_ntz") shown = "make_timestamp_ntz";
  BoundExpressionPtr named = MakeBound(BoundCall{shown, call.arguments(), false, std::move(made)},
                                       target, true, call.request().origin);
  if (name != "try_make_timestamp_ntz") return named;
  return MakeBound(BoundCall{name, {named}, false, named}, target, true, call.request().origin);
}

Result<BoundExpressionPtr> ResolveMakeTimestamp(CallBinder& call) {
  const bool without_zone = call.entry().name.ends_with("_ntz");
  const DataType target = without_zone ? DataType::TimestampNtz() : DataType::Timestamp();
  if (call.size() == 1) {
    MERGANSER_RETURN_IF_ERROR(call.Apply("date -> date"));
    return call.Replace(ImplicitCast(call.argument(0), target, call.context()));
  }
  const auto* time =
      call.size() > 1 && call.argument(1) ? call.argument(1)->As<BoundCall>() : nullptr;
  if (time != nullptr && time->function == kTimeLiteral) return ResolveDateAndTime(call, target);
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(6, without_zone ? 6 : 7));
  MERGANSER_RETURN_IF_ERROR(
      call.Apply("int, int, int, int, int, decimal16_6, string? -> timestamp"));
  return call.Finish(target, true);
}

/// try_make_timestamp leaves its zone out of its name.
std::string PrintTryMakeTimestamp(const BoundCall& call,
                                  const std::vector<std::string>& arguments) {
  std::string text;
  for (size_t i = 0; i < arguments.size() && i < 6; ++i)
    text += (i == 0 ? "" : ", ") + arguments[i];
  return call.function + "(" + text + ")";
}

BoundExpressionPtr ZeroSeconds(const CallBinder& call) {
  return call.Constant(plan::Literal{DataType::Decimal(18, 6), plan::DecimalValue{0}});
}

Result<BoundExpressionPtr> ResolveMakeDayTimeInterval(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(0, 4));
  while (call.size() < 3)
    call.arguments().push_back(call.Constant(plan::Literal{DataType::Integer(), int64_t{0}}));
  if (call.size() == 3) call.arguments().push_back(ZeroSeconds(call));
  return call.ApplyAndFinish("int, int, int, decimal18_6 -> day_time");
}

/// make_interval and try_make_interval.
Result<BoundExpressionPtr> ResolveMakeInterval(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(0, 7));
  while (call.size() < 6)
    call.arguments().push_back(call.Constant(plan::Literal{DataType::Integer(), int64_t{0}}));
  if (call.size() == 6) call.arguments().push_back(ZeroSeconds(call));
  return call.ApplyAndFinish("int, int, int, int, int, int, decimal18_6 -> interval?");
}

Result<BoundExpressionPtr> ResolveConvertTimezone(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 3));
  if (call.size() == 2) {
    MERGANSER_ASSIGN_OR_RETURN(auto zone, call.Call("current_timezone", {}));
    call.arguments().insert(call.arguments().begin(), std::move(zone));
  }
  return call.ApplyAndFinish("string, string, timestamp_ntz -> timestamp_ntz");
}

/// timestampadd(unit, quantity, moment); a date becomes a timestamp.
Result<BoundExpressionPtr> ResolveTimestampAdd(CallBinder& call) {
  return call.ApplyAndFinish("string, bigint, anytimestamp -> $2");
}

/// time_bucket(size, moment [, origin]): the start of the bucket that the moment is in.
Result<BoundExpressionPtr> ResolveTimeBucket(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 3));
  if (call.size() == 2) {
    const DataType type =
        call.type(1).is(TypeId::kTimestampNtz) ? call.type(1) : DataType::Timestamp();
    call.arguments().push_back(call.Constant(plan::Literal{type, int64_t{0}}));
  }
  return call.ApplyAndFinish("year_month|day_time, anytimestamp, anytimestamp -> $1");
}

/// window_time(window): the last instant of a time window.
Result<BoundExpressionPtr> ResolveWindowTime(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, 1));
  const DataType& window = call.type(0);
  const StructField* end =
      window.is(TypeId::kStruct) && window.fields().size() == 2 ? &window.fields()[1] : nullptr;
  if (end == nullptr || end->name != "end") return call.UnexpectedInput(0, "\"STRUCT\"");
  return call.Finish(end->type, true);
}

/// Values of type TIME are not supported.
Result<BoundExpressionPtr> ResolveTimeType(CallBinder& call) {
  return call.At(Error(ErrorClass::UNSUPPORTED_TIME_TYPE));
}

constexpr std::string_view kUnixTime = "timestamp -> bigint";

constexpr FunctionEntry kTimestampsFunctions[] = {
    {.name = "convert_timezone", .resolve = &ResolveConvertTimezone},
    {.name = "curdate", .resolve = &ResolveCurrentTime, .printed = "current_date"},
    {.name = "current_date", .resolve = &ResolveCurrentTime},
    {.name = "current_timestamp", .resolve = &ResolveCurrentTime},
    {.name = "date_format", .signature = "timestamp, string -> string"},
    {.name = "date_trunc", .signature = "string, timestamp -> timestamp?"},
    {.name = "from_unixtime", .signature = "bigint, string = 'yyyy-MM-dd HH:mm:ss' -> string?"},
    {.name = "from_utc_timestamp", .signature = "timestamp, string -> timestamp"},
    {.name = "localtimestamp", .resolve = &ResolveCurrentTime},
    {.name = "make_dt_interval", .resolve = &ResolveMakeDayTimeInterval},
    {.name = "make_interval", .resolve = &ResolveMakeInterval},
    {.name = "make_timestamp", .resolve = &ResolveMakeTimestamp},
    {.name = "make_timestamp_ltz", .resolve = &ResolveMakeTimestamp},
    {.name = "make_timestamp_ntz", .resolve = &ResolveMakeTimestamp},
    {.name = "make_ym_interval", .signature = "int = 0, int = 0 -> year_month"},
    {.name = "now", .resolve = &ResolveCurrentTime},
    {.name = "time_bucket", .resolve = &ResolveTimeBucket},
    {.name = kTimeLiteral,
     .signature = "bigint -> bigint",
     .print = &PrintTimeLiteral,
     .internal = true},
    {.name = "timestamp_micros", .signature = "integral -> timestamp", .exact = true},
    {.name = "timestamp_millis", .signature = "integral -> timestamp", .exact = true},
    {.name = "timestamp_seconds", .signature = "numeric -> timestamp", .exact = true},
    {.name = "timestampadd", .resolve = &ResolveTimestampAdd},
    {.name = "timestampdiff", .signature = "string, timestamp, timestamp -> bigint"},
    {.name = "to_date", .resolve = &ResolveReadTime},
    {.name = "to_timestamp", .resolve = &ResolveReadTime},
    {.name = "to_timestamp_ltz", .resolve = &ResolveReadTime},
    {.name = "to_timestamp_ntz", .resolve = &ResolveReadTime},
    {.name = "to_unix_timestamp", .resolve = &ResolveUnixTimestamp, .exact = true},
    {.name = "to_utc_timestamp", .signature = "timestamp, string -> timestamp"},
    {.name = "try_make_interval", .resolve = &ResolveMakeInterval},
    {.name = "try_make_timestamp",
     .resolve = &ResolveMakeTimestamp,
     .print = &PrintTryMakeTimestamp},
    {.name = "try_make_timestamp_ltz", .resolve = &ResolveMakeTimestamp},
    {.name = "try_make_timestamp_ntz", .resolve = &ResolveMakeTimestamp},
    {.name = "try_to_date", .resolve = &ResolveReadTime},
    {.name = "try_to_timestamp", .resolve = &ResolveReadTime},
    {.name = "unix_micros", .signature = kUnixTime, .exact = true},
    {.name = "unix_millis", .signature = kUnixTime, .exact = true},
    {.name = "unix_seconds", .signature = kUnixTime, .exact = true},
    {.name = "unix_timestamp", .resolve = &ResolveUnixTimestamp, .exact = true},
    {.name = "window_time", .resolve = &ResolveWindowTime},

    {.name = "current_time", .resolve = &ResolveTimeType, .refused = true},
    {.name = "make_time", .resolve = &ResolveTimeType, .refused = true},
    {.name = "time", .resolve = &ResolveTimeType, .refused = true},
    {.name = "time_diff", .resolve = &ResolveTimeType, .refused = true},
    {.name = "time_from_micros", .resolve = &ResolveTimeType, .refused = true},
    {.name = "time_from_millis", .resolve = &ResolveTimeType, .refused = true},
    {.name = "time_from_seconds", .resolve = &ResolveTimeType, .refused = true},
    {.name = "time_to_micros", .resolve = &ResolveTimeType, .refused = true},
    {.name = "time_to_millis", .resolve = &ResolveTimeType, .refused = true},
    {.name = "time_to_seconds", .resolve = &ResolveTimeType, .refused = true},
    {.name = "time_trunc", .resolve = &ResolveTimeType, .refused = true},
    {.name = "to_time", .resolve = &ResolveTimeType, .refused = true},
    {.name = "try_to_time", .resolve = &ResolveTimeType, .refused = true},
};

}  // namespace

std::span<const FunctionEntry> TimestampFunctions() { return kTimestampsFunctions; }

}  // namespace merganser
