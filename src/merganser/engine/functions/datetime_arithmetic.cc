// Dates and times made from parts, moved and compared.
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "merganser/base/letter_case.h"
#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/functions/arithmetic_errors.h"
#include "merganser/engine/functions/datetime_names.h"
#include "merganser/engine/functions/decimal_math.h"
#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/scalar_call.h"
#include "merganser/engine/functions/spark_text.h"
#include "merganser/engine/functions/time_columns.h"

namespace merganser::engine {
namespace {

using duckdb::LogicalType;

/// Java's int arithmetic wraps.
int32_t Wrap(int64_t value) { return static_cast<int32_t>(value); }

void AddDateFunctions(FunctionRegistry& registry) {
  const auto binary = [&](const std::string& name, const LogicalType& second,
                          const LogicalType& result, auto f) {
    registry.Add(name, {LogicalType::DATE, second}, result,
                 [f](duckdb::DataChunk& arguments, duckdb::Vector& out) {
                   MapRows<int32_t, int32_t>(arguments, out, f);
                 });
  };
  binary("mg_date_add", LogicalType::INTEGER, LogicalType::DATE,
         [](int32_t days, int32_t n) { return Wrap(int64_t{days} + n); });
  binary("mg_date_sub", LogicalType::INTEGER, LogicalType::DATE,
         [](int32_t days, int32_t n) { return Wrap(int64_t{days} - n); });
  binary("mg_datediff", LogicalType::DATE, LogicalType::INTEGER,
         [](int32_t end, int32_t start) { return Wrap(int64_t{end} - start); });
  registry.Add("mg_add_months", [](ScalarCall& call) -> ScalarKernel {
    const CallSite site = call.Context(2);
    call.Expect(0, LogicalType::DATE);
    call.Expect(1, LogicalType::INTEGER);
    call.Returns(LogicalType::DATE);
    call.KeepArguments(2);
    return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      MapRows<int32_t, int32_t>(arguments, result, [&](int32_t days, int32_t months) {
        const int64_t moved = AddMonths(days, months);
        if (moved != Wrap(moved)) ThrowArithmeticOverflow(site, "overflow", "");
        return Wrap(moved);
      });
    };
  });
  registry.Add("mg_last_day", {LogicalType::DATE}, LogicalType::DATE,
               [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
                 MapRows<int32_t>(arguments, result, [](int32_t days) {
                   const CivilDate date = CivilFromDays(days);
                   return Wrap(days + DaysInMonth(date.year, date.month) - date.day);
                 });
               });
}

/// 0 = Monday; nullopt if `text` names no day.
std::optional<int> ParseDayOfWeek(std::string_view text) {
  const std::string upper = AsciiUpperCase(text);
  if (upper.size() < 2) return std::nullopt;
  for (size_t i = 0; i < kDayNames.size(); ++i) {
    const std::string name = AsciiUpperCase(kDayNames[i]);
    if (upper == name || upper == name.substr(0, 3) || upper == name.substr(0, 2))
      return static_cast<int>(i);
  }
  return std::nullopt;
}

/// mg_next_day(date, day, mode [, context]).
ScalarKernel BindNextDay(ScalarCall& call) {
  const CallSite site = call.Site(2);
  call.Expect(0, LogicalType::DATE);
  call.Expect(1, LogicalType::VARCHAR);
  call.Returns(LogicalType::DATE);
  call.KeepArguments(2);
  return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<int32_t, std::string_view>(
        arguments, result, [&](int32_t days, std::string_view text) -> std::optional<int32_t> {
          const auto day = ParseDayOfWeek(text);
          if (!day) {
            if (site.ansi())
              site.Throw(Error(ErrorClass::ILLEGAL_DAY_OF_WEEK, {{"string", std::string(text)}}));
            return std::nullopt;
          }
          const int64_t ahead = FloorModulo(*day - (IsoDayOfWeek(days) - 1) - 1, 7) + 1;
          return Wrap(days + ahead);
        });
  };
}

