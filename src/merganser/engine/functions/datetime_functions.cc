// Parts of dates and times, truncation, text by patterns, zones.
#include <cctype>
#include <map>
#include <string>

#include "merganser/base/letter_case.h"
#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/functions/datetime_names.h"
#include "merganser/engine/functions/datetime_pattern.h"
#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/scalar_call.h"
#include "merganser/engine/functions/spark_text.h"
#include "merganser/engine/functions/time_columns.h"

namespace merganser::engine {
namespace {

using duckdb::LogicalType;

/// A kernel of f(local microseconds) over the date or time at `argument`.
template <typename F>
ScalarKernel LocalKernel(TimeKind kind, std::shared_ptr<const TimeZone> zone, F f) {
  return [kind, zone = std::move(zone), f](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapLocalMicros(arguments.data[0], kind, *zone, arguments.size(), result, f);
  };
}

int64_t DaysOf(int64_t local_micros) { return FloorDivide(local_micros, kMicrosPerDay); }
int64_t TimeOf(int64_t local_micros) { return FloorModulo(local_micros, kMicrosPerDay); }

/// mg_extract(x, field, zone).
ScalarKernel BindExtract(ScalarCall& call) {
  const TimeKind kind = TimeKindOf(call, 0);
  const std::string field = call.Text(1);
  const auto zone = call.Zone(2);
  call.KeepArguments(1);
  call.NeverFails();
  call.Returns(LogicalType::INTEGER);
  const auto of_days = [&](auto f) {
    return LocalKernel(kind, zone,
                       [f](int64_t local) { return static_cast<int32_t>(f(DaysOf(local))); });
  };
  if (field == "YEAR") return of_days([](int64_t days) { return CivilFromDays(days).year; });
  if (field == "QUARTER")
    return of_days([](int64_t days) { return (CivilFromDays(days).month - 1) / 3 + 1; });
  if (field == "MONTH") return of_days([](int64_t days) { return CivilFromDays(days).month; });
  if (field == "DAY") return of_days([](int64_t days) { return CivilFromDays(days).day; });
  if (field == "WEEK") return of_days([](int64_t days) { return IsoWeekOf(days).week; });
  if (field == "YEAROFWEEK") return of_days([](int64_t days) { return IsoWeekOf(days).year; });
  if (field == "DAYOFWEEK") return of_days([](int64_t days) { return IsoDayOfWeek(days) % 7 + 1; });
  if (field == "DAYOFWEEK_ISO") return of_days([](int64_t days) { return IsoDayOfWeek(days); });
  if (field == "WEEKDAY") return of_days([](int64_t days) { return IsoDayOfWeek(days) - 1; });
  if (field == "DOY") return of_days([](int64_t days) { return DayOfYear(days); });
  const auto of_time = [&](int64_t unit, int64_t modulus) {
    return LocalKernel(kind, zone, [=](int64_t local) {
      return static_cast<int32_t>(TimeOf(local) / unit % modulus);
    });
  };
  if (field == "HOUR") return of_time(kMicrosPerHour, 24);
  if (field == "MINUTE") return of_time(kMicrosPerMinute, 60);
  if (field == "SECOND") return of_time(kMicrosPerSecond, 60);
  if (field == "SECOND_WITH_FRACTION") {
    call.Returns(LogicalType::DECIMAL(8, 6));
    return LocalKernel(kind, zone, [](int64_t local) {
      return static_cast<int32_t>(TimeOf(local) % kMicrosPerMinute);
    });
  }
  ThrowError(Error::Internal("mg_extract: unknown field " + field));
}

/// mg_extract_interval(x, field): INTEGER months, BIGINT microseconds, or INTERVAL.
ScalarKernel BindExtractInterval(ScalarCall& call) {
  const std::string field = call.Text(1);
  call.KeepArguments(1);
  call.NeverFails();
  const auto of = [&]<typename Carrier, typename Out>(const LogicalType& type, Out,
                                                      auto f) -> ScalarKernel {
    call.Returns(type);
    return [f](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      MapRows<Carrier>(arguments, result,
                       [&](const Carrier& value) { return static_cast<Out>(f(value)); });
    };
  };
  switch (call.type(0).id()) {
    case duckdb::LogicalTypeId::INTEGER:
      if (field == "YEAR")
        return of.template operator()<int32_t>(LogicalType::INTEGER, int32_t{},
                                               [](int32_t m) { return m / 12; });
      return of.template operator()<int32_t>(LogicalType::TINYINT, int8_t{},
                                             [](int32_t m) { return m % 12; });
    case duckdb::LogicalTypeId::BIGINT:
      if (field == "DAY")
        return of.template operator()<int64_t>(LogicalType::INTEGER, int32_t{},
                                               [](int64_t u) { return u / kMicrosPerDay; });
      if (field == "HOUR")
        return of.template operator()<int64_t>(LogicalType::TINYINT, int8_t{}, [](int64_t u) {
          return u % kMicrosPerDay / kMicrosPerHour;
        });
      if (field == "MINUTE")
        return of.template operator()<int64_t>(LogicalType::TINYINT, int8_t{}, [](int64_t u) {
          return u % kMicrosPerHour / kMicrosPerMinute;
        });
      return of.template operator()<int64_t>(LogicalType::DECIMAL(8, 6), int32_t{},
                                             [](int64_t u) { return u % kMicrosPerMinute; });
    default:
      break;
  }
  using Interval = duckdb::interval_t;
  call.Expect(0, LogicalType::INTERVAL);
  if (field == "YEAR")
    return of.template operator()<Interval>(LogicalType::INTEGER, int32_t{},
                                            [](const Interval& i) { return i.months / 12; });
  if (field == "MONTH")
    return of.template operator()<Interval>(LogicalType::TINYINT, int8_t{},
                                            [](const Interval& i) { return i.months % 12; });
  if (field == "DAY")
    return of.template operator()<Interval>(LogicalType::INTEGER, int32_t{},
                                            [](const Interval& i) { return i.days; });
  if (field == "HOUR")
    return of.template operator()<Interval>(LogicalType::BIGINT, int64_t{}, [](const Interval& i) {
      return i.micros / kMicrosPerHour;
    });
  if (field == "MINUTE")
    return of.template operator()<Interval>(LogicalType::TINYINT, int8_t{}, [](const Interval& i) {
      return i.micros % kMicrosPerHour / kMicrosPerMinute;
    });
  return of.template operator()<Interval>(
      LogicalType::DECIMAL(8, 6), int32_t{},
      [](const Interval& i) { return i.micros % kMicrosPerMinute; });
}

enum class TruncLevel : uint8_t {
  kNone,
  kMicrosecond,
  kMillisecond,
  kSecond,
  kMinute,
  kHour,
  kDay,
  kWeek,
  kMonth,
  kQuarter,
  kYear
};

TruncLevel ParseTruncLevel(std::string_view text) {
  static const auto* levels =
      new std::map<std::string, TruncLevel>{{"MICROSECOND", TruncLevel::kMicrosecond},
                                            {"MILLISECOND", TruncLevel::kMillisecond},
                                            {"SECOND", TruncLevel::kSecond},
                                            {"MINUTE", TruncLevel::kMinute},
                                            {"HOUR", TruncLevel::kHour},
                                            {"DAY", TruncLevel::kDay},
                                            {"DD", TruncLevel::kDay},
                                            {"WEEK", TruncLevel::kWeek},
                                            {"MON", TruncLevel::kMonth},
                                            {"MONTH", TruncLevel::kMonth},
                                            {"MM", TruncLevel::kMonth},
                                            {"QUARTER", TruncLevel::kQuarter},
                                            {"YEAR", TruncLevel::kYear},
                                            {"YYYY", TruncLevel::kYear},
                                            {"YY", TruncLevel::kYear}};
  const auto found = levels->find(AsciiUpperCase(text));
  return found == levels->end() ? TruncLevel::kNone : found->second;
}

int64_t TruncateDays(int64_t days, TruncLevel level) {
  const CivilDate date = CivilFromDays(days);
  switch (level) {
    case TruncLevel::kWeek:
      return days - IsoDayOfWeek(days) + 1;
    case TruncLevel::kMonth:
      return days - date.day + 1;
    case TruncLevel::kQuarter:
      return DaysFromCivil(date.year, (date.month - 1) / 3 * 3 + 1, 1);
    case TruncLevel::kYear:
      return DaysFromCivil(date.year, 1, 1);
    default:
      return days;
  }
}

int64_t TruncateInstant(int64_t utc, TruncLevel level, const TimeZone& zone) {
  const auto on_the_clock = [&](int64_t unit) {
    const int32_t offset = zone.OffsetAt(FloorDivide(utc, kMicrosPerSecond));
    const int64_t local = utc + offset * kMicrosPerSecond;
    return ToUtcPreferring(zone, local - FloorModulo(local, unit), offset);
  };
  switch (level) {
    case TruncLevel::kMicrosecond:
      return utc;
    case TruncLevel::kMillisecond:
      return utc - FloorModulo(utc, 1000);
    case TruncLevel::kSecond:
      return utc - FloorModulo(utc, kMicrosPerSecond);
    case TruncLevel::kMinute:
      return on_the_clock(kMicrosPerMinute);
    case TruncLevel::kHour:
      return on_the_clock(kMicrosPerHour);
    case TruncLevel::kDay:
      return on_the_clock(kMicrosPerDay);
    default:
      return zone.StartOfDayMicros(TruncateDays(zone.ToLocalDays(utc), level));
  }
}

ScalarKernel BindTrunc(ScalarCall& call) {
  call.Expect(0, LogicalType::DATE);
  call.Expect(1, LogicalType::VARCHAR);
  call.Returns(LogicalType::DATE);
  call.KeepArguments(2);
  call.NeverFails();
  return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<int32_t, std::string_view>(
        arguments, result, [](int32_t days, std::string_view text) -> std::optional<int32_t> {
          const TruncLevel level = ParseTruncLevel(text);
          if (level < TruncLevel::kWeek) return std::nullopt;
          return static_cast<int32_t>(TruncateDays(days, level));
        });
  };
}

/// mg_date_trunc(format, x, zone), x TIMESTAMP or TIMESTAMP_NTZ.
ScalarKernel BindDateTrunc(ScalarCall& call) {
  call.Expect(0, LogicalType::VARCHAR);
  const TimeKind kind = TimeKindOf(call, 1);
  const auto zone = kind == TimeKind::kInstant ? call.Zone(2) : TimeZone::Find("UTC");
  const auto level = call.TryText(0);
  call.Returns(call.type(1));
  call.KeepArguments(2);
  call.NeverFails();
  if (level) {
    return [zone, level = ParseTruncLevel(*level)](duckdb::DataChunk& arguments,
                                                   duckdb::Vector& result) {
      MapVector<int64_t>(arguments.data[1], arguments.size(), result,
                         [&](int64_t utc) -> std::optional<int64_t> {
                           if (level == TruncLevel::kNone) return std::nullopt;
                           return TruncateInstant(utc, level, *zone);
                         });
    };
  }
  return [zone](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<std::string_view, int64_t>(
        arguments, result, [&](std::string_view text, int64_t utc) -> std::optional<int64_t> {
          const TruncLevel row_level = ParseTruncLevel(text);
          if (row_level == TruncLevel::kNone) return std::nullopt;
          return TruncateInstant(utc, row_level, *zone);
        });
  };
}

/// Compiles the patterns of a call; the last one is kept, which is all there is to most columns.
class PatternSource {
 public:
  PatternSource(DatetimePattern::Use use, const CallSite& site) : use_(use), site_(site) {}
  const DatetimePattern& For(std::string_view text) {
    if (pattern_ == nullptr || text != text_) {
      auto compiled = DatetimePattern::Compile(text, use_);
      if (!compiled.ok()) site_.Throw(compiled.error());
      pattern_ = *std::move(compiled);
      text_ = text;
    }
    return *pattern_;
  }

