#include "merganser/engine/functions/datetime_pattern.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>

#include "merganser/engine/functions/civil_time.h"
#include "merganser/engine/functions/datetime_names.h"
#include "merganser/engine/functions/number_text.h"

namespace merganser::engine {
namespace {

constexpr const char* kDocumentation = "https://spark.apache.org/docs/latest";
constexpr std::string_view kWeekBasedLetters = "YWwuec";

/// Would Java's SimpleDateFormat accept the pattern?
bool IsSimpleDateFormat(std::string_view pattern) {
  bool quoted = false;
  for (const char c : pattern) {
    if (c == '\'') quoted = !quoted;
    if (quoted || !std::isalpha(static_cast<unsigned char>(c))) continue;
    if (std::string_view("GyYMLwWDdFEuaHkKhmsSzZX").find(c) == std::string_view::npos) return false;
  }
  return !quoted && pattern.find("XXXX") == std::string_view::npos;
}

Error Unrecognized(std::string_view pattern) {
  const std::string quoted = "'" + std::string(pattern) + "'";
  if (IsSimpleDateFormat(pattern)) {
    return Error(ErrorClass::INCONSISTENT_BEHAVIOR_CROSS_VERSION,
                 {{"pattern", quoted},
                  {"config", "\"spark.sql.legacy.timeParserPolicy\""},
                  {"docroot", kDocumentation}},
                 "DATETIME_PATTERN_RECOGNITION");
  }
  const size_t week = pattern.find_first_of(kWeekBasedLetters);
  if (week != std::string_view::npos) {
    return Error(ErrorClass::INCONSISTENT_BEHAVIOR_CROSS_VERSION,
                 {{"c", std::string(1, pattern[week])}}, "DATETIME_WEEK_BASED_PATTERN");
  }
  return Error(ErrorClass::INVALID_DATETIME_PATTERN,
               {{"pattern", quoted}, {"docroot", kDocumentation}}, "WITH_SUGGESTION");
}

/// The offset of Z, X, x and O letters.
std::string OffsetBy(char letter, int count, int32_t seconds) {
  const bool zero_is_z = letter == 'X' || (letter == 'Z' && count == 5);
  if (zero_is_z && seconds == 0) return "Z";
  const int32_t magnitude = std::abs(seconds);
  const int hours = magnitude / 3600;
  const int minutes = magnitude / 60 % 60;
  const int rest = magnitude % 60;
  std::string out = seconds < 0 ? "-" : "+";
  if (letter == 'O' || (letter == 'Z' && count == 4)) {
    if (seconds == 0) return "GMT";
    if (count == 4) {
      AppendPadded(hours, 2, &out);
      out += ':';
      AppendPadded(minutes, 2, &out);
      if (rest != 0) out += ':', AppendPadded(rest, 2, &out);
    } else {
      AppendInteger(hours, &out);
      if (minutes != 0 || rest != 0) out += ':', AppendPadded(minutes, 2, &out);
      if (rest != 0) out += ':', AppendPadded(rest, 2, &out);
    }
    return "GMT" + out;
  }
  AppendPadded(hours, 2, &out);
  if (letter != 'Z' && count == 1) {
    if (minutes != 0) AppendPadded(minutes, 2, &out);
    return out;
  }
  const bool colon = letter == 'Z' ? count == 5 : count == 3 || count == 5;
  if (colon) out += ':';
  AppendPadded(minutes, 2, &out);
  const bool seconds_too = letter == 'Z' ? count == 5 : count >= 4;
  if (seconds_too && rest != 0) {
    if (colon) out += ':';
    AppendPadded(rest, 2, &out);
  }
  return out;
}

}  // namespace

/// Pattern text to parts.
class DatetimePatternCompiler {
 public:
  using Kind = DatetimePattern::Kind;
  using Part = DatetimePattern::Part;

  DatetimePatternCompiler(std::string_view pattern, DatetimePattern::Use use)
      : pattern_(pattern), parse_(use == DatetimePattern::Use::kParse), has_era_(HasEra(pattern)) {}

  Result<std::vector<Part>> Run();

 private:
  static bool HasEra(std::string_view pattern) {
    bool quoted = false;
    for (const char c : pattern) {
      if (c == '\'') quoted = !quoted;
      if (c == 'G' && !quoted) return true;
    }
    return false;
  }
  static Part Of(Kind kind) {
    Part part;
    part.kind = kind;
    return part;
  }
  Status AddLetters(char letter, int count);
  void AddLiteral(char c) {
    active_number_ = -1;
    if (!parts_.empty() && parts_.back().kind == Kind::kLiteral) {
      parts_.back().literal += c;
      return;
    }
    Part part = Of(Kind::kLiteral);
    part.literal = c;
    parts_.push_back(part);
  }
  void Add(Part part) {
    active_number_ = -1;
    parts_.push_back(std::move(part));
  }
  /// A number; adjacent fixed-width ones reserve digits of a variable one before them.
  void AddNumber(Part part) {
    const bool fixed = part.min_width == part.max_width;
    if (active_number_ >= 0 && fixed) {
      parts_[static_cast<size_t>(active_number_)].reserved += part.max_width;
      parts_.push_back(std::move(part));
      return;
    }
    active_number_ = static_cast<int>(parts_.size());
    parts_.push_back(std::move(part));
  }