/// mg_months_between(end, start, round_off, zone), TIMESTAMP both.
ScalarKernel BindMonthsBetween(ScalarCall& call) {
  call.Expect(0, LogicalType::TIMESTAMP_TZ);
  call.Expect(1, LogicalType::TIMESTAMP_TZ);
  call.Expect(2, LogicalType::BOOLEAN);
  const auto zone = call.Zone(3);
  call.Returns(LogicalType::DOUBLE);
  call.KeepArguments(3);
  call.NeverFails();
  return [zone](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<int64_t, int64_t, bool>(
        arguments, result, [&](int64_t end, int64_t start, bool round_off) {
          const int64_t end_days = zone->ToLocalDays(end);
          const int64_t start_days = zone->ToLocalDays(start);
          const CivilDate a = CivilFromDays(end_days);
          const CivilDate b = CivilFromDays(start_days);
          const auto months =
              static_cast<double>((a.year * 12 + a.month) - (b.year * 12 + b.month));
          const bool both_last =
              a.day == DaysInMonth(a.year, a.month) && b.day == DaysInMonth(b.year, b.month);
          if (a.day == b.day || both_last) return months;
          const int64_t a_seconds = (end - zone->StartOfDayMicros(end_days)) / kMicrosPerSecond;
          const int64_t b_seconds = (start - zone->StartOfDayMicros(start_days)) / kMicrosPerSecond;
          const int64_t seconds = (a.day - b.day) * kSecondsPerDay + a_seconds - b_seconds;
          const double exact =
              months + static_cast<double>(seconds) / static_cast<double>(31 * kSecondsPerDay);
          return round_off ? std::floor(exact * 1e8 + 0.5) / 1e8 : exact;
        });
  };
}

/// A call on a timestamp (first argument) that gives one: f(timestamp, b, zone [, context]).
struct TimestampCall {
  std::shared_ptr<const TimeZone> zone;
  CallSite site;
};
TimestampCall BindTimestamp(ScalarCall& call, size_t timestamp, size_t zone_index) {
  TimestampCall out;
  out.zone = TimeKindOf(call, timestamp) == TimeKind::kInstant ? call.Zone(zone_index)
                                                               : TimeZone::Find("UTC");
  out.site = call.Context(zone_index + 1);
  call.Returns(call.type(timestamp));
  return out;
}

int64_t Checked(std::optional<int64_t> value, const CallSite& site, const char* operation) {
  if (!value) ThrowDatetimeOverflow(site, operation);
  return *value;
}

void AddTimestampMovers(FunctionRegistry& registry) {
  registry.Add("mg_timestamp_add_months", [](ScalarCall& call) -> ScalarKernel {
    const auto bound = BindTimestamp(call, 0, 2);
    call.Expect(1, LogicalType::INTEGER);
    call.KeepArguments(2);
    return [bound](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      MapRows<int64_t, int32_t>(arguments, result, [&](int64_t micros, int32_t months) {
        return Checked(AddToInstant(*bound.zone, micros, months, 0, 0), bound.site,
                       "add months to a timestamp");
      });
    };
  });
  registry.Add("mg_timestamp_add_micros", [](ScalarCall& call) -> ScalarKernel {
    const auto bound = BindTimestamp(call, 0, 2);
    call.Expect(1, LogicalType::BIGINT);
    call.KeepArguments(2);
    return [bound](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      MapRows<int64_t, int64_t>(arguments, result, [&](int64_t micros, int64_t interval) {
        // Whole days move the clock, so that the time of day stays over a change of offset.
        return Checked(AddToInstant(*bound.zone, micros, 0, interval / kMicrosPerDay,
                                    interval % kMicrosPerDay),
                       bound.site, "add an interval to a timestamp");
      });
    };
  });
  registry.Add("mg_timestamp_add_interval", [](ScalarCall& call) -> ScalarKernel {
    const auto bound = BindTimestamp(call, 0, 2);
    call.Expect(1, LogicalType::INTERVAL);
    call.KeepArguments(2);
    return [bound](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      MapRows<int64_t, duckdb::interval_t>(
          arguments, result, [&](int64_t micros, const duckdb::interval_t& interval) {
            return Checked(
                AddToInstant(*bound.zone, micros, interval.months, interval.days, interval.micros),
                bound.site, "add an interval to a timestamp");
          });
    };
  });
  registry.Add("mg_date_add_interval", [](ScalarCall& call) -> ScalarKernel {
    const CallSite site = call.Site(2);
    call.Expect(0, LogicalType::DATE);
    call.Expect(1, LogicalType::INTERVAL);
    call.Returns(LogicalType::DATE);
    call.KeepArguments(2);
    return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      MapRows<int32_t, duckdb::interval_t>(
          arguments, result, [&](int32_t days, const duckdb::interval_t& interval) {
            if (site.ansi() && interval.micros != 0)
              site.Throw(Error(ErrorClass::INVALID_INTERVAL_WITH_MICROSECONDS_ADDITION));
            return Wrap(AddMonths(days, interval.months) + interval.days +
                        FloorDivide(interval.micros, kMicrosPerDay));
          });
    };
  });
}

