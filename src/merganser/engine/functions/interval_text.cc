#include "merganser/engine/functions/interval_text.h"

#include <array>
#include <cctype>
#include <cstdlib>

#include "merganser/engine/functions/civil_time.h"
#include "merganser/engine/functions/decimal_math.h"
#include "merganser/engine/functions/number_text.h"

namespace merganser::engine {
namespace {

constexpr std::array<std::string_view, 2> kYearMonthNames = {"YEAR", "MONTH"};
constexpr std::array<std::string_view, 4> kDayTimeNames = {"DAY", "HOUR", "MINUTE", "SECOND"};
constexpr std::array<int64_t, 4> kDayTimeMicros = {kMicrosPerDay, kMicrosPerHour, kMicrosPerMinute,
                                                   kMicrosPerSecond};

bool StartsWithWord(std::string_view text, std::string_view upper_word) {
  if (text.size() < upper_word.size()) return false;
  for (size_t i = 0; i < upper_word.size(); ++i) {
    if (std::toupper(static_cast<unsigned char>(text[i])) != upper_word[i]) return false;
  }
  return true;
}

std::string FieldRange(const DataType& type) {
  const bool year_month = type.is(TypeId::kYearMonthInterval);
  const auto name = [&](int field) {
    return std::string(year_month ? kYearMonthNames[static_cast<size_t>(field)]
                                  : kDayTimeNames[static_cast<size_t>(field)]);
  };
  const std::string start = name(type.start_field());
  return type.start_field() == type.end_field() ? start : start + " TO " + name(type.end_field());
}

/// "d h:m:s.n": the letters of the fields and what separates them.
std::string FieldLetters(const DataType& type) {
  if (type.is(TypeId::kYearMonthInterval)) {
    return type.start_field() != type.end_field() ? "y-m" : type.start_field() == 0 ? "y" : "m";
  }
  std::string out;
  for (int field = type.start_field(); field <= type.end_field(); ++field) {
    if (!out.empty()) out += field == 1 ? ' ' : ':';
    out += field == 3 ? "s.n" : std::string(1, "dhm"[field]);
  }
  return out;
}

Error MalformedInterval(std::string_view text, const DataType& type) {
  const bool year_month = type.is(TypeId::kYearMonthInterval);
  const std::string letters = FieldLetters(type);
  std::string type_name = "interval " + FieldRange(type);
  for (char& c : type_name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return Error(ErrorClass::INVALID_INTERVAL_FORMAT,
               {{"intervalStr", year_month ? "year-month" : "day-time"},
                {"supportedFormat", "`[+|-]" + letters + "`, `INTERVAL [+|-]'[+|-]" + letters +
                                        "' " + FieldRange(type) + "`"},
                {"typeName", type_name},
                {"input", std::string(text)}},
               year_month ? "UNMATCHED_FORMAT_STRING" : "UNMATCHED_FORMAT_STRING_WITH_NOTICE");
}

Error IntervalOutOfRange(std::string_view text, const DataType& type) {
  return Error(ErrorClass::INVALID_INTERVAL_FORMAT,
               {{"interval", type.is(TypeId::kYearMonthInterval) ? "year-month" : "day-time"},
                {"input", std::string(text)}},
               "INTERVAL_PARSING");
}

/// The part of an interval's text between the quotes of INTERVAL '...' RANGE, or the text itself.
struct IntervalBody {
  std::string_view text;
  bool negative = false;
};

std::optional<IntervalBody> StripLiteral(std::string_view text, const DataType& type) {
  text = TrimAll(text);
  IntervalBody body{text};
  const auto take_sign = [&body] {
    if (!body.text.empty() && (body.text[0] == '+' || body.text[0] == '-')) {
      if (body.text[0] == '-') body.negative = !body.negative;
      body.text.remove_prefix(1);
    }
  };
  const auto skip_space = [&body] {
    const auto before = body.text.size();
    while (!body.text.empty() && std::isspace(static_cast<unsigned char>(body.text[0])))
      body.text.remove_prefix(1);
    return body.text.size() != before;
  };
  if (StartsWithWord(text, "INTERVAL")) {
    body.text.remove_prefix(8);
    if (!skip_space()) return std::nullopt;
    take_sign();
    if (body.text.empty() || body.text[0] != '\'') return std::nullopt;
    const size_t end = body.text.find('\'', 1);
    if (end == std::string_view::npos) return std::nullopt;
    std::string words;
    for (const char c : body.text.substr(end + 1)) {
      if (!std::isspace(static_cast<unsigned char>(c))) {
        words += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      } else if (!words.empty() && words.back() != ' ') {
        words += ' ';
      }
    }
    if (words != FieldRange(type) ||
        !std::isspace(static_cast<unsigned char>(body.text.substr(end + 1)[0])))
      return std::nullopt;
    body.text = body.text.substr(1, end - 1);
  }
  take_sign();
  return body;
}

/// Digits at the front of `text`, up to `max` of them.
std::string_view TakeDigits(std::string_view* text, size_t max) {
  size_t n = 0;
  while (n < text->size() && n < max && std::isdigit(static_cast<unsigned char>((*text)[n]))) ++n;
  const auto digits = text->substr(0, n);
  text->remove_prefix(n);
  return digits;
}

std::optional<int64_t> ToLong(std::string_view digits) {
  return ParseInteger<int64_t>(digits, false);
}

class CalendarReader {
 public:
  explicit CalendarReader(std::string_view text) : rest_(TrimAll(text)) {}
  std::optional<CalendarInterval> Read();

 private:
  bool SkipSpace() {
    const size_t before = rest_.size();
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_[0])))
      rest_.remove_prefix(1);
    return rest_.size() != before;
  }
  bool ReadPart();