 private:
  DatetimePattern::Use use_;
  const CallSite& site_;
  std::string text_;
  std::shared_ptr<const DatetimePattern> pattern_;
};

/// mg_date_format(x, pattern, zone [, context]).
ScalarKernel BindDateFormat(ScalarCall& call) {
  const TimeKind kind = TimeKindOf(call, 0);
  const auto zone = kind == TimeKind::kInstant ? call.Zone(2) : TimeZone::Find("UTC");
  const CallSite site = call.Context(3);
  call.Expect(1, LogicalType::VARCHAR);
  call.Returns(LogicalType::VARCHAR);
  call.KeepArguments(2);
  const auto kernel = [&]<typename T>(int64_t unit) -> ScalarKernel {
    return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      PatternSource patterns(DatetimePattern::Use::kFormat, site);
      std::string buffer;
      MapRows<T, std::string_view>(arguments, result, [&](T value, std::string_view pattern) {
        buffer.clear();
        patterns.For(pattern).Format(value * unit, *zone, &buffer);
        return std::string_view(buffer);
      });
    };
  };
  if (kind == TimeKind::kDate) return kernel.template operator()<int32_t>(kMicrosPerDay);
  return kernel.template operator()<int64_t>(1);
}

/// mg_from_unixtime(seconds, pattern, zone [, context]).
ScalarKernel BindFromUnixtime(ScalarCall& call) {
  const auto zone = call.Zone(2);
  const CallSite site = call.Context(3);
  call.Expect(0, LogicalType::BIGINT);
  call.Expect(1, LogicalType::VARCHAR);
  call.Returns(LogicalType::VARCHAR);
  call.KeepArguments(2);
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    PatternSource patterns(DatetimePattern::Use::kFormat, site);
    std::string buffer;
    MapRows<int64_t, std::string_view>(
        arguments, result, [&](int64_t seconds, std::string_view pattern) {
          buffer.clear();
          // Java's multiplication by a million wraps.
          const auto micros = static_cast<int64_t>(static_cast<uint64_t>(seconds) *
                                                   static_cast<uint64_t>(kMicrosPerSecond));
          patterns.For(pattern).Format(micros, *zone, &buffer);
          return std::string_view(buffer);
        });
  };
}