/// Months or microseconds that one of a unit of TIMESTAMPADD is.
struct UnitStep {
  int64_t months = 0;
  int64_t micros = 0;
};
UnitStep StepOf(const std::string& unit) {
  static const auto* steps = new std::map<std::string, UnitStep>{{"MICROSECOND", {0, 1}},
                                                                 {"MILLISECOND", {0, 1000}},
                                                                 {"SECOND", {0, kMicrosPerSecond}},
                                                                 {"MINUTE", {0, kMicrosPerMinute}},
                                                                 {"HOUR", {0, kMicrosPerHour}},
                                                                 {"DAY", {0, kMicrosPerDay}},
                                                                 {"DAYOFYEAR", {0, kMicrosPerDay}},
                                                                 {"WEEK", {0, 7 * kMicrosPerDay}},
                                                                 {"MONTH", {1, 0}},
                                                                 {"QUARTER", {3, 0}},
                                                                 {"YEAR", {12, 0}}};
  const auto found = steps->find(AsciiUpperCase(unit));
  if (found == steps->end()) ThrowError(Error::Internal("no unit of time: " + unit));
  return found->second;
}

/// mg_timestampadd(unit, quantity, timestamp, zone [, context]).
ScalarKernel BindTimestampAdd(ScalarCall& call) {
  // The unit is read first and then leaves: kept arguments have to be the leading ones.
  const UnitStep step = StepOf(call.Text(2));
  const auto bound = BindTimestamp(call, 0, 3);
  call.Expect(1, LogicalType::BIGINT);
  call.KeepArguments(2);
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<int64_t, int64_t>(arguments, result, [&](int64_t micros, int64_t quantity) {
      int64_t months = 0;
      int64_t interval = 0;
      std::optional<int64_t> moved;
      if (!__builtin_mul_overflow(quantity, step.months, &months) &&
          !__builtin_mul_overflow(quantity, step.micros, &interval) &&
          std::abs(months) <= std::numeric_limits<int32_t>::max()) {
        moved = AddToInstant(*bound.zone, micros, months, interval / kMicrosPerDay,
                             interval % kMicrosPerDay);
      }
      return Checked(moved, bound.site, "add units of time to a timestamp");
    });
  };
}

int64_t WholeMonthsBetween(int64_t start, int64_t end) {
  int64_t start_days = FloorDivide(start, kMicrosPerDay);
  int64_t end_days = FloorDivide(end, kMicrosPerDay);
  const int64_t start_time = FloorModulo(start, kMicrosPerDay);
  const int64_t end_time = FloorModulo(end, kMicrosPerDay);
  if (end_days > start_days && end_time < start_time) --end_days;
  if (end_days < start_days && end_time > start_time) ++end_days;
  const CivilDate a = CivilFromDays(start_days);
  const CivilDate b = CivilFromDays(end_days);
  return (((b.year * 12 + b.month) * 32 + b.day) - ((a.year * 12 + a.month) * 32 + a.day)) / 32;
}

/// mg_timestampdiff(start, end, unit, zone): whole units on the clock.
ScalarKernel BindTimestampDiff(ScalarCall& call) {
  const UnitStep step = StepOf(call.Text(2));
  const auto bound = BindTimestamp(call, 0, 3);
  call.Expect(1, call.type(0));
  call.Returns(LogicalType::BIGINT);
  call.KeepArguments(2);
  call.NeverFails();
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<int64_t, int64_t>(arguments, result, [&](int64_t start, int64_t end) {
      const int64_t a = bound.zone->ToLocalMicros(start);
      const int64_t b = bound.zone->ToLocalMicros(end);
      return step.months != 0 ? WholeMonthsBetween(a, b) / step.months
                              : static_cast<int64_t>((Int128{b} - a) / step.micros);
    });
  };
}

/// mg_subtract_timestamps(end, start, zone): microseconds on the clock.
ScalarKernel BindSubtractTimestamps(ScalarCall& call) {
  const auto bound = BindTimestamp(call, 0, 2);
  call.Expect(1, call.type(0));
  call.Returns(LogicalType::BIGINT);
  call.KeepArguments(2);
  return [bound](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<int64_t, int64_t>(arguments, result, [&](int64_t end, int64_t start) {
      int64_t out = 0;
      if (__builtin_sub_overflow(bound.zone->ToLocalMicros(end), bound.zone->ToLocalMicros(start),
                                 &out)) {
        ThrowArithmeticOverflow(bound.site, "overflow", "");
      }
      return out;
    });
  };
}