  std::string_view rest_;
  CalendarInterval interval_;
};

bool CalendarReader::ReadPart() {
  int64_t sign = 1;
  if (rest_[0] == '-' || rest_[0] == '+') {
    sign = rest_[0] == '-' ? -1 : 1;
    rest_.remove_prefix(1);
    SkipSpace();
  }
  const auto digits = TakeDigits(&rest_, 20);
  int64_t fraction_micros = 0;
  bool fraction = false;
  if (!rest_.empty() && rest_[0] == '.') {
    rest_.remove_prefix(1);
    fraction = true;
    const auto places = TakeDigits(&rest_, 10);
    if (places.size() > 9 || (places.empty() && digits.empty())) return false;
    int64_t unit = 100'000;
    for (size_t i = 0; i < places.size() && i < 6; ++i, unit /= 10)
      fraction_micros += (places[i] - '0') * unit;
  } else if (digits.empty()) {
    return false;
  }
  const auto number = digits.empty() ? std::optional<int64_t>(0) : ToLong(digits);
  if (!number || !SkipSpace()) return false;
  std::string unit;
  while (!rest_.empty() && std::isalpha(static_cast<unsigned char>(rest_[0]))) {
    unit += static_cast<char>(std::tolower(static_cast<unsigned char>(rest_[0])));
    rest_.remove_prefix(1);
  }
  if (!rest_.empty() && !SkipSpace()) return false;
  if (unit.size() > 1 && unit.back() == 's') unit.pop_back();
  const int64_t value = sign * *number;
  if (fraction && unit != "second") return false;
  const auto add_months = [&](int64_t months) {
    int64_t product = 0;
    return !__builtin_mul_overflow(value, months, &product) && product >= INT32_MIN &&
           product <= INT32_MAX &&
           !__builtin_add_overflow(interval_.months, static_cast<int32_t>(product),
                                   &interval_.months);
  };
  const auto add_days = [&](int64_t days) {
    int64_t product = 0;
    return !__builtin_mul_overflow(value, days, &product) && product >= INT32_MIN &&
           product <= INT32_MAX &&
           !__builtin_add_overflow(interval_.days, static_cast<int32_t>(product), &interval_.days);
  };
  const auto add_micros = [&](int64_t micros) {
    int64_t product = 0;
    return !__builtin_mul_overflow(value, micros, &product) &&
           !__builtin_add_overflow(interval_.micros, product, &interval_.micros);
  };
  if (unit == "year") return add_months(12);
  if (unit == "month") return add_months(1);
  if (unit == "week") return add_days(7);
  if (unit == "day") return add_days(1);
  if (unit == "hour") return add_micros(kMicrosPerHour);
  if (unit == "minute") return add_micros(kMicrosPerMinute);
  if (unit == "second") {
    return add_micros(kMicrosPerSecond) &&
           !__builtin_add_overflow(interval_.micros, sign * fraction_micros, &interval_.micros);
  }
  if (unit == "millisecond") return add_micros(1000);
  if (unit == "microsecond") return add_micros(1);
  return false;
}

std::optional<CalendarInterval> CalendarReader::Read() {
  if (StartsWithWord(rest_, "INTERVAL")) {
    rest_.remove_prefix(8);
    if (!SkipSpace()) return std::nullopt;
  }
  if (rest_.empty()) return std::nullopt;
  while (!rest_.empty()) {
    if (!ReadPart()) return std::nullopt;
  }
  return interval_;
}

void AppendSeconds(uint64_t micros, std::string* out) {
  AppendInteger(static_cast<int64_t>(micros / kMicrosPerSecond), out);
  const auto fraction = static_cast<int64_t>(micros % kMicrosPerSecond);
  if (fraction == 0) return;
  *out += '.';
  AppendPadded(fraction, 6, out);
  out->erase(out->find_last_not_of('0') + 1);
}

uint64_t Magnitude(int64_t value) {
  return value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
}

}  // namespace

