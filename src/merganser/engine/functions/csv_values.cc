#include "merganser/engine/functions/csv_values.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "merganser/engine/functions/civil_time.h"
#include "merganser/engine/functions/datetime_text.h"
#include "merganser/engine/functions/decimal_math.h"
#include "merganser/engine/functions/interval_text.h"
#include "merganser/engine/functions/number_text.h"
#include "merganser/engine/functions/rows.h"

namespace merganser::engine {
namespace {

using duckdb::idx_t;

/// Java's parseInt: no blanks, which Spark's casts allow.
template <typename T>
std::optional<T> ParseWhole(std::string_view text) {
  if (text.empty() || static_cast<unsigned char>(text.front()) <= ' ' ||
      static_cast<unsigned char>(text.back()) <= ' ') {
    return std::nullopt;
  }
  return ParseInteger<T>(text, false);
}

/// Java's parseDouble and the names that the options give to what is no number.
template <typename T>
std::optional<T> ParseReal(std::string_view text, const TextFormatOptions& options) {
  if (text == options.nan_value) return std::numeric_limits<T>::quiet_NaN();
  if (text == options.positive_infinity) return std::numeric_limits<T>::infinity();
  if (text == options.negative_infinity) return -std::numeric_limits<T>::infinity();
  // Casts take these names in any case, parseDouble does not.
  std::string_view name = TrimJava(text);
  if (!name.empty() && (name[0] == '+' || name[0] == '-')) name.remove_prefix(1);
  const bool worded =
      !name.empty() && (name[0] == 'i' || name[0] == 'I' || name[0] == 'n' || name[0] == 'N');
  if (worded && name != "NaN" && name != "Infinity") return std::nullopt;
  return ParseFloating<T>(text);
}

std::string WithoutCommas(std::string_view text) {
  std::string plain(text);
  std::erase(plain, ',');
  return plain;
}

std::optional<bool> ParseWord(std::string_view text) {
  const auto is = [&](std::string_view word) {
    return std::equal(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) {
      return std::tolower(static_cast<unsigned char>(a)) == b;
    });
  };
  if (is("true")) return true;
  if (is("false")) return false;
  return std::nullopt;
}

std::optional<int64_t> ParseLocalTime(std::string_view text, const TextFormatOptions& options) {
  if (options.timestamp_ntz_parser != nullptr)
    return options.timestamp_ntz_parser->ParseLocal(text);
  // A zone after the date is refused.
  constexpr size_t kDateLength = 8;
  if (text.find_first_of("+-Zz", kDateLength) != std::string_view::npos) return std::nullopt;
  return ParseTimestampNtz(text);
}

std::optional<int64_t> ParseInstant(std::string_view text, const TextFormatOptions& options) {
  if (options.timestamp_parser != nullptr)
    return options.timestamp_parser->Parse(text, *options.zone);
  return engine::ParseTimestamp(text, *options.zone, options.now_micros);
}

std::optional<int32_t> ParseDay(std::string_view text, const TextFormatOptions& options) {
  if (options.date_parser == nullptr) return engine::ParseDate(text);
  const auto local = options.date_parser->ParseLocal(text);
  if (!local) return std::nullopt;
  return static_cast<int32_t>(FloorDivide(*local, kMicrosPerDay));
}

template <typename T>
bool Write(duckdb::Vector& out, idx_t row, const std::optional<T>& value) {
  if (!value) return false;
  WriteCell<T>(out, row, *value);
  return true;
}

bool WriteScalar(const DataType& type, std::string_view text, const TextFormatOptions& options,
                 duckdb::Vector& out, idx_t row) {
  switch (type.id()) {
    case TypeId::kBoolean:
      return Write(out, row, ParseWord(text));
    case TypeId::kByte:
      return Write(out, row, ParseWhole<int8_t>(text));
    case TypeId::kShort:
      return Write(out, row, ParseWhole<int16_t>(text));
    case TypeId::kInteger:
      return Write(out, row, ParseWhole<int32_t>(text));
    case TypeId::kLong:
      return Write(out, row, ParseWhole<int64_t>(text));
    case TypeId::kFloat:
      return Write(out, row, ParseReal<float>(text, options));
    case TypeId::kDouble:
      return Write(out, row, ParseReal<double>(text, options));
    case TypeId::kDecimal: {
      const auto number = ParseBigDecimal(WithoutCommas(text));
      const auto unscaled =
          number ? ToDecimal(*number, type.precision(), type.scale()) : std::nullopt;
      if (!unscaled) return false;
      WriteCell<DecimalCell>(out, row, {*unscaled});
      return true;
    }
    case TypeId::kBinary:
      WriteCell<std::string_view>(out, row, text);
      return true;
    case TypeId::kDate:
      return Write(out, row, ParseDay(text, options));
    case TypeId::kTimestamp:
      return Write(out, row, ParseInstant(text, options));
    case TypeId::kTimestampNtz:
      return Write(out, row, ParseLocalTime(text, options));
    case TypeId::kYearMonthInterval: {
      const auto months = ParseYearMonthInterval(text, type);
      if (months.ok()) WriteCell<int32_t>(out, row, *months);
      return months.ok();
    }
    case TypeId::kDayTimeInterval: {
      const auto micros = ParseDayTimeInterval(text, type);
      if (micros.ok()) WriteCell<int64_t>(out, row, *micros);
      return micros.ok();
    }
    case TypeId::kCalendarInterval: {
      const auto interval = ParseCalendarInterval(text);
      if (interval) {
        WriteCell<duckdb::interval_t>(out, row,
                                      {interval->months, interval->days, interval->micros});
      }
      return interval.has_value();
    }
    default:
      return false;
  }
}

}  // namespace