/// A kernel of f(text, pattern, zone, mode [, context]): parses and converts with `convert`.
template <typename Parse>
ScalarKernel BindParse(ScalarCall& call, const LogicalType& type, const std::string& alternative,
                       Parse parse) {
  const auto zone = call.Zone(2);
  const CallSite site = call.Site(3);
  call.Expect(0, LogicalType::VARCHAR);
  call.Expect(1, LogicalType::VARCHAR);
  call.Returns(type);
  call.KeepArguments(2);
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    PatternSource patterns(DatetimePattern::Use::kParse, site);
    MapRows<std::string_view, std::string_view>(
        arguments, result, [&](std::string_view text, std::string_view pattern) {
          auto value = parse(patterns.For(pattern), text, *zone);
          if (!value && site.ansi()) {
            site.Throw(Error(ErrorClass::CANNOT_PARSE_TIMESTAMP,
                             {{"message", "Text '" + std::string(text) + "' could not be parsed"},
                              {"func", QuotedId(alternative)}}));
          }
          return value;
        });
  };
}

void AddParsers(FunctionRegistry& registry) {
  registry.Add("mg_to_timestamp", [](ScalarCall& call) {
    return BindParse(call, LogicalType::TIMESTAMP_TZ, "try_to_timestamp",
                     [](const DatetimePattern& pattern, std::string_view text,
                        const TimeZone& zone) { return pattern.Parse(text, zone); });
  });
  registry.Add("mg_to_timestamp_ntz", [](ScalarCall& call) {
    return BindParse(call, LogicalType::TIMESTAMP, "try_to_timestamp",
                     [](const DatetimePattern& pattern, std::string_view text, const TimeZone&) {
                       return pattern.ParseLocal(text);
                     });
  });
  registry.Add("mg_to_date", [](ScalarCall& call) {
    return BindParse(call, LogicalType::DATE, "try_to_date",
                     [](const DatetimePattern& pattern, std::string_view text,
                        const TimeZone& zone) -> std::optional<int32_t> {
                       const auto instant = pattern.Parse(text, zone);
                       if (!instant) return std::nullopt;
                       return static_cast<int32_t>(zone.ToLocalDays(*instant));
                     });
  });
  registry.Add("mg_unix_timestamp", [](ScalarCall& call) {
    return BindParse(call, LogicalType::BIGINT, "try_to_timestamp",
                     [](const DatetimePattern& pattern, std::string_view text,
                        const TimeZone& zone) -> std::optional<int64_t> {
                       const auto instant = pattern.Parse(text, zone);
                       if (!instant) return std::nullopt;
                       return *instant / kMicrosPerSecond;  // Towards zero, unlike unix_seconds.
                     });
  });
}

