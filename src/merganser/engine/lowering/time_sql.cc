#include <fmt/format.h>

#include "merganser/engine/lowering/call_lowering.h"
#include "merganser/engine/lowering/sql_quoting.h"

/// Functions of dates, timestamps and intervals.
namespace merganser {
namespace {

/// to_date, to_timestamp and siblings with a format. to_timestamp_ntz reads a wall clock.
Result<std::string> LowerReadTime(const LoweredCall& call) {
  std::string name = call.call.function;
  if (name.starts_with("try_")) name = name.substr(4);
  if (name == "to_timestamp_ltz") name = "to_timestamp";
  return FillCallPattern(fmt::format("mg_{}({{0}}, {{1}}, {{zone}}, {{mode}}, {{context}})", name),
                         call);
}

Result<std::string> LowerUnixTimestamp(const LoweredCall& call) {
  switch (call.type(0).id()) {
    case TypeId::kTimestamp:
      return FillCallPattern("(epoch_us({0}) // 1000000)", call);
    case TypeId::kDate:
    case TypeId::kTimestampNtz:
      return FillCallPattern(
          "(epoch_us(mg_cast({0}, {spark0}, 'TIMESTAMP', {mode}, {zone})) // 1000000)", call);
    default:
      return FillCallPattern("mg_unix_timestamp({0}, {1}, {zone}, {mode}, {context})", call);
  }
}

/// make_timestamp and siblings.
Result<std::string> LowerMakeTimestamp(const LoweredCall& call) {
  if (call.type().is(TypeId::kTimestampNtz)) {
    return FillCallPattern("mg_make_timestamp_ntz({0}, {1}, {2}, {3}, {4}, {5}, {mode}, {context})",
                           call);
  }
  const char* zone = call.arguments.size() == 7 ? "{6}" : "{zone}";
  return FillCallPattern(
      fmt::format(
          "mg_make_timestamp({{0}}, {{1}}, {{2}}, {{3}}, {{4}}, {{5}}, {}, {{mode}}, {{context}})",
          zone),
      call);
}

Result<std::string> LowerTimestampAdd(const LoweredCall& call) {
  const char* zone = call.type().is(TypeId::kTimestamp) ? "{zone}" : "'UTC'";
  return FillCallPattern(fmt::format("mg_timestampadd({{2}}, {{1}}, {{0}}, {}, {{context}})", zone),
                         call);
}

Result<std::string> LowerTimeBucket(const LoweredCall& call) {
  const char* zone = call.type().is(TypeId::kTimestamp) ? "{zone}" : "'UTC'";
  return FillCallPattern(fmt::format("mg_time_bucket({{0}}, {{1}}, {{2}}, {})", zone), call);
}

constexpr CallLowering kTimeLowerings[] = {
    {.name = "add_months", .sql = "mg_add_months({0}, {1}, {context})"},
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
    {.name = "extract_days", .sql = "mg_extract_interval({0}, 'DAY')"},
    {.name = "extract_hours", .sql = "mg_extract_interval({0}, 'HOUR')"},
    {.name = "extract_minutes", .sql = "mg_extract_interval({0}, 'MINUTE')"},
    {.name = "extract_months", .sql = "mg_extract_interval({0}, 'MONTH')"},
    {.name = "extract_seconds", .sql = "mg_extract_interval({0}, 'SECOND')"},
    {.name = "extract_years", .sql = "mg_extract_interval({0}, 'YEAR')"},
    {.name = "hour", .sql = "mg_extract({0}, 'HOUR', {zone})"},
    {.name = "last_day", .sql = "last_day({0})"},
    {.name = "make_date", .sql = "mg_make_date({0}, {1}, {2}, {mode}, {context})"},
    {.name = "minute", .sql = "mg_extract({0}, 'MINUTE', {zone})"},
    {.name = "month", .sql = "month({0})"},
    {.name = "monthname", .sql = "mg_monthname({0})"},
    {.name = "months_between", .sql = "mg_months_between({0}, {1}, {2}, {zone})"},
    {.name = "next_day", .sql = "mg_next_day({0}, {1}, {mode}, {context})"},
    {.name = "quarter", .sql = "quarter({0})"},
    {.name = "second", .sql = "mg_extract({0}, 'SECOND', {zone})"},
    {.name = "second_with_fraction", .sql = "mg_extract({0}, 'SECOND_WITH_FRACTION', {zone})"},
    {.name = "trunc", .sql = "mg_trunc({0}, {1})"},
    {.name = "unix_date", .sql = "({0} - DATE '1970-01-01')"},
    {.name = "weekday", .sql = "(isodow({0}) - 1)"},
    {.name = "weekofyear", .sql = "week({0})"},
    {.name = "year", .sql = "year({0})"},
    {.name = "yearofweek", .sql = "isoyear({0})"},

    {.name = "convert_timezone", .sql = "mg_convert_timezone({0}, {1}, {2}, {context})"},
    {.name = "date_format", .sql = "mg_date_format({0}, {1}, {zone}, {context})"},
    {.name = "date_trunc", .sql = "mg_date_trunc({0}, {1}, {zone})"},
    {.name = "from_unixtime", .sql = "mg_from_unixtime({0}, {1}, {zone}, {context})"},
    {.name = "from_utc_timestamp", .sql = "mg_from_utc_timestamp({0}, {1}, {context})"},
    {.name = "make_dt_interval", .sql = "mg_make_dt_interval({0}, {1}, {2}, {3}, {context})"},
    {.name = "make_interval", .sql = "mg_make_interval({*}, {mode}, {context})"},
    {.name = "make_timestamp", .lower = &LowerMakeTimestamp},
    {.name = "make_timestamp_ltz", .lower = &LowerMakeTimestamp},
    {.name = "make_timestamp_ntz", .lower = &LowerMakeTimestamp},
    {.name = "make_ym_interval", .sql = "mg_make_ym_interval({0}, {1}, {context})"},
    {.name = "time_bucket", .lower = &LowerTimeBucket},
    {.name = "timestamp_micros", .sql = "make_timestamptz(CAST({0} AS BIGINT))"},
    {.name = "timestamp_millis", .sql = "mg_timestamp_millis({0}, {context})"},
    {.name = "timestamp_seconds", .sql = "mg_timestamp_seconds({0}, {context})"},
    {.name = "timestampadd", .lower = &LowerTimestampAdd},
    {.name = "timestampdiff", .sql = "mg_timestampdiff({1}, {2}, {0}, {zone})"},
    {.name = "to_date", .lower = &LowerReadTime},
    {.name = "to_timestamp", .lower = &LowerReadTime},
    {.name = "to_timestamp_ltz", .lower = &LowerReadTime},
    {.name = "to_timestamp_ntz", .lower = &LowerReadTime},
    {.name = "to_unix_timestamp", .lower = &LowerUnixTimestamp},
    {.name = "to_utc_timestamp", .sql = "mg_to_utc_timestamp({0}, {1}, {context})"},
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
    {.name = "window_time", .sql = "struct_extract({0}, 'end') - to_microseconds(1)"},
};

}  // namespace

std::span<const CallLowering> TimeLowerings() { return kTimeLowerings; }

}  // namespace merganser