/// Start of the bucket of `width` microseconds or months that `value` lies in, counted from
/// `origin`.
ScalarKernel BindTimeBucket(ScalarCall& call) {
  const auto bound = BindTimestamp(call, 1, 3);
  call.Expect(2, call.type(1));
  call.KeepArguments(3);
  const bool months = call.type(0).id() == duckdb::LogicalTypeId::INTEGER;
  if (months) {
    return [bound](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      MapRows<int32_t, int64_t, int64_t>(
          arguments, result, [&](int32_t width, int64_t value, int64_t origin) {
            const int64_t passed = WholeMonthsBetween(bound.zone->ToLocalMicros(origin),
                                                      bound.zone->ToLocalMicros(value));
            int64_t start = FloorDivide(passed, width) * width;
            auto bucket = AddToInstant(*bound.zone, origin, start, 0, 0);
            if (bucket && *bucket > value)
              bucket = AddToInstant(*bound.zone, origin, start - width, 0, 0);
            return Checked(bucket, bound.site, "bucket a timestamp");
          });
    };
  }
  call.Expect(0, LogicalType::BIGINT);
  return [bound](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<int64_t, int64_t, int64_t>(arguments, result,
                                       [&](int64_t width, int64_t value, int64_t origin) {
                                         return origin + FloorDivide(value - origin, width) * width;
                                       });
  };
}

/// mg_window_start(timestamp, slide, start): start of the last window that begins at or before it.
ScalarKernel BindWindowStart(ScalarCall& call) {
  TimeKindOf(call, 0);
  call.Expect(1, LogicalType::BIGINT);
  call.Expect(2, LogicalType::BIGINT);
  call.Returns(call.type(0));
  call.KeepArguments(3);
  call.NeverFails();
  return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<int64_t, int64_t, int64_t>(arguments, result,
                                       [](int64_t value, int64_t slide, int64_t start) {
                                         return value - FloorModulo(value - start, slide);
                                       });
  };
}

std::string Capitalized(std::string_view name, bool all) {
  return all ? AsciiUpperCase(name) : std::string(name);
}

/// What java.time says of parts that make no date; nullopt if they do.
std::optional<std::string> DateProblem(int64_t year, int64_t month, int64_t day) {
  const auto range = [](const char* field, const char* valid, int64_t value) {
    return "Invalid value for " + std::string(field) + " (valid values " + valid +
           "): " + std::to_string(value);
  };
  if (year < -999999999 || year > 999999999) return range("Year", "-999999999 - 999999999", year);
  if (month < 1 || month > 12) return range("MonthOfYear", "1 - 12", month);
  if (day < 1 || day > 31) return range("DayOfMonth", "1 - 28/31", day);
  if (day <= DaysInMonth(year, static_cast<int>(month))) return std::nullopt;
  if (month == 2 && day == 29)
    return "Invalid date 'February 29' as '" + std::to_string(year) + "' is not a leap year";
  return "Invalid date '" + Capitalized(kMonthNames[static_cast<size_t>(month - 1)], true) + " " +
         std::to_string(day) + "'";
}

[[noreturn]] void ThrowOutOfBounds(const CallSite& site, const std::string& problem) {
  site.Throw(Error(ErrorClass::DATETIME_FIELD_OUT_OF_BOUNDS,
                   {{"rangeMessage", problem}, {"ansiConfig", kAnsiConfig}}, "WITH_SUGGESTION"));
}

/// mg_make_date(year, month, day, mode [, context]).
ScalarKernel BindMakeDate(ScalarCall& call) {
  const CallSite site = call.Site(3);
  for (size_t i = 0; i < 3; ++i) call.Expect(i, LogicalType::INTEGER);
  call.Returns(LogicalType::DATE);
  call.KeepArguments(3);
  return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<int32_t, int32_t, int32_t>(
        arguments, result, [&](int32_t year, int32_t month, int32_t day) -> std::optional<int32_t> {
          if (const auto problem = DateProblem(year, month, day)) {
            if (site.ansi()) ThrowOutOfBounds(site, *problem);
            return std::nullopt;
          }
          return Wrap(DaysFromCivil(year, month, day));
        });
  };
}