  std::string_view pattern_;
  bool parse_;
  bool has_era_;
  std::vector<Part> parts_;
  int active_number_ = -1;
};

Status DatetimePatternCompiler::AddLetters(char letter, int count) {
  // Narrow names, and what Spark takes for output only.
  if (std::string_view("GMLEQq").find(letter) != std::string_view::npos && count >= 5)
    return Unrecognized(pattern_);
  if (parse_ && std::string_view("EFqQ").find(letter) != std::string_view::npos)
    return Unrecognized(pattern_);
  Part part = Of(Kind::kNumber);
  part.letter = letter;
  part.count = count;
  const auto fixed = [&] {
    part.min_width = part.max_width = count;
    part.not_negative = true;
  };
  switch (letter) {
    case 'y':
      if (count > 10) return Unrecognized(pattern_);
      if (count == 2) {
        part.kind = Kind::kReducedYear;
        fixed();
      } else {
        part.min_width = count;
        part.exceeds_pad = count >= 4;
      }
      if (has_era_) part.letter = 'e';  // Year of era.
      AddNumber(part);
      return Status::Ok();
    case 'M':
    case 'L':
    case 'Q':
    case 'q':
      if (count >= 3) {
        part.kind = Kind::kText;
        Add(part);
        return Status::Ok();
      }
      if (count == 2) fixed();
      AddNumber(part);
      return Status::Ok();
    case 'd':
    case 'h':
    case 'H':
    case 'k':
    case 'K':
    case 'm':
    case 's':
      if (count > 2) return Unrecognized(pattern_);
      if (count == 2) fixed();
      AddNumber(part);
      return Status::Ok();
    case 'D':
      if (count > 3) return Unrecognized(pattern_);
      if (count > 1) {
        part.min_width = count;
        part.max_width = 3;
        part.not_negative = true;
      }
      AddNumber(part);
      return Status::Ok();
    case 'F':
      if (count > 1) return Unrecognized(pattern_);
      AddNumber(part);
      return Status::Ok();
    case 'E':
    case 'G':
      part.kind = Kind::kText;
      Add(part);
      return Status::Ok();
    case 'a':
      if (count > 1) return Unrecognized(pattern_);
      part.kind = Kind::kText;
      Add(part);
      return Status::Ok();
    case 'S':
      if (count > 9) return Unrecognized(pattern_);
      part.kind = Kind::kFraction;
      Add(part);
      return Status::Ok();
    case 'V':
      if (count != 2) return Unrecognized(pattern_);
      part.kind = Kind::kZoneId;
      Add(part);
      return Status::Ok();
    case 'z':
      if (count > 4) return Unrecognized(pattern_);
      part.kind = Kind::kZoneName;
      Add(part);
      return Status::Ok();
    case 'O':
      if (count != 1 && count != 4) return Unrecognized(pattern_);
      part.kind = Kind::kOffset;
      Add(part);
      return Status::Ok();
    case 'X':
    case 'x':
    case 'Z':
      if (count > 5) return Unrecognized(pattern_);
      part.kind = Kind::kOffset;
      Add(part);
      return Status::Ok();
    default:
      return Unrecognized(pattern_);
  }
}

Result<std::vector<DatetimePattern::Part>> DatetimePatternCompiler::Run() {
  int depth = 0;
  for (size_t i = 0; i < pattern_.size(); ++i) {
    const char c = pattern_[i];
    if (std::isalpha(static_cast<unsigned char>(c))) {
      size_t end = i + 1;
      while (end < pattern_.size() && pattern_[end] == c) ++end;
      MERGANSER_RETURN_IF_ERROR(AddLetters(c, static_cast<int>(end - i)));
      i = end - 1;
    } else if (c == '\'') {
      if (i + 1 < pattern_.size() && pattern_[i + 1] == '\'') {
        AddLiteral('\'');
        ++i;
        continue;
      }
      for (++i;; ++i) {
        if (i >= pattern_.size()) return Unrecognized(pattern_);
        if (pattern_[i] != '\'') {
          AddLiteral(pattern_[i]);
        } else if (i + 1 < pattern_.size() && pattern_[i + 1] == '\'') {
          AddLiteral('\'');
          ++i;
        } else {
          break;
        }
      }
    } else if (c == '[') {
      ++depth;
      Add(Of(Kind::kOptionalStart));
    } else if (c == ']') {
      if (--depth < 0) return Unrecognized(pattern_);
      Add(Of(Kind::kOptionalEnd));
    } else if (c == '{' || c == '}' || c == '#') {
      return Unrecognized(pattern_);
    } else {
      AddLiteral(c);
    }
  }
  for (; depth > 0; --depth) Add(Of(Kind::kOptionalEnd));
  return std::move(parts_);
}

Result<std::shared_ptr<const DatetimePattern>> DatetimePattern::Compile(std::string_view pattern,
                                                                        Use use) {
  std::shared_ptr<DatetimePattern> out(new DatetimePattern());
  MERGANSER_ASSIGN_OR_RETURN(out->parts_, DatetimePatternCompiler(pattern, use).Run());
  return std::shared_ptr<const DatetimePattern>(std::move(out));
}

void DatetimePattern::Format(int64_t utc_micros, const TimeZone& zone, std::string* out) const {
  for (const Part& part : parts_) AppendPart(part, utc_micros, zone, out);
}

void DatetimePattern::AppendPart(const Part& part, int64_t utc_micros, const TimeZone& zone,
                                 std::string* out) const {
  const int64_t utc_seconds = FloorDivide(utc_micros, kMicrosPerSecond);
  const int32_t offset = zone.OffsetAt(utc_seconds);
  const int64_t local = utc_micros + offset * kMicrosPerSecond;
  const int64_t days = FloorDivide(local, kMicrosPerDay);
  const int64_t time = local - days * kMicrosPerDay;
  const auto hour = static_cast<int>(time / kMicrosPerHour);
  const CivilDate date = CivilFromDays(days);
  const auto number = [&](int64_t value) {
    if (value < 0) {
      *out += '-';
    } else if (part.exceeds_pad && value > 9999 &&
               std::to_string(value).size() > static_cast<size_t>(part.min_width)) {
      *out += '+';
    }
    AppendPadded(std::abs(value), part.min_width, out);
  };
  const int quarter = (date.month - 1) / 3;
  switch (part.kind) {
    case Kind::kLiteral:
      *out += part.literal;
      return;
    case Kind::kOptionalStart:
    case Kind::kOptionalEnd:
      return;
    case Kind::kReducedYear:
      AppendPadded(FloorModulo(date.year, 100), 2, out);
      return;
    case Kind::kFraction: {
      std::string digits;
      AppendPadded(time % kMicrosPerSecond, 6, &digits);
      digits += "000";
      *out += digits.substr(0, static_cast<size_t>(part.count));
      return;
    }
    case Kind::kZoneId:
      *out += zone.id();
      return;
    case Kind::kZoneName:
      *out += part.count == 4 && zone.id() == "UTC" ? "Coordinated Universal Time"
                                                    : zone.Abbreviation(utc_seconds);
      return;
    case Kind::kOffset:
      *out += OffsetBy(part.letter, part.count, offset);
      return;
    case Kind::kText:
      switch (part.letter) {
        case 'M':
        case 'L': {
          const auto name = kMonthNames[static_cast<size_t>(date.month - 1)];
          *out += part.count == 3 ? ShortName(name) : name;
          return;
        }
        case 'Q':
        case 'q':
          *out += part.count == 3 ? "Q" + std::to_string(quarter + 1)
                                  : std::string(kQuarterNames[static_cast<size_t>(quarter)]);
          return;
        case 'E': {
          const auto name = kDayNames[static_cast<size_t>(IsoDayOfWeek(days) - 1)];
          *out += part.count <= 3 ? ShortName(name) : name;
          return;
        }
        case 'G':
          *out += part.count == 4 ? (date.year > 0 ? "Anno Domini" : "Before Christ")
                                  : (date.year > 0 ? "AD" : "BC");
          return;
        default:
          *out += hour < 12 ? "AM" : "PM";
          return;
      }
    case Kind::kNumber:
      break;
  }
  switch (part.letter) {
    case 'y':
      return number(date.year);
    case 'e':
      return number(date.year > 0 ? date.year : 1 - date.year);
    case 'M':
    case 'L':
      return number(date.month);
    case 'Q':
    case 'q':
      return number(quarter + 1);
    case 'd':
      return number(date.day);
    case 'D':
      return number(DayOfYear(days));
    case 'F':
      return number((date.day - 1) % 7 + 1);
    case 'H':
      return number(hour);
    case 'k':
      return number(hour == 0 ? 24 : hour);
    case 'K':
      return number(hour % 12);
    case 'h':
      return number(hour % 12 == 0 ? 12 : hour % 12);
    case 'm':
      return number(time / kMicrosPerMinute % 60);
    default:
      return number(time / kMicrosPerSecond % 60);
  }
}

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
