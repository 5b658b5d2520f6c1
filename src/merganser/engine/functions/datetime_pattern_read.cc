// Text to instants by a pattern.
#include <algorithm>
#include <cctype>
#include <utility>

#include "merganser/engine/functions/civil_time.h"
#include "merganser/engine/functions/datetime_names.h"
#include "merganser/engine/functions/datetime_pattern.h"

namespace merganser::engine {

/// Reads text by a pattern, field by field, as a strict DateTimeFormatter does.
class DatetimeTextReader {
 public:
  using Kind = DatetimePattern::Kind;
  using Part = DatetimePattern::Part;

  DatetimeTextReader(const std::vector<Part>& parts, std::string_view text)
      : parts_(parts), text_(text) {}

  bool Read() {
    size_t part = 0;
    return ReadParts(&part, false) && at_ == text_.size();
  }
  std::optional<int64_t> LocalMicros() const;
  const std::shared_ptr<const TimeZone>& zone() const { return fields_.zone; }

 private:
  /// Field values by the pattern letter that names them ('S' nanoseconds, 'G' 1 = AD, 'a' 1 = PM).
  struct Fields {
    std::array<std::optional<int64_t>, 128> values;
    std::shared_ptr<const TimeZone> zone;
  };

  bool ReadParts(size_t* part, bool optional);
  bool ReadPart(const Part& part);
  bool ReadNumber(const Part& part);
  bool ReadFraction(int max);
  bool ReadText(const Part& part);
  bool ReadOffset(const Part& part);
  bool ReadZone(const Part& part);
  bool Set(char field, int64_t value) {
    auto& slot = fields_.values[static_cast<unsigned char>(field)];
    if (slot && *slot != value) return false;
    slot = value;
    return true;
  }
  std::optional<int64_t> Get(char field) const {
    return fields_.values[static_cast<unsigned char>(field)];
  }
  bool IsDigitAt(size_t at) const {
    return at < text_.size() && text_[at] >= '0' && text_[at] <= '9';
  }
  bool TakeIgnoringCase(std::string_view word) {
    if (text_.size() - at_ < word.size()) return false;
    for (size_t i = 0; i < word.size(); ++i) {
      if (std::tolower(static_cast<unsigned char>(text_[at_ + i])) !=
          std::tolower(static_cast<unsigned char>(word[i])))
        return false;
    }
    at_ += word.size();
    return true;
  }
  std::optional<int64_t> Date() const;
  std::optional<int64_t> TimeOfDay() const;