/// Wall-clock microseconds of parts; fails or gives nullopt by the site's mode.
std::optional<int64_t> MakeLocal(const CallSite& site, int64_t year, int64_t month, int64_t day,
                                 int64_t hour, int64_t minute, int64_t second_micros) {
  const int64_t second = FloorDivide(second_micros, kMicrosPerSecond);
  const int64_t fraction = FloorModulo(second_micros, kMicrosPerSecond);
  auto problem = DateProblem(year, month, day);
  const auto range = [&](const char* field, const char* valid, int64_t value) {
    if (!problem)
      problem = "Invalid value for " + std::string(field) + " (valid values " + valid +
                "): " + std::to_string(value);
  };
  if (hour < 0 || hour > 23) range("HourOfDay", "0 - 23", hour);
  if (minute < 0 || minute > 59) range("MinuteOfHour", "0 - 59", minute);
  if (second == 60 && fraction != 0 && !problem) {
    if (site.ansi()) {
      DecimalText text{second_micros < 0, std::to_string(second_micros), 6};
      while (text.scale > 1 && text.digits.back() == '0') text.digits.pop_back(), --text.scale;
      site.Throw(
          Error(ErrorClass::INVALID_FRACTION_OF_SECOND, {{"secAndMicros", ToPlainString(text)}}));
    }
    return std::nullopt;
  }
  // A sixtieth second is the next minute's first.
  if (second < 0 || second > 60) range("SecondOfMinute", "0 - 59", second);
  if (problem) {
    if (site.ansi()) ThrowOutOfBounds(site, *problem);
    return std::nullopt;
  }
  const int64_t time = hour * kMicrosPerHour + minute * kMicrosPerMinute + second_micros;
  const Int128 micros =
      Int128{DaysFromCivil(year, static_cast<int>(month), static_cast<int>(day))} * kMicrosPerDay +
      time;
  if (micros > std::numeric_limits<int64_t>::max() ||
      micros < std::numeric_limits<int64_t>::min()) {
    if (site.ansi()) ThrowDatetimeOverflow(site, "make a timestamp");
    return std::nullopt;
  }
  return static_cast<int64_t>(micros);
}

void ExpectTimestampParts(ScalarCall& call) {
  for (size_t i = 0; i < 5; ++i) call.Expect(i, LogicalType::INTEGER);
  call.Expect(5, LogicalType::DECIMAL(16, 6));
}

/// mg_make_timestamp(year, month, day, hour, minute, second, zone, mode [, context]).
ScalarKernel BindMakeTimestamp(ScalarCall& call) {
  ExpectTimestampParts(call);
  call.Expect(6, LogicalType::VARCHAR);
  const CallSite site = call.Site(7);
  call.Returns(LogicalType::TIMESTAMP_TZ);
  call.KeepArguments(7);
  return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    std::shared_ptr<const TimeZone> zone;
    MapRows<int32_t, int32_t, int32_t, int32_t, int32_t, DecimalCell, std::string_view>(
        arguments, result,
        [&](int32_t year, int32_t month, int32_t day, int32_t hour, int32_t minute,
            DecimalCell second, std::string_view id) -> std::optional<int64_t> {
          if (zone == nullptr || zone->id() != id) zone = TimeZone::Find(id);
          if (zone == nullptr) {
            if (site.ansi())
              site.Throw(Error(ErrorClass::INVALID_TIMEZONE, {{"timeZone", std::string(id)}}));
            return std::nullopt;
          }
          const auto local = MakeLocal(site, year, month, day, hour, minute,
                                       static_cast<int64_t>(second.unscaled));
          if (!local) return std::nullopt;
          return zone->ToUtcMicros(*local);
        });
  };
}

/// mg_make_timestamp_ntz(year, month, day, hour, minute, second, mode [, context]).
ScalarKernel BindMakeTimestampNtz(ScalarCall& call) {
  ExpectTimestampParts(call);
  const CallSite site = call.Site(6);
  call.Returns(LogicalType::TIMESTAMP);
  call.KeepArguments(6);
  return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<int32_t, int32_t, int32_t, int32_t, int32_t, DecimalCell>(
        arguments, result,
        [&](int32_t year, int32_t month, int32_t day, int32_t hour, int32_t minute,
            DecimalCell second) {
          return MakeLocal(site, year, month, day, hour, minute,
                           static_cast<int64_t>(second.unscaled));
        });
  };
}