/// The zones that a column of ids names; a column rarely has more than one.
class ZoneSource {
 public:
  explicit ZoneSource(const CallSite& site) : site_(site) {}
  const TimeZone& For(std::string_view id) {
    if (zone_ == nullptr || id != zone_->id()) {
      zone_ = TimeZone::Find(id);
      if (zone_ == nullptr)
        site_.Throw(Error(ErrorClass::INVALID_TIMEZONE, {{"timeZone", std::string(id)}}));
    }
    return *zone_;
  }

 private:
  const CallSite& site_;
  std::shared_ptr<const TimeZone> zone_;
};

template <typename Convert>
ScalarKernel BindZoneShift(ScalarCall& call, Convert convert) {
  const CallSite site = call.Context(2);
  call.Expect(0, LogicalType::TIMESTAMP_TZ);
  call.Expect(1, LogicalType::VARCHAR);
  call.Returns(LogicalType::TIMESTAMP_TZ);
  call.KeepArguments(2);
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    ZoneSource zones(site);
    MapRows<int64_t, std::string_view>(arguments, result, [&](int64_t micros, std::string_view id) {
      return convert(zones.For(id), micros);
    });
  };
}

/// mg_convert_timezone(from, to, TIMESTAMP_NTZ [, context]).
ScalarKernel BindConvertTimezone(ScalarCall& call) {
  const CallSite site = call.Context(3);
  call.Expect(0, LogicalType::VARCHAR);
  call.Expect(1, LogicalType::VARCHAR);
  call.Expect(2, LogicalType::TIMESTAMP);
  call.Returns(LogicalType::TIMESTAMP);
  call.KeepArguments(3);
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    ZoneSource from_zones(site);
    ZoneSource to_zones(site);
    MapRows<std::string_view, std::string_view, int64_t>(
        arguments, result, [&](std::string_view from, std::string_view to, int64_t local) {
          return to_zones.For(to).ToLocalMicros(from_zones.For(from).ToUtcMicros(local));
        });
  };
}

