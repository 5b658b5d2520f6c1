#include "merganser/spark/sql/interval_text.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "merganser/base/ascii_text.h"
#include "merganser/base/letter_case.h"
#include "merganser/base/time_units.h"

namespace merganser {
namespace {

bool IsBlank(char c) { return c >= 0 && c <= ' '; }
std::string_view TrimBlanks(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

template <typename T>
bool AddScaled(T& total, int64_t value, int64_t scale) {
  const __int128 sum = static_cast<__int128>(total) + static_cast<__int128>(value) * scale;
  if (sum > std::numeric_limits<T>::max() || sum < std::numeric_limits<T>::min()) return false;
  total = static_cast<T>(sum);
  return true;
}

/// Reads `[sign] number unit` again and again.
class UnitsReader {
 public:
  explicit UnitsReader(std::string_view input)
      : input_(input), text_(AsciiLowerCase(TrimBlanks(input))) {}

  Result<CalendarInterval> Read() {
    if (text_.empty()) return Fail("INPUT_IS_EMPTY");
    while (position_ < text_.size()) {
      MERGANSER_RETURN_IF_ERROR(ReadOne());
      SkipBlanks();
    }
    return interval_;
  }

 private:
  char Current() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  bool AtEnd() const { return position_ >= text_.size(); }
  void SkipBlanks() {
    while (!AtEnd() && IsBlank(Current())) ++position_;
  }

  Error Fail(std::string sub_class, std::string_view parameter = {}, std::string value = {}) const {
    Error::Parameters parameters = {{"input", std::string(input_)}};
    if (!parameter.empty()) parameters.emplace(parameter, std::move(value));
    return Error(ErrorClass::INVALID_INTERVAL_FORMAT, std::move(parameters), std::move(sub_class));
  }

  /// The word around the cursor.
  std::string Word() const {
    size_t begin = std::min(position_, text_.empty() ? 0 : text_.size() - 1);
    while (begin > 0 && !IsBlank(text_[begin - 1])) --begin;
    size_t end = begin;
    while (end < text_.size() && !IsBlank(text_[end])) ++end;
    return text_.substr(begin, end - begin);
  }

  Status ReadOne() {
    if (!IsDigit(Current()) && Current() != '.' && Current() != '+' && Current() != '-') {
      return Fail("UNRECOGNIZED_NUMBER", "number", Word());
    }
    bool negative = false;
    if (Current() == '+' || Current() == '-') {
      negative = Current() == '-';
      ++position_;
      SkipBlanks();
      if (AtEnd()) return Fail("MISSING_NUMBER", "word", Word());
    }
    int64_t value = 0;
    int64_t nanos = 0;
    bool has_fraction = false;
    MERGANSER_RETURN_IF_ERROR(ReadNumber(value, nanos, has_fraction));
    SkipBlanks();
    if (AtEnd()) return Fail("MISSING_UNIT", "word", Word());
    const std::string unit = Word();
    position_ += unit.size();
    return Add(negative ? -value : value, negative ? -nanos : nanos, has_fraction, unit);
  }

  /// Digits with an optional fraction, followed by a blank or the end.
  Status ReadNumber(int64_t& value, int64_t& nanos, bool& has_fraction) {
    for (; IsDigit(Current()); ++position_) {
      const __int128 next = static_cast<__int128>(value) * 10 + (Current() - '0');
      if (next > std::numeric_limits<int64_t>::max()) return Fail("ARITHMETIC_EXCEPTION");
      value = static_cast<int64_t>(next);
    }
    if (Current() == '.') {
      has_fraction = true;
      ++position_;
      int64_t unit = 100'000'000;
      for (; IsDigit(Current()); ++position_) {
        if (unit == 0) return Fail("INVALID_PRECISION", "value", Word());
        nanos += (Current() - '0') * unit;
        unit /= 10;
      }
    }
    if (!AtEnd() && !IsBlank(Current())) return Fail("INVALID_VALUE", "value", Word());
    return Status::Ok();
  }

  Status Add(int64_t value, int64_t nanos, bool has_fraction, const std::string& written_unit) {
    std::string_view unit = written_unit;
    if (unit.ends_with('s')) unit.remove_suffix(1);
    bool fits = true;
    if (has_fraction && unit != "second") {
      static constexpr std::string_view kUnits[] = {"year", "month",  "week",        "day",
                                                    "hour", "minute", "millisecond", "microsecond"};
      const bool known = std::find(std::begin(kUnits), std::end(kUnits), unit) != std::end(kUnits);
      return known ? Fail("INVALID_FRACTION", "unit", written_unit)
                   : Fail("INVALID_UNIT", "unit", written_unit);
    }
    if (unit == "year") {
      fits = AddScaled(interval_.months, value, 12);
    } else if (unit == "month") {
      fits = AddScaled(interval_.months, value, 1);
    } else if (unit == "week") {
      fits = AddScaled(interval_.days, value, 7);
    } else if (unit == "day") {
      fits = AddScaled(interval_.days, value, 1);
    } else if (unit == "hour") {
      fits = AddScaled(interval_.micros, value, kMicrosPerHour);
    } else if (unit == "minute") {
      fits = AddScaled(interval_.micros, value, kMicrosPerMinute);
    } else if (unit == "second") {
      fits = AddScaled(interval_.micros, value, kMicrosPerSecond) &&
             AddScaled(interval_.micros, nanos / 1000, 1);
    } else if (unit == "millisecond") {
      fits = AddScaled(interval_.micros, value, 1000);
    } else if (unit == "microsecond") {
      fits = AddScaled(interval_.micros, value, 1);
    } else {
      return Fail("INVALID_UNIT", "unit", written_unit);
    }
    return fits ? Status::Ok() : Status(Fail("ARITHMETIC_EXCEPTION"));
  }

  std::string_view input_;
  std::string text_;
  size_t position_ = 0;
  CalendarInterval interval_;
};

/// Fields of a day-time interval, as DataType numbers them.
constexpr std::string_view kDayTimeUnits[] = {"day", "hour", "minute", "second"};
constexpr int64_t kDayTimeMicros[] = {kMicrosPerDay, kMicrosPerHour, kMicrosPerMinute,
                                      kMicrosPerSecond};
/// Largest value and most digits of a field that comes first.
constexpr int64_t kFirstLimit[] = {106'751'991, 2'562'047'788, 153'722'867'280, 9'223'372'036'854};
constexpr size_t kFirstDigits[] = {9, 10, 12, 13};
/// The same for a field that follows another.
constexpr int64_t kLaterLimit[] = {0, 23, 59, 59};
constexpr std::string_view kSeparators[] = {"", " ", ":", ":"};
constexpr std::string_view kLetters[] = {"d", "h", "m", "s.n"};

int DayTimeField(std::string_view unit) {
  const auto* const found = std::find(std::begin(kDayTimeUnits), std::end(kDayTimeUnits), unit);
  return found == std::end(kDayTimeUnits) ? -1
                                          : static_cast<int>(found - std::begin(kDayTimeUnits));
}

Error Unmatched(std::string_view input, std::string_view kind, const std::string& format,
                std::string_view from, std::string_view to) {
  const std::string supported = "`[+|-]" + format + "`, `INTERVAL [+|-]'[+|-]" + format + "' " +
                                AsciiUpperCase(from) + " TO " + AsciiUpperCase(to) + "`";
  return Error(
      ErrorClass::INVALID_INTERVAL_FORMAT,
      {{"input", std::string(input)},
       {"intervalStr", std::string(kind)},
       {"supportedFormat", supported},
       {"typeName", "interval " + std::string(from) + " to " + std::string(to)}},
      kind == "day-time" ? "UNMATCHED_FORMAT_STRING_WITH_NOTICE" : "UNMATCHED_FORMAT_STRING");
}

bool TakeSign(std::string_view& text) {
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return false;
  const bool negative = text[0] == '-';
  text.remove_prefix(1);
  return negative;
}

/// Take 1 to `most` digits off the front of `text`.
std::optional<int64_t> TakeDigits(std::string_view& text, size_t most) {
  size_t length = 0;
  int64_t value = 0;
  while (length < text.size() && IsDigit(text[length]) && length < most)
    value = value * 10 + (text[length++] - '0');
  if (length == 0) return std::nullopt;
  text.remove_prefix(length);
  return value;
}

Result<plan::Literal> ReadYearMonth(std::string_view input) {
  std::string_view text = TrimBlanks(input);
  const bool negative = TakeSign(text);
  const size_t dash = text.find('-');
  const std::string_view year_text = text.substr(0, dash);
  const std::string_view month_text =
      dash == text.npos ? std::string_view() : text.substr(dash + 1);
  const auto is_number = [](std::string_view part) {
    return !part.empty() && std::all_of(part.begin(), part.end(), IsDigit);
  };
  if (!is_number(year_text) || !is_number(month_text))
    return Unmatched(input, "year-month", "y-m", "year", "month");
  std::string_view year_digits =
      year_text.substr(std::min(year_text.find_first_not_of('0'), year_text.size()));
  std::string_view month_digits =
      month_text.substr(std::min(month_text.find_first_not_of('0'), month_text.size()));
  int32_t months = 0;
  const bool fits = year_digits.size() <= 10 && month_digits.size() <= 2 &&
                    AddScaled(months, TakeDigits(year_digits, 10).value_or(0), negative ? -12 : 12);
  const int64_t month = fits ? TakeDigits(month_digits, 2).value_or(0) : 0;
  if (!fits || month > 11 || !AddScaled(months, month, negative ? -1 : 1)) {
    return Error(ErrorClass::INVALID_INTERVAL_FORMAT,
                 {{"input", std::string(input)}, {"interval", "year-month"}}, "INTERVAL_PARSING");
  }
  return plan::Literal{DataType::YearMonthInterval(0, 1), int64_t{months}};
}

Result<plan::Literal> ReadDayTime(std::string_view input, int from, int to) {
  std::string format;
  for (int field = from; field <= to; ++field) {
    if (field > from) format += kSeparators[field];
    format += kLetters[field];
  }
  const Error unmatched =
      Unmatched(input, "day-time", format, kDayTimeUnits[from], kDayTimeUnits[to]);
  std::string_view text = TrimBlanks(input);
  const int64_t sign = TakeSign(text) ? -1 : 1;
  int64_t micros = 0;
  for (int field = from; field <= to; ++field) {
    if (field > from) {
      if (!text.starts_with(kSeparators[field])) return unmatched;
      text.remove_prefix(1);
    }
    const auto value = TakeDigits(text, field == from ? kFirstDigits[field] : 2);
    if (!value) return unmatched;
    int64_t nanos = 0;
    if (field == 3 && text.starts_with('.')) {
      text.remove_prefix(1);
      int64_t unit = 100'000'000;
      if (text.empty() || text.size() > 9) return unmatched;
      for (; !text.empty() && IsDigit(text[0]); text.remove_prefix(1), unit /= 10)
        nanos += (text[0] - '0') * unit;
    }
    if (field == to && !text.empty()) return unmatched;
    const int64_t limit = field == from ? kFirstLimit[field] : kLaterLimit[field];
    if (*value > limit) {
      return Error(ErrorClass::_LEGACY_ERROR_TEMP_0063,
                   {{"msg", "requirement failed: " + std::string(kDayTimeUnits[field]) + " " +
                                std::to_string(*value) + " outside range [0, " +
                                std::to_string(limit) + "]"}});
    }
    if (!AddScaled(micros, *value, sign * kDayTimeMicros[field]) ||
        !AddScaled(micros, nanos / 1000, sign)) {
      return Error(ErrorClass::INTERVAL_ARITHMETIC_OVERFLOW, {}, "WITHOUT_SUGGESTION");
    }
  }
  return plan::Literal{DataType::DayTimeInterval(from, to), micros};
}

}  // namespace

Result<CalendarInterval> ReadIntervalUnits(std::string_view text) {
  return UnitsReader(text).Read();
}

Result<plan::Literal> ReadIntervalFromTo(std::string_view text, std::string_view from,
                                         std::string_view to) {
  if (from == "year" && to == "month") return ReadYearMonth(text);
  const int first = DayTimeField(from);
  const int last = DayTimeField(to);
  if (first < 0 || last <= first) {
    return Error(
        ErrorClass::INVALID_INTERVAL_FORMAT,
        {{"input", std::string(text)}, {"from", std::string(from)}, {"to", std::string(to)}},
        "UNSUPPORTED_FROM_TO_EXPRESSION");
  }
  return ReadDayTime(text, first, last);
}

Result<plan::Literal> IntervalLiteral(const CalendarInterval& interval,
                                      const std::vector<std::string>& units,
                                      std::string_view written) {
  std::vector<int> year_month;
  std::vector<int> day_time;
  for (std::string_view unit : units) {
    if (unit.ends_with('s')) unit.remove_suffix(1);
    if (unit == "year" || unit == "month") {
      year_month.push_back(unit == "month" ? 1 : 0);
    } else if (unit == "week") {
      day_time.push_back(0);
    } else {
      const int field = DayTimeField(unit);
      day_time.push_back(field < 0 ? 3 : field);
    }
  }
  if (!year_month.empty() && !day_time.empty()) {
    return Error(ErrorClass::_LEGACY_ERROR_TEMP_0029, {{"literal", std::string(written)}});
  }
  if (!year_month.empty()) {
    const auto [least, most] = std::minmax_element(year_month.begin(), year_month.end());
    return plan::Literal{DataType::YearMonthInterval(*least, *most), int64_t{interval.months}};
  }
  const auto micros = interval.MicrosWithoutMonths();
  if (!micros) return Error(ErrorClass::INTERVAL_ARITHMETIC_OVERFLOW, {}, "WITHOUT_SUGGESTION");
  if (day_time.empty()) day_time.push_back(0);
  const auto [least, most] = std::minmax_element(day_time.begin(), day_time.end());
  return plan::Literal{DataType::DayTimeInterval(*least, *most), *micros};
}

}  // namespace merganser
