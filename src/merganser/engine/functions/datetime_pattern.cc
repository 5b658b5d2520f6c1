#include "merganser/engine/functions/datetime_pattern.h"

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

}  // namespace merganser::engine
