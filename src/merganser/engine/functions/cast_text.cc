// Casts to and from text.
#include <limits>

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/functions/cast.h"
#include "merganser/engine/functions/cell_text.h"
#include "merganser/engine/functions/datetime_text.h"
#include "merganser/engine/functions/decimal_math.h"
#include "merganser/engine/functions/interval_text.h"
#include "merganser/engine/functions/number_text.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/spark_text.h"

namespace merganser::engine {
namespace {

/// A kernel that parses text with `parse`; text it refuses is CAST_INVALID_INPUT or NULL.
template <typename Parse>
CastKernel ParseKernel(const DataType& from, const DataType& to, const CastSettingsPtr& settings,
                       Parse parse) {
  return [=](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
    MapVector<std::string_view>(source, count, result, [&](std::string_view text) {
      auto value = parse(text);
      if (!value && settings->site.ansi()) settings->InvalidInput(QuotedValue(text), from, to);
      return value;
    });
  };
}

template <typename T>
CastKernel IntegerKernel(const DataType& from, const DataType& to,
                         const CastSettingsPtr& settings) {
  return ParseKernel(from, to, settings,
                     [fraction = settings->site.legacy()](std::string_view text) {
                       return ParseInteger<T>(text, fraction);
                     });
}

/// A kernel over a parser that gives its own errors.
template <typename T, typename Parse>
CastKernel ResultKernel(const CastSettingsPtr& settings, Parse parse) {
  return [=](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
    MapVector<std::string_view>(source, count, result,
                                [&](std::string_view text) -> std::optional<T> {
                                  auto value = parse(text);
                                  if (value.ok()) return *value;
                                  // Legacy casts to ANSI intervals fail as well; only TRY_CAST
                                  // forgives.
                                  if (settings->site.mode != EvalMode::kTry)
                                    settings->site.Throw(value.error());
                                  return std::nullopt;
                                });
  };
}

CastKernel DecimalKernel(const DataType& from, const DataType& to,
                         const CastSettingsPtr& settings) {
  return [=](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
    MapVector<std::string_view>(
        source, count, result, [&](std::string_view text) -> std::optional<DecimalCell> {
          const auto number = ParseBigDecimal(TrimJava(text));
          if (!number) {
            if (settings->site.ansi()) settings->InvalidInput(QuotedValue(text), from, to);
            return std::nullopt;
          }
          if (IntegralDigits(*number) > kMaxDecimalPrecision && number->digits != "0") {
            if (settings->site.ansi()) {
              settings->site.Throw(Error(ErrorClass::NUMERIC_OUT_OF_SUPPORTED_RANGE,
                                         {{"value", std::string(text)}}));
            }
            return std::nullopt;
          }
          const auto value = ToDecimal(*number, to.precision(), to.scale());
          if (value) return DecimalCell{*value};
          if (settings->site.ansi()) settings->OutOfPrecision(ToPlainString(*number), to);
          return std::nullopt;
        });
  };
}

/// Values of a constant are computed once; others one row after the other into a shared buffer.
template <typename Arg, typename Append>
CastKernel WriteKernel(Append append) {
  return [=](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
    std::string buffer;
    MapVector<Arg>(source, count, result, [&](Arg value) {
      buffer.clear();
      append(value, &buffer);
      return std::string_view(buffer);
    });
  };
}

CastKernel GenericWriteKernel(const DataType& from, const TextStyle& style) {
  return [=](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
    duckdb::RecursiveUnifiedVectorFormat column;
    const bool constant = source.GetVectorType() == duckdb::VectorType::CONSTANT_VECTOR;
    duckdb::Vector::RecursiveToUnifiedFormat(source, count, column);
    FlatResult out(result, constant);
    std::string buffer;
    for (duckdb::idx_t row = 0; row < (constant ? std::min<duckdb::idx_t>(count, 1) : count);
         ++row) {
      if (!column.unified.validity.RowIsValid(column.unified.sel->get_index(row))) {
        out.SetNull(row);
        continue;
      }
      buffer.clear();
      AppendCellText(from, column, row, style, &buffer);
      Cell<std::string_view>::Write(out, row, buffer);
    }
  };
}

}  // namespace

CastKernel MakeTextCast(const DataType& from, const DataType& to, const CastSettingsPtr& settings) {
  if (to.is(TypeId::kBinary)) {
    if (from.is_string()) return ShareKernel();
    const auto bytes = [](auto value) {
      std::string out;
      for (int shift = static_cast<int>(sizeof(value) - 1) * 8; shift >= 0; shift -= 8) {
        out += static_cast<char>(value >> shift);
      }
      return out;
    };
    const auto kernel = [bytes]<typename T>(T) -> CastKernel {
      return [bytes](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
        MapVector<T>(source, count, result, bytes);
      };
    };
    if (from.is(TypeId::kByte)) return kernel(int8_t{});
    if (from.is(TypeId::kShort)) return kernel(int16_t{});
    if (from.is(TypeId::kInteger)) return kernel(int32_t{});
    if (from.is(TypeId::kLong)) return kernel(int64_t{});
    return nullptr;
  }
  if (!to.is_string()) return nullptr;
  switch (from.id()) {
    case TypeId::kString:
    case TypeId::kChar:
    case TypeId::kVarchar:
      return ShareKernel();
    case TypeId::kInteger:
      return WriteKernel<int32_t>(
          [](int32_t value, std::string* out) { AppendInteger(value, out); });
    case TypeId::kLong:
      return WriteKernel<int64_t>(
          [](int64_t value, std::string* out) { AppendInteger(value, out); });
    case TypeId::kDate:
      return WriteKernel<int32_t>([](int32_t value, std::string* out) { AppendDate(value, out); });
    case TypeId::kTimestamp:
      return WriteKernel<int64_t>([zone = settings->zone](int64_t value, std::string* out) {
        AppendTimestamp(zone->ToLocalMicros(value), out);
      });
    case TypeId::kTimestampNtz:
      return WriteKernel<int64_t>(
          [](int64_t value, std::string* out) { AppendTimestamp(value, out); });
    default:
      return GenericWriteKernel(from, TextStyle{settings->zone, !settings->site.legacy()});
  }
}

CastKernel MakeTextParse(const DataType& from, const DataType& to,
                         const CastSettingsPtr& settings) {
  switch (to.id()) {
    case TypeId::kBoolean:
      return ParseKernel(from, to, settings, ParseBoolean);
    case TypeId::kByte:
      return IntegerKernel<int8_t>(from, to, settings);
    case TypeId::kShort:
      return IntegerKernel<int16_t>(from, to, settings);
    case TypeId::kInteger:
      return IntegerKernel<int32_t>(from, to, settings);
    case TypeId::kLong:
      return IntegerKernel<int64_t>(from, to, settings);
    case TypeId::kFloat:
      return ParseKernel(from, to, settings, ParseFloating<float>);
    case TypeId::kDouble:
      return ParseKernel(from, to, settings, ParseFloating<double>);
    case TypeId::kDecimal:
      return DecimalKernel(from, to, settings);
    case TypeId::kDate:
      return ParseKernel(from, to, settings,
                         [](std::string_view text) { return engine::ParseDate(text); });
    case TypeId::kTimestamp:
      return ParseKernel(
          from, to, settings,
          [zone = settings->zone, now = settings->now_micros](std::string_view text) {
            return engine::ParseTimestamp(text, *zone, now);
          });
    case TypeId::kTimestampNtz:
      return ParseKernel(from, to, settings,
                         [](std::string_view text) { return ParseTimestampNtz(text); });
    case TypeId::kYearMonthInterval:
      return ResultKernel<int32_t>(
          settings, [to](std::string_view text) { return ParseYearMonthInterval(text, to); });
    case TypeId::kDayTimeInterval:
      return ResultKernel<int64_t>(
          settings, [to](std::string_view text) { return ParseDayTimeInterval(text, to); });
    case TypeId::kCalendarInterval:
      return ParseKernel(
          from, to, settings, [](std::string_view text) -> std::optional<duckdb::interval_t> {
            const auto interval = ParseCalendarInterval(text);
            if (!interval) return std::nullopt;
            return duckdb::interval_t{interval->months, interval->days, interval->micros};
          });
    default:
      return nullptr;
  }
}

}  // namespace merganser::engine
