#include <gtest/gtest.h>

#include "merganser/engine/functions/evaluation_for_test.h"

namespace merganser::engine {
namespace {

TEST(TimeArithmeticTest, Dates) {
  ExpectAll({
      {"mg_date_add(DATE '2024-02-28', 2), mg_date_sub(DATE '2024-03-01', 1)",
       "2024-03-01 | 2024-02-29"},
      {"mg_datediff(DATE '2024-03-01', DATE '2024-02-01'), mg_last_day(DATE '2024-02-05')",
       "29 | 2024-02-29"},
      {"mg_unix_date(DATE '1970-01-11'), mg_date_from_unix_date(-1)", "10 | 1969-12-31"},
      {"mg_extract(DATE '2024-02-29', 'DOY', 'UTC'), mg_extract(DATE '2023-01-01', 'WEEK', 'UTC')",
       "60 | 52"},
  });
}

TEST(TimeArithmeticTest, InstantsAsNumbers) {
  ExpectAll({
      {"mg_unix_seconds(TIMESTAMPTZ '1969-12-31 23:59:59.5+00')", "-1"},
      {"mg_unix_millis(TIMESTAMPTZ '1969-12-31 23:59:59.9995+00')", "-1"},
      {"mg_unix_micros(TIMESTAMPTZ '1970-01-01 00:00:00.000007+00')", "7"},
      {"mg_unix_micros(mg_timestamp_seconds(1.5::DOUBLE))", "1500000"},
      {"mg_unix_micros(mg_timestamp_millis(-1::BIGINT)), "
       "mg_unix_micros(mg_timestamp_micros(3::BIGINT))",
       "-1000 | 3"},
  });
}

}  // namespace
}  // namespace merganser::engine