template <size_t kCount>
ScalarKernel BindName(ScalarCall& call, const std::array<std::string_view, kCount>& names) {
  call.Expect(0, LogicalType::DATE);
  call.Returns(LogicalType::VARCHAR);
  call.KeepArguments(1);
  call.NeverFails();
  return [&names](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<int32_t>(arguments, result, [&](int32_t days) {
      return ShortName(names[static_cast<size_t>(kCount == 7 ? IsoDayOfWeek(days) - 1
                                                             : CivilFromDays(days).month - 1)]);
    });
  };
}

}  // namespace

void RegisterDatetimeFunctions(FunctionRegistry& registry) {
  registry.Add("mg_extract", BindExtract);
  registry.Add("mg_extract_interval", BindExtractInterval);
  registry.Add("mg_trunc", BindTrunc);
  registry.Add("mg_date_trunc", BindDateTrunc);
  registry.Add("mg_date_format", BindDateFormat);
  registry.Add("mg_from_unixtime", BindFromUnixtime);
  AddParsers(registry);
  registry.Add("mg_from_utc_timestamp", [](ScalarCall& call) {
    return BindZoneShift(
        call, [](const TimeZone& zone, int64_t micros) { return zone.ToLocalMicros(micros); });
  });
  registry.Add("mg_to_utc_timestamp", [](ScalarCall& call) {
    return BindZoneShift(
        call, [](const TimeZone& zone, int64_t micros) { return zone.ToUtcMicros(micros); });
  });
  registry.Add("mg_convert_timezone", BindConvertTimezone);
  registry.Add("mg_dayname", [](ScalarCall& call) { return BindName(call, kDayNames); });
  registry.Add("mg_monthname", [](ScalarCall& call) { return BindName(call, kMonthNames); });
}

}  // namespace merganser::engine