bool WriteCsvValue(const DataType& type, const CsvField& field, const TextFormatOptions& options,
                   duckdb::Vector& out, idx_t row) {
  if (IsCsvNull(field, options)) {
    WriteNull(out, row);
    return true;
  }
  const std::string_view text =
      field.text.empty() ? std::string_view(options.empty_value) : field.text;
  if (type.is_string()) {
    WriteCell<std::string_view>(out, row, text);
    return true;
  }
  if (WriteScalar(type, text, options, out, row)) return true;
  WriteNull(out, row);
  return false;
}

std::vector<size_t> CsvColumns(const DataType& schema, const TextFormatOptions& options) {
  std::vector<size_t> columns;
  for (size_t i = 0; i < schema.fields().size(); ++i) {
    if (schema.fields()[i].name != options.corrupt_column) columns.push_back(i);
  }
  return columns;
}

DataType InferCsvType(const DataType& so_far, std::string_view text,
                      const TextFormatOptions& options) {
  if (so_far.is_string()) return so_far;
  const bool number = so_far.is(TypeId::kNull) || so_far.is_numeric();
  if (number) {
    if (!so_far.is(TypeId::kLong) && !so_far.is(TypeId::kDecimal) && !so_far.is(TypeId::kDouble) &&
        ParseWhole<int32_t>(text)) {
      return MergeCsvTypes(so_far, DataType::Integer());
    }
    if (!so_far.is(TypeId::kDecimal) && !so_far.is(TypeId::kDouble) && ParseWhole<int64_t>(text))
      return MergeCsvTypes(so_far, DataType::Long());
    if (!so_far.is(TypeId::kDouble)) {
      const std::string plain = WithoutCommas(text);
      const size_t sign = !plain.empty() && (plain[0] == '-' || plain[0] == '+') ? 1 : 0;
      const bool digits = plain.size() > sign &&
                          std::all_of(plain.begin() + static_cast<int64_t>(sign), plain.end(),
                                      [](char c) { return c >= '0' && c <= '9'; });
      if (digits) {
        const size_t zeros = std::min(plain.find_first_not_of('0', sign), plain.size() - 1);
        const size_t precision = plain.size() - zeros;
        if (precision <= static_cast<size_t>(kMaxDecimalPrecision)) {
          return MergeCsvTypes(so_far, DataType::Decimal(static_cast<int>(precision), 0));
        }
      }
    }
    if (ParseReal<double>(text, options)) return MergeCsvTypes(so_far, DataType::Double());
  }
  const bool date = number || so_far.is(TypeId::kDate);
  if (date && options.prefers_date) {
    const bool strict =
        options.date_parser != nullptr || (text.size() == 10 && text[4] == '-' && text[7] == '-');
    if (strict && ParseDay(text, options)) return MergeCsvTypes(so_far, DataType::Date());
  }
  if (date || so_far.is(TypeId::kTimestamp)) {
    // A lone number is no time, though casts take a year for a date.
    if (ParseInstant(text, options)) return MergeCsvTypes(so_far, DataType::Timestamp());
  }
  if (ParseWord(text)) return MergeCsvTypes(so_far, DataType::Boolean());
  return DataType::String();
}

DataType MergeCsvTypes(const DataType& a, const DataType& b) {
  if (a.SameType(b) || b.is(TypeId::kNull)) return a;
  if (a.is(TypeId::kNull)) return b;
  if (a.is_numeric() && b.is_numeric()) {
    if (a.is(TypeId::kDouble) || b.is(TypeId::kDouble)) return DataType::Double();
    const auto digits = [](const DataType& type) {
      if (type.is(TypeId::kDecimal)) return type.precision();
      return type.is(TypeId::kLong) ? 20 : 10;
    };
    if (a.is(TypeId::kDecimal) || b.is(TypeId::kDecimal))
      return DataType::Decimal(std::max(digits(a), digits(b)), 0);
    return DataType::Long();
  }
  const auto is_time = [](const DataType& type) {
    return type.is(TypeId::kDate) || type.is(TypeId::kTimestamp);
  };
  if (is_time(a) && is_time(b)) return DataType::Timestamp();
  return DataType::String();
}

}  // namespace merganser::engine