void AddEpochFunctions(FunctionRegistry& registry) {
  const auto from_count = [&](const std::string& name, int64_t unit) {
    registry.Add(name, [unit](ScalarCall& call) -> ScalarKernel {
      const CallSite site = call.Context(1);
      call.Expect(0, LogicalType::BIGINT);
      call.Returns(LogicalType::TIMESTAMP_TZ);
      call.KeepArguments(1);
      return [unit, site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
        MapRows<int64_t>(arguments, result, [&](int64_t value) {
          int64_t micros = 0;
          if (__builtin_mul_overflow(value, unit, &micros))
            ThrowArithmeticOverflow(site, "long overflow", "");
          return micros;
        });
      };
    });
  };
  from_count("mg_timestamp_millis", 1000);
  from_count("mg_timestamp_micros", 1);
  registry.Add("mg_timestamp_seconds", [](ScalarCall& call) -> ScalarKernel {
    const CallSite site = call.Context(1);
    call.Returns(LogicalType::TIMESTAMP_TZ);
    call.KeepArguments(1);
    const auto settle = [site](std::optional<Int128> micros) -> int64_t {
      if (!micros || *micros > std::numeric_limits<int64_t>::max() ||
          *micros < std::numeric_limits<int64_t>::min()) {
        ThrowArithmeticOverflow(site, "long overflow", "");
      }
      return static_cast<int64_t>(*micros);
    };
    if (call.type(0).id() == duckdb::LogicalTypeId::DECIMAL) {
      return [settle, site, scale = duckdb::DecimalType::GetScale(call.type(0))](
                 duckdb::DataChunk& arguments, duckdb::Vector& result) {
        MapRows<DecimalCell>(arguments, result, [&](DecimalCell cell) {
          if (scale > 6 && cell.unscaled % PowerOfTen(scale - 6) != 0)
            ThrowArithmeticOverflow(site, "Rounding necessary", "");
          return settle(Rescale(cell.unscaled, scale, 6, kMaxDecimalPrecision));
        });
      };
    }
    if (call.type(0).id() == duckdb::LogicalTypeId::DOUBLE ||
        call.type(0).id() == duckdb::LogicalTypeId::FLOAT) {
      call.Expect(0, LogicalType::DOUBLE);
      return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
        MapRows<double>(arguments, result, [](double seconds) -> std::optional<int64_t> {
          if (!std::isfinite(seconds)) return std::nullopt;
          const double micros = seconds * static_cast<double>(kMicrosPerSecond);
          if (micros >= 9223372036854775808.0) return std::numeric_limits<int64_t>::max();
          if (micros <= -9223372036854775808.0) return std::numeric_limits<int64_t>::min();
          return static_cast<int64_t>(micros);
        });
      };
    }
    call.Expect(0, LogicalType::BIGINT);
    return [settle](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      MapRows<int64_t>(arguments, result,
                       [&](int64_t seconds) { return settle(Int128{seconds} * kMicrosPerSecond); });
    };
  });
  const auto to_count = [&](const std::string& name, int64_t unit) {
    registry.Add(name, {LogicalType::TIMESTAMP_TZ}, LogicalType::BIGINT,
                 [unit](duckdb::DataChunk& arguments, duckdb::Vector& result) {
                   MapRows<int64_t>(arguments, result,
                                    [&](int64_t micros) { return FloorDivide(micros, unit); });
                 });
  };
  to_count("mg_unix_seconds", kMicrosPerSecond);
  to_count("mg_unix_millis", 1000);
  to_count("mg_unix_micros", 1);
  registry.Add("mg_unix_date", {LogicalType::DATE}, LogicalType::INTEGER,
               [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
                 MapRows<int32_t>(arguments, result, [](int32_t days) { return days; });
               });
  registry.Add("mg_date_from_unix_date", {LogicalType::INTEGER}, LogicalType::DATE,
               [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
                 MapRows<int32_t>(arguments, result, [](int32_t days) { return days; });
               });
}

}  // namespace

void RegisterDatetimeArithmetic(FunctionRegistry& registry) {
  AddDateFunctions(registry);
  registry.Add("mg_next_day", BindNextDay);
  registry.Add("mg_months_between", BindMonthsBetween);
  AddTimestampMovers(registry);
  registry.Add("mg_timestampadd", BindTimestampAdd);
  registry.Add("mg_timestampdiff", BindTimestampDiff);
  registry.Add("mg_subtract_timestamps", BindSubtractTimestamps);
  registry.Add("mg_time_bucket", BindTimeBucket);
  registry.Add("mg_window_start", BindWindowStart);
  registry.Add("mg_make_date", BindMakeDate);
  registry.Add("mg_make_timestamp", BindMakeTimestamp);
  registry.Add("mg_make_timestamp_ntz", BindMakeTimestampNtz);
  AddEpochFunctions(registry);
}

}  // namespace merganser::engine