int64_t DayTimeFieldMicros(int field) { return kDayTimeMicros[static_cast<size_t>(field)]; }

Result<int32_t> ParseYearMonthInterval(std::string_view text, const DataType& type) {
  auto body = StripLiteral(text, type);
  if (!body) return MalformedInterval(text, type);
  std::string_view rest = body->text;
  const auto first = TakeDigits(&rest, SIZE_MAX);
  std::string_view second;
  const bool pair = !rest.empty() && rest[0] == '-';
  if (pair) {
    rest.remove_prefix(1);
    second = TakeDigits(&rest, SIZE_MAX);
  }
  if (first.empty() || !rest.empty() || (pair && second.empty()))
    return MalformedInterval(text, type);
  if (pair && type.start_field() == type.end_field()) return MalformedInterval(text, type);
  // A single number is taken by the types of one field, and as months by none.
  if (!pair && type.start_field() != type.end_field()) return MalformedInterval(text, type);
  const auto major = ToLong(first);
  const auto minor = pair ? ToLong(second) : std::optional<int64_t>(0);
  if (!major || !minor || *minor > 11) return IntervalOutOfRange(text, type);
  int64_t months = 0;
  if (__builtin_mul_overflow(*major, type.start_field() == 0 ? 12 : 1, &months))
    return IntervalOutOfRange(text, type);
  months += *minor;
  if (body->negative) months = -months;
  if (months > INT32_MAX || months < INT32_MIN) return IntervalOutOfRange(text, type);
  return static_cast<int32_t>(months);
}

Result<int64_t> ParseDayTimeInterval(std::string_view text, const DataType& type) {
  const auto body = StripLiteral(text, type);
  if (!body) return MalformedInterval(text, type);
  std::string_view rest = body->text;
  Int128 micros = 0;
  bool in_range = true;
  for (int field = type.start_field(); field <= type.end_field(); ++field) {
    const bool leading = field == type.start_field();
    if (!leading) {
      const char separator = field == 1 ? ' ' : ':';
      if (rest.empty() || rest[0] != separator) return MalformedInterval(text, type);
      rest.remove_prefix(1);
    }
    const auto digits = TakeDigits(&rest, leading ? SIZE_MAX : 2);
    if (digits.empty()) return MalformedInterval(text, type);
    const auto value = ToLong(digits);
    // The whole text has to have the format before a number in it can be out of range.
    if (!value || (!leading && *value > (field == 1 ? 23 : 59))) in_range = false;
    micros += Int128{value.value_or(0)} * DayTimeFieldMicros(field);
    if (field == 3 && !rest.empty() && rest[0] == '.') {
      rest.remove_prefix(1);
      const auto places = TakeDigits(&rest, 9);
      if (places.empty()) return MalformedInterval(text, type);
      int64_t unit = 100'000;
      for (size_t i = 0; i < places.size() && i < 6; ++i, unit /= 10)
        micros += Int128{places[i] - '0'} * unit;
    }
  }
  if (!rest.empty()) return MalformedInterval(text, type);
  if (body->negative) micros = -micros;
  if (!in_range || micros > INT64_MAX || micros < INT64_MIN) return IntervalOutOfRange(text, type);
  return static_cast<int64_t>(micros);
}

std::optional<CalendarInterval> ParseCalendarInterval(std::string_view text) {
  return CalendarReader(text).Read();
}

std::string YearMonthIntervalText(int32_t months, const DataType& type) {
  std::string out = "INTERVAL '";
  const uint64_t magnitude = Magnitude(int64_t{months});
  if (months < 0) out += '-';
  if (type.start_field() == 1) {
    out += std::to_string(magnitude);
  } else {
    out += std::to_string(magnitude / 12);
    if (type.end_field() == 1) out += "-" + std::to_string(magnitude % 12);
  }
  return out + "' " + FieldRange(type);
}

std::string DayTimeIntervalText(int64_t micros, const DataType& type) {
  std::string out = "INTERVAL '";
  if (micros < 0) out += '-';
  uint64_t rest = Magnitude(micros);
  for (int field = type.start_field(); field <= type.end_field(); ++field) {
    if (field != type.start_field()) out += field == 1 ? ' ' : ':';
    if (field == 3) {
      if (rest < 10 * kMicrosPerSecond) out += '0';
      AppendSeconds(rest, &out);
    } else {
      const auto unit = static_cast<uint64_t>(DayTimeFieldMicros(field));
      AppendPadded(static_cast<int64_t>(rest / unit), field == 0 ? 1 : 2, &out);
      rest %= unit;
    }
  }
  return out + "' " + FieldRange(type);
}

std::string CalendarIntervalText(const CalendarInterval& interval) {
  std::string out;
  AppendCalendarIntervalText(interval, &out);
  return out;
}

}  // namespace merganser::engine