  const std::vector<Part>& parts_;
  std::string_view text_;
  size_t at_ = 0;
  Fields fields_;
};

bool DatetimeTextReader::ReadParts(size_t* part, bool optional) {
  for (; *part < parts_.size(); ++*part) {
    const Part& current = parts_[*part];
    if (current.kind == Kind::kOptionalEnd && optional) return true;
    if (current.kind != Kind::kOptionalStart) {
      if (!ReadPart(current)) return false;
      continue;
    }
    const size_t before = at_;
    const Fields saved = fields_;
    size_t inner = *part + 1;
    if (!ReadParts(&inner, true)) {
      at_ = before;
      fields_ = saved;
      int depth = 1;
      for (inner = *part + 1; depth > 0; ++inner) {
        if (parts_[inner].kind == Kind::kOptionalStart) ++depth;
        if (parts_[inner].kind == Kind::kOptionalEnd) --depth;
      }
      --inner;
    }
    *part = inner;
  }
  return true;
}

bool DatetimeTextReader::ReadPart(const Part& part) {
  switch (part.kind) {
    case Kind::kLiteral:
      return TakeIgnoringCase(part.literal);
    case Kind::kNumber:
    case Kind::kReducedYear:
      return ReadNumber(part);
    case Kind::kText:
      return ReadText(part);
    case Kind::kFraction:
      return ReadFraction(part.count);
    case Kind::kZoneId:
    case Kind::kZoneName:
      return ReadZone(part);
    case Kind::kOffset:
      return ReadOffset(part);
    default:
      return true;
  }
}

bool DatetimeTextReader::ReadNumber(const Part& part) {
  size_t from = at_;
  if (from >= text_.size()) return false;
  bool negative = false;
  bool positive = false;
  if (text_[from] == '+' || text_[from] == '-') {
    if (part.not_negative) return false;
    negative = text_[from] == '-';
    positive = !negative;
    if (positive && !part.exceeds_pad) return false;
    ++from;
  }
  size_t digits = 0;
  while (IsDigitAt(from + digits)) ++digits;
  const auto min = static_cast<size_t>(part.min_width);
  auto max = static_cast<size_t>(part.max_width);
  if (part.reserved > 0) {
    const size_t seen = std::min(digits, max + static_cast<size_t>(part.reserved));
    const auto reserved = static_cast<size_t>(part.reserved);
    max = std::max(min, seen > reserved ? seen - reserved : 0);
  }
  digits = std::min(digits, max);
  if (digits < min || digits == 0 || digits > 18) return false;
  int64_t value = 0;
  for (size_t i = 0; i < digits; ++i) value = value * 10 + (text_[from + i] - '0');
  if (negative && value == 0) return false;
  if (part.exceeds_pad && !negative && (positive ? digits <= min : digits > min)) return false;
  if (part.kind == Kind::kReducedYear) value += 2000;
  at_ = from + digits;
  const char field = part.letter == 'L' ? 'M' : part.letter;
  return Set(field, negative ? -value : value);
}

bool DatetimeTextReader::ReadFraction(int max) {
  int64_t nanos = 0;
  int digits = 0;
  for (; digits < max && IsDigitAt(at_); ++digits, ++at_) nanos = nanos * 10 + (text_[at_] - '0');
  if (digits == 0) return false;
  for (int i = digits; i < 9; ++i) nanos *= 10;
  return Set('S', nanos);
}

bool DatetimeTextReader::ReadText(const Part& part) {
  switch (part.letter) {
    case 'M':
    case 'L':
      for (size_t i = 0; i < kMonthNames.size(); ++i) {
        if (TakeIgnoringCase(part.count == 3 ? ShortName(kMonthNames[i]) : kMonthNames[i]))
          return Set('M', static_cast<int64_t>(i) + 1);
      }
      return false;
    case 'G':
      if (TakeIgnoringCase(part.count == 4 ? "Anno Domini" : "AD")) return Set('G', 1);
      return TakeIgnoringCase(part.count == 4 ? "Before Christ" : "BC") && Set('G', 0);
    default:
      if (TakeIgnoringCase("AM")) return Set('a', 0);
      return TakeIgnoringCase("PM") && Set('a', 1);
  }
}

bool DatetimeTextReader::ReadOffset(const Part& part) {
  const bool zero_is_z = part.letter == 'X' || (part.letter == 'Z' && part.count == 5);
  const bool localized = part.letter == 'O' || (part.letter == 'Z' && part.count == 4);
  if (zero_is_z && TakeIgnoringCase("Z")) {
    fields_.zone = TimeZone::Find("Z");
    return true;
  }
  if (localized && !TakeIgnoringCase("GMT")) return false;
  if (at_ >= text_.size() || (text_[at_] != '+' && text_[at_] != '-')) {
    fields_.zone = TimeZone::Find("Z");
    return localized;
  }
  const bool colon =
      localized || (part.letter == 'Z' ? part.count == 5 : part.count == 3 || part.count == 5);
  std::string id(1, text_[at_++]);
  const auto two = [&](bool one_is_enough) {
    if (!IsDigitAt(at_)) return false;
    if (!IsDigitAt(at_ + 1)) {
      if (!one_is_enough) return false;
      id += '0';
      id += text_[at_++];
      return true;
    }
    id += text_.substr(at_, 2);
    at_ += 2;
    return true;
  };
  if (!two(localized && part.count == 1)) return false;
  const bool minutes_required =
      !(part.letter != 'Z' && part.count == 1) && !(localized && part.count == 1);
  const size_t before = at_;
  bool has_minutes = true;
  if (colon) {
    has_minutes = at_ < text_.size() && text_[at_] == ':';
    if (has_minutes) ++at_;
  }
  if (has_minutes) {
    id += ':';
    has_minutes = two(false);
    if (!has_minutes) {
      id.pop_back();
      at_ = before;
    }
  }
  if (!has_minutes && minutes_required) return false;
  fields_.zone = TimeZone::Find(has_minutes ? id : id + ":00");
  return fields_.zone != nullptr;
}

bool DatetimeTextReader::ReadZone(const Part&) {
  size_t end = at_;
  while (end < text_.size() &&
         (std::isalnum(static_cast<unsigned char>(text_[end])) ||
          std::string_view("/_+-:").find(text_[end]) != std::string_view::npos))
    ++end;
  // The longest name that is a zone.
  for (; end > at_; --end) {
    if (auto zone = TimeZone::Find(text_.substr(at_, end - at_))) {
      fields_.zone = std::move(zone);
      at_ = end;
      return true;
    }
  }
  return false;
}

std::optional<int64_t> DatetimeTextReader::Date() const {
  std::optional<int64_t> year = Get('y');
  if (const auto of_era = Get('e')) {
    if (*of_era < 1) return std::nullopt;
    year = Get('G').value_or(1) == 1 ? *of_era : 1 - *of_era;
  }
  const int64_t used_year = year.value_or(1970);
  if (used_year > 5'000'000 || used_year < -5'000'000) return std::nullopt;
  if (const auto day_of_year = Get('D'); day_of_year && year && !Get('M') && !Get('d')) {
    if (*day_of_year < 1 || *day_of_year > (IsLeapYear(used_year) ? 366 : 365)) return std::nullopt;
    return DaysFromCivil(used_year, 1, 1) + *day_of_year - 1;
  }
  const int64_t month = Get('M').value_or(1);
  const int64_t day = Get('d').value_or(1);
  if (month < 1 || month > 12 || day < 1 || day > 31) return std::nullopt;
  if (!IsValidDate(used_year, static_cast<int>(month), static_cast<int>(day))) return std::nullopt;
  const int64_t days = DaysFromCivil(used_year, static_cast<int>(month), static_cast<int>(day));
  if (const auto day_of_year = Get('D'); day_of_year && *day_of_year != DayOfYear(days))
    return std::nullopt;
  return days;
}

std::optional<int64_t> DatetimeTextReader::TimeOfDay() const {
  const auto in = [](std::optional<int64_t> value, int64_t low, int64_t high) {
    return !value || (*value >= low && *value <= high);
  };
  if (!in(Get('H'), 0, 23) || !in(Get('k'), 1, 24) || !in(Get('h'), 1, 12) ||
      !in(Get('K'), 0, 11) || !in(Get('m'), 0, 59) || !in(Get('s'), 0, 59)) {
    return std::nullopt;
  }
  std::optional<int64_t> hour = Get('H');
  const auto settle = [&hour](int64_t value) {
    if (hour && *hour != value) return false;
    hour = value;
    return true;
  };
  if (Get('k') && !settle(*Get('k') % 24)) return std::nullopt;
  std::optional<int64_t> half_day_hour = Get('K');
  if (Get('h')) half_day_hour = *Get('h') % 12;
  // Without AM or PM it is taken to be morning; PM alone is noon.
  if (half_day_hour && !settle(*half_day_hour + 12 * Get('a').value_or(hour.value_or(0) / 12)))
    return std::nullopt;
  if (!half_day_hour && Get('a')) {
    if (hour && *hour / 12 != *Get('a')) return std::nullopt;
    if (!hour) hour = *Get('a') * 12;
  }
  return hour.value_or(0) * kMicrosPerHour + Get('m').value_or(0) * kMicrosPerMinute +
         Get('s').value_or(0) * kMicrosPerSecond + Get('S').value_or(0) / 1000;
}

std::optional<int64_t> DatetimeTextReader::LocalMicros() const {
  const auto days = Date();
  const auto time = TimeOfDay();
  int64_t micros = 0;
  if (!days || !time || __builtin_mul_overflow(*days, kMicrosPerDay, &micros) ||
      __builtin_add_overflow(micros, *time, &micros)) {
    return std::nullopt;
  }
  return micros;
}

std::optional<int64_t> DatetimePattern::Parse(std::string_view text, const TimeZone& zone) const {
  DatetimeTextReader reader(parts_, text);
  if (!reader.Read()) return std::nullopt;
  const auto local = reader.LocalMicros();
  if (!local) return std::nullopt;
  return (reader.zone() ? *reader.zone() : zone).ToUtcMicros(*local);
}

std::optional<int64_t> DatetimePattern::ParseLocal(std::string_view text) const {
  DatetimeTextReader reader(parts_, text);
  return reader.Read() ? reader.LocalMicros() : std::nullopt;
}

}  // namespace merganser::engine
