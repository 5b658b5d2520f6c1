#include <fmt/format.h>

#include "merganser/engine/lowering/call_lowering.h"
#include "merganser/engine/lowering/sql_quoting.h"

/// Functions of dates, timestamps and intervals.
namespace merganser {
namespace {

/// An hour, minute or second of the wall clock of the session's zone.
Result<std::string> LowerClockField(const LoweredCall& call) {
  const char* zone = call.type(0).is(TypeId::kTimestamp) ? "{zone}" : "'UTC'";
  return FillCallPattern(fmt::format("mg_{}({{0}}, {})", call.call.function, zone), call);
}

Result<std::string> LowerSecondWithFraction(const LoweredCall& call) {
  const char* pattern = "CAST(CAST((epoch_us({0}) % 60000000 + 60000000) % 60000000 AS DECIMAL(14,0)) / 1000000 AS {type})";
  // Zones differ by whole minutes in all but historical offsets, which the zone-aware form knows.
  if (call.type(0).is(TypeId::kTimestamp)) pattern = "mg_second_with_fraction({0}, {zone})";
  return FillCallPattern(pattern, call);
}

/// Fields of year-month (INTEGER months), day-time (BIGINT microseconds) and calendar intervals.
Result<std::string> LowerIntervalField(const LoweredCall& call) {
  const std::string_view field = std::string_view(call.call.function).substr(8);
  if (call.type(0).is(TypeId::kCalendarInterval)) {
    return FillCallPattern(fmt::format("mg_extract_{}_of_interval({{0}})", field), call);
  }
  const char* pattern = "";
  if (field == "years") pattern = "CAST({0} // 12 AS {type})";
  if (field == "months") pattern = "CAST({0} % 12 AS {type})";
  if (field == "days") pattern = "CAST({0} // 86400000000 AS {type})";
  if (field == "hours") pattern = "CAST({0} % 86400000000 // 3600000000 AS {type})";
  if (field == "minutes") pattern = "CAST({0} % 3600000000 // 60000000 AS {type})";
  if (field == "seconds") pattern = "CAST(CAST({0} % 60000000 AS DECIMAL(18,0)) / CAST(1000000 AS DECIMAL(7,0)) AS {type})";
  return FillCallPattern(pattern, call);
}

/// to_date, to_timestamp and siblings with a format. to_timestamp_ntz reads a wall clock.
Result<std::string> LowerReadTime(const LoweredCall& call) {
  std::string name = call.call.function;
  if (name.starts_with("try_")) name = name.substr(4);
  if (name == "to_timestamp_ltz") name = "to_timestamp";
  return FillCallPattern(fmt::format("mg_{}({{0}}, {{1}}, {{mode}}, {{zone}}, {{context}})", name), call);
}

Result<std::string> LowerUnixTimestamp(const LoweredCall& call) {
  switch (call.type(0).id()) {
    case TypeId::kTimestamp: return FillCallPattern("mg_unix_seconds({0})", call);
    case TypeId::kDate:
    case TypeId::kTimestampNtz:
      return FillCallPattern("mg_unix_seconds(mg_cast({0}, {spark0}, 'TIMESTAMP', {mode}, {zone}))", call);
    default: return FillCallPattern("mg_unix_timestamp({0}, {1}, {mode}, {zone}, {context})", call);
  }
}

/// make_timestamp and siblings.
Result<std::string> LowerMakeTimestamp(const LoweredCall& call) {
  if (call.type().is(TypeId::kTimestampNtz)) {
    return FillCallPattern("mg_make_timestamp_ntz({0}, {1}, {2}, {3}, {4}, {5}, {mode}, {context})", call);
  }
  const char* zone = call.arguments.size() == 7 ? "{6}" : "{zone}";
  return FillCallPattern(
      fmt::format("mg_make_timestamp({{0}}, {{1}}, {{2}}, {{3}}, {{4}}, {{5}}, {}, {{mode}}, {{context}})", zone), call);
}

Result<std::string> LowerTimestampAdd(const LoweredCall& call) {
  const char* zone = call.type().is(TypeId::kTimestamp) ? "{zone}" : "'UTC'";
  return FillCallPattern(fmt::format("mg_timestampadd({{0}}, {{1}}, {{2}}, {}, {{context}})", zone), call);
}

Result<std::string> LowerTimeBucket(const LoweredCall& call) {
  const char* zone = call.type().is(TypeId::kTimestamp) ? "{zone}" : "'UTC'";
  return FillCallPattern(fmt::format("mg_time_bucket_{}({{0}}, {{1}}, {{2}}, {})",
                                     call.type(0).is(TypeId::kYearMonthInterval) ? "months" : "micros", zone),
                         call);
}

constexpr CallLowering kLowerings[] = {
    {.name = "add_months", .sql = "mg_add_months({0}, {1})"},
    {.name = "date_add", .sql = "({0} + {1})"},
    {.name = "date_diff", .sql = "({0} - {1})"},
    {.name = "date_from_unix_date", .sql = "(DATE '1970-01-01' + {0})"},
    {.name = "date_sub", .sql = "({0} - {1})"},
    {.name = "dateadd", .sql = "({0} + {1})"},
    {.name = "datediff", .sql = "({0} - {1})"},
    {.name = "day", .sql = "day({0})"},
    {.name = "dayname", .sql = "mg_dayname({0})"},
    {.name = "dayofmonth", .sql = "day({0})"},
    {.name = "dayofweek", .sql = "(dayofweek({0}) + 1)"},
    {.name = "dayofweek_iso", .sql = "isodow({0})"},
    {.name = "dayofyear", .sql = "dayofyear({0})"},
    {.name = "extract_days", .lower = &LowerIntervalField},
    {.name = "extract_hours", .lower = &LowerIntervalField},
    {.name = "extract_minutes", .lower = &LowerIntervalField},
    {.name = "extract_months", .lower = &LowerIntervalField},
    {.name = "extract_seconds", .lower = &LowerIntervalField},
    {.name = "extract_years", .lower = &LowerIntervalField},
    {.name = "hour", .lower = &LowerClockField},
    {.name = "last_day", .sql = "last_day({0})"},
    {.name = "make_date", .sql = "mg_make_date({0}, {1}, {2}, {mode}, {context})"},
    {.name = "minute", .lower = &LowerClockField},
    {.name = "month", .sql = "month({0})"},
    {.name = "monthname", .sql = "mg_monthname({0})"},
    {.name = "months_between", .sql = "mg_months_between({0}, {1}, {2}, {zone})"},
    {.name = "next_day", .sql = "mg_next_day({0}, {1}, {mode}, {context})"},
    {.name = "quarter", .sql = "quarter({0})"},
    {.name = "second", .lower = &LowerClockField},
    {.name = "second_with_fraction", .lower = &LowerSecondWithFraction},
    {.name = "trunc", .sql = "mg_trunc({0}, {1})"},
    {.name = "unix_date", .sql = "({0} - DATE '1970-01-01')"},
    {.name = "weekday", .sql = "(isodow({0}) - 1)"},
    {.name = "weekofyear", .sql = "week({0})"},
    {.name = "year", .sql = "year({0})"},
    {.name = "yearofweek", .sql = "isoyear({0})"},

    {.name = "convert_timezone", .sql = "mg_convert_timezone({0}, {1}, {2})"},
    {.name = "date_format", .sql = "mg_date_format({0}, {1}, {zone})"},
    {.name = "date_trunc", .sql = "mg_date_trunc({0}, {1}, {zone})"},
    {.name = "from_unixtime", .sql = "mg_from_unixtime({0}, {1}, {zone})"},
    {.name = "from_utc_timestamp", .sql = "mg_from_utc_timestamp({0}, {1})"},
    {.name = "make_dt_interval", .sql = "mg_make_dt_interval({0}, {1}, {2}, {3}, {context})"},
    {.name = "make_interval", .sql = "mg_make_interval({*}, {mode}, {context})"},
    {.name = "make_timestamp", .lower = &LowerMakeTimestamp},
    {.name = "make_timestamp_ltz", .lower = &LowerMakeTimestamp},
    {.name = "make_timestamp_ntz", .lower = &LowerMakeTimestamp},
    {.name = "make_ym_interval", .sql = "mg_make_ym_interval({0}, {1}, {context})"},
    {.name = "time_bucket", .lower = &LowerTimeBucket},
    {.name = "timestamp_micros", .sql = "make_timestamptz({0})"},
    {.name = "timestamp_millis", .sql = "mg_timestamp_millis({0}, {context})"},
    {.name = "timestamp_seconds", .sql = "mg_timestamp_seconds({0}, {context})"},
    {.name = "timestampadd", .lower = &LowerTimestampAdd},
    {.name = "timestampdiff", .sql = "mg_timestampdiff({0}, {1}, {2}, {zone})"},
    {.name = "to_date", .lower = &LowerReadTime},
    {.name = "to_timestamp", .lower = &LowerReadTime},
    {.name = "to_timestamp_ltz", .lower = &LowerReadTime},
    {.name = "to_timestamp_ntz", .lower = &LowerReadTime},
    {.name = "to_unix_timestamp", .lower = &LowerUnixTimestamp},
    {.name = "to_utc_timestamp", .sql = "mg_to_utc_timestamp({0}, {1})"},
    {.name = "try_make_interval", .sql = "mg_make_interval({*}, {mode}, {context})"},
    {.name = "try_make_timestamp", .lower = &LowerMakeTimestamp},
    {.name = "try_make_timestamp_ltz", .lower = &LowerMakeTimestamp},
    {.name = "try_make_timestamp_ntz", .lower = &LowerMakeTimestamp},
    {.name = "try_to_date", .lower = &LowerReadTime},
    {.name = "try_to_timestamp", .lower = &LowerReadTime},
    {.name = "unix_micros", .sql = "epoch_us({0})"},
    {.name = "unix_millis", .sql = "mg_unix_millis({0})"},
    {.name = "unix_seconds", .sql = "mg_unix_seconds({0})"},
    {.name = "unix_timestamp", .lower = &LowerUnixTimestamp},
};

}  // namespace

std::span<const CallLowering> TimeLowerings() { return kLowerings; }

}  // namespace merganser
