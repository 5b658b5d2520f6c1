#include <gtest/gtest.h>

#include "merganser/engine/functions/evaluation_for_test.h"

namespace merganser::engine {
namespace {

std::string Format(const std::string& pattern,
                   const std::string& moment = "2024-07-09 03:04:05.678",
                   const std::string& zone = "UTC") {
  return "mg_date_format(TIMESTAMPTZ '" + moment + "+00', '" + pattern + "', '" + zone + "')";
}

TEST(DatetimePatternTest, Format) {
  ExpectAll({
      {Format("VV|z|zzzz|O|OOOO|X|XX|XXX|x|xxx|Z|ZZZZ|ZZZZZ"),
       "UTC|UTC|Coordinated Universal Time|GMT|GMT|Z|Z|Z|+00|+00:00|+0000|GMT|Z"},
      {Format("G|GGGG|F|Q|QQQ|QQQQ"), "AD|Anno Domini|2|3|Q3|3rd quarter"},
      {Format("k K h H a D DDD yy y yyyyy S SSSSSS L LLL LLLL E EEEE"),
       "3 3 3 3 AM 191 191 24 2024 02024 6 678000 7 Jul July Tue Tuesday"},
      {Format("yyyy-MM-dd HH:mm XXX", "2024-07-09 03:04:05", "Asia/Tokyo"),
       "2024-07-09 12:04 +09:00"},
      {Format("yyyy-MM-dd", "12345-02-09 03:04:05") + ", " +
           Format("yyyy G", "0001-02-09 03:04:05"),
       "+12345-02-09 | 0001 AD"},
      {Format("YYYY"), "!INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_PATTERN_RECOGNITION"},
      {Format("MMMMM"), "!INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_PATTERN_RECOGNITION"},
      {Format("e"), "!INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_WEEK_BASED_PATTERN"},
      {Format("bb"), "!INVALID_DATETIME_PATTERN.WITH_SUGGESTION"},
      {"mg_from_unixtime(0, 'yyyy-MM-dd bb', 'UTC')", "!INVALID_DATETIME_PATTERN.WITH_SUGGESTION"},
  });
}

TEST(DatetimeFunctionsTest, Truncate) {
  ExpectAll({
      {"mg_trunc(DATE '2024-05-31', 'QUARTER'), mg_trunc(DATE '2024-05-31', 'DAY'), mg_trunc(DATE "
       "'2024-05-31', 'week'), mg_trunc(DATE '2024-05-31', 'xx')",
       "2024-04-01 | NULL | 2024-05-27 | NULL"},
      {"mg_date_trunc('HOUR', TIMESTAMPTZ '2024-01-31 10:30:00+00', 'Asia/Kolkata')",
       "2024-01-31 10:30:00+00"},
      {"mg_date_trunc('DAY', TIMESTAMPTZ '2024-01-31 20:00:00+00', 'Asia/Tokyo')",
       "2024-01-31 15:00:00+00"},
      {"mg_date_trunc('DECADE', TIMESTAMPTZ '2024-01-31 10:00:00+00', 'UTC'), mg_date_trunc('xx', "
       "TIMESTAMPTZ '2024-01-31 10:00:00+00', 'UTC')",
       "NULL | NULL"},
  });
}

TEST(DatetimeFunctionsTest, Make) {
  ExpectAll({
      {"mg_make_date(2024, 2, 29, 'ansi'), mg_make_date(2023, 2, 29, 'legacy')",
       "2024-02-29 | NULL"},
      {"mg_make_date(2023, 2, 29, 'ansi')", "!DATETIME_FIELD_OUT_OF_BOUNDS.WITH_SUGGESTION"},
      {"mg_make_timestamp(2024, 12, 1, 1, 1, 60, 'UTC', 'ansi')", "2024-12-01 01:02:00+00"},
      {"mg_make_timestamp(2024, 13, 1, 1, 1, 1, 'UTC', 'ansi')",
       "!DATETIME_FIELD_OUT_OF_BOUNDS.WITH_SUGGESTION"},
      {"mg_make_timestamp(2024, 12, 1, 1, 1, 60.5, 'UTC', 'ansi')", "!INVALID_FRACTION_OF_SECOND"},
      {"mg_make_timestamp_ntz(2024, 12, 1, 1, 1, 1.5, 'ansi')", "2024-12-01 01:01:01.5"},
      {"mg_make_ym_interval(1, 2), mg_make_dt_interval(1, 0, 0, 1.5)", "14 | 86401500000"},
      {"mg_make_ym_interval(178956970, 8)", "!INTERVAL_ARITHMETIC_OVERFLOW.WITHOUT_SUGGESTION"},
      {"mg_make_dt_interval(106751992, 0, 0, 0)",
       "!INTERVAL_ARITHMETIC_OVERFLOW.WITHOUT_SUGGESTION"},
  });
}

TEST(DatetimeFunctionsTest, Zones) {
  ExpectAll({
      {"mg_from_utc_timestamp(TIMESTAMPTZ '2024-01-31 10:00:00+00', 'Asia/Tokyo'), "
       "mg_to_utc_timestamp(TIMESTAMPTZ '2024-01-31 10:00:00+00', 'Asia/Tokyo')",
       "2024-01-31 19:00:00+00 | 2024-01-31 01:00:00+00"},
      {"mg_from_utc_timestamp(TIMESTAMPTZ '2024-01-31 10:00:00+00', 'nope')", "!INVALID_TIMEZONE"},
      // Beyond the table of the zone's file, by its rule.
      {"mg_from_utc_timestamp(TIMESTAMPTZ '2050-07-01 00:00:00+00', 'America/New_York'), "
       "mg_from_utc_timestamp(TIMESTAMPTZ '2050-01-01 00:00:00+00', 'America/New_York')",
       "2050-06-30 20:00:00+00 | 2049-12-31 19:00:00+00"},
      {"mg_from_utc_timestamp(TIMESTAMPTZ '2024-01-31 10:00:00+00', '+02:30')",
       "2024-01-31 12:30:00+00"},
      // The hour that does not exist, and the one that comes twice.
      {"mg_to_utc_timestamp(TIMESTAMPTZ '2024-03-10 02:30:00+00', 'America/New_York'), "
       "mg_to_utc_timestamp(TIMESTAMPTZ '2024-11-03 01:30:00+00', 'America/New_York')",
       "2024-03-10 07:30:00+00 | 2024-11-03 05:30:00+00"},
      {"mg_timestamp_add_micros(TIMESTAMPTZ '2024-03-10 04:00:00+00', 86400000000, "
       "'America/New_York')",
       "2024-03-11 03:00:00+00"},
      {"mg_convert_timezone('America/Los_Angeles', 'UTC', TIMESTAMP '2024-01-31 10:00:00')",
       "2024-01-31 18:00:00"},
  });
}

}  // namespace
}  // namespace merganser::engine
