#include "merganser/engine/functions/datetime_text.h"

#include <array>

#include "merganser/engine/functions/civil_time.h"
#include "merganser/engine/functions/number_text.h"

namespace merganser::engine {
namespace {

/// The parts of a timestamp's text, not yet checked against the calendar.
struct TimestampParts {
  std::array<int64_t, 7> values = {1, 1, 1, 0, 0, 0, 0};  // Year to second, microseconds.
  std::optional<std::string_view> zone;
  bool time_only = false;
};

/// Positions of TimestampParts::values that digits are being read for.
enum Segment { kYear, kMonth, kDay, kHour, kMinute, kSecond, kFraction, kZone };

bool DigitsFit(int segment, int digits) {
  if (segment == kFraction) return true;
  if (segment == kYear) return digits >= 4 && digits <= 6;
  if (segment == kZone) return digits <= 2;
  return digits > 0 && digits <= 2;
}

class TimestampReader {
 public:
  explicit TimestampReader(std::string_view text) : text_(TrimAll(text)) {}
  std::optional<TimestampParts> Read();

 private:
  bool Close(int next) {
    if (!DigitsFit(segment_, digits_)) return false;
    if (segment_ < kZone) parts_.values[static_cast<size_t>(segment_)] = value_;
    value_ = 0;
    digits_ = 0;
    segment_ = next;
    return true;
  }
  /// Handle a character that is no digit; false if it cannot stand there.
  bool Separator(size_t* at);

  std::string_view text_;
  TimestampParts parts_;
  int segment_ = kYear;
  int64_t value_ = 0;
  int digits_ = 0;
  bool signed_ = false;
};

bool TimestampReader::Separator(size_t* at) {
  const char c = text_[*at];
  if (*at == 0 && c == 'T') {
    parts_.time_only = true;
    segment_ = kHour;
    return true;
  }
  switch (segment_) {
    case kYear:
      if (c == ':' && !signed_) {
        parts_.time_only = true;
        segment_ = kHour;
        return Close(kMinute);
      }
      return c == '-' && Close(kMonth);
    case kMonth:
      return c == '-' && Close(kDay);
    case kDay:
      return (c == ' ' || c == 'T') && Close(kHour);
    case kHour:
    case kMinute:
      return c == ':' && Close(segment_ + 1);
    case kSecond:
      if (c == '.') return Close(kFraction);
      [[fallthrough]];
    case kFraction:
      if (!Close(kZone)) return false;
      parts_.zone = text_.substr(*at);
      *at = text_.size() - 1;
      return true;
    default:
      return false;
  }
}

std::optional<TimestampParts> TimestampReader::Read() {
  if (text_.empty()) return std::nullopt;
  size_t at = 0;
  int64_t sign = 1;
  if (text_[0] == '-' || text_[0] == '+') {
    sign = text_[0] == '-' ? -1 : 1;
    signed_ = true;
    at = 1;
  }
  int fraction_digits = 0;
  for (; at < text_.size(); ++at) {
    const char c = text_[at];
    if (c < '0' || c > '9') {
      if (!Separator(&at)) return std::nullopt;
      continue;
    }
    if (segment_ == kFraction) ++fraction_digits;
    if (segment_ != kFraction || digits_ < 6) {
      if (digits_ > 9) return std::nullopt;
      value_ = value_ * 10 + (c - '0');
    }
    ++digits_;
  }
  if (!Close(segment_)) return std::nullopt;
  for (; fraction_digits < 6; ++fraction_digits) parts_.values[kFraction] *= 10;
  parts_.values[kYear] *= sign;
  return parts_;
}

std::optional<int64_t> TimeOfDay(const TimestampParts& parts) {
  const auto& v = parts.values;
  if (v[kHour] > 23 || v[kMinute] > 59 || v[kSecond] > 59) return std::nullopt;
  return v[kHour] * kMicrosPerHour + v[kMinute] * kMicrosPerMinute + v[kSecond] * kMicrosPerSecond +
         v[kFraction];
}

std::optional<int64_t> DateOf(const TimestampParts& parts) {
  const auto& v = parts.values;
  if (v[kMonth] > 12 || v[kDay] > 31) return std::nullopt;
  const int month = static_cast<int>(v[kMonth]);
  const int day = static_cast<int>(v[kDay]);
  if (!IsValidDate(v[kYear], month, day)) return std::nullopt;
  return DaysFromCivil(v[kYear], month, day);
}

std::optional<int64_t> LocalMicros(int64_t days, int64_t time) {
  int64_t micros = 0;
  if (__builtin_mul_overflow(days, kMicrosPerDay, &micros) ||
      __builtin_add_overflow(micros, time, &micros))
    return std::nullopt;
  return micros;
}

}  // namespace

std::optional<int32_t> ParseDate(std::string_view text) {
  text = TrimAll(text);
  if (text.empty()) return std::nullopt;
  size_t at = 0;
  int64_t sign = 1;
  if (text[0] == '-' || text[0] == '+') {
    sign = text[0] == '-' ? -1 : 1;
    at = 1;
  }
  std::array<int64_t, 3> parts = {1, 1, 1};
  size_t part = 0;
  int64_t value = 0;
  int digits = 0;
  const auto fits = [&] {
    return part == 0 ? digits >= 4 && digits <= 7 : digits > 0 && digits <= 2;
  };
  for (; at < text.size() && text[at] != ' ' && text[at] != 'T'; ++at) {
    const char c = text[at];
    if (part < 2 && c == '-') {
      if (!fits()) return std::nullopt;
      parts[part++] = value;
      value = 0;
      digits = 0;
    } else if (c >= '0' && c <= '9') {
      if (++digits > 7) return std::nullopt;
      value = value * 10 + (c - '0');
    } else {
      return std::nullopt;
    }
  }
  // Only a full date may be followed by something.
  if (!fits() || (part < 2 && at < text.size())) return std::nullopt;
  parts[part] = value;
  if (!IsValidDate(sign * parts[0], static_cast<int>(parts[1]), static_cast<int>(parts[2])))
    return std::nullopt;
  const int64_t days =
      DaysFromCivil(sign * parts[0], static_cast<int>(parts[1]), static_cast<int>(parts[2]));
  if (days > INT32_MAX || days < INT32_MIN) return std::nullopt;
  return static_cast<int32_t>(days);
}

std::optional<int64_t> ParseTimestamp(std::string_view text, const TimeZone& zone,
                                      int64_t now_micros) {
  const auto parts = TimestampReader(text).Read();
  if (!parts) return std::nullopt;
  std::shared_ptr<const TimeZone> own_zone;
  if (parts->zone) {
    own_zone = TimeZone::Find(TrimJava(*parts->zone));
    if (own_zone == nullptr) return std::nullopt;
  }
  const TimeZone& used = own_zone != nullptr ? *own_zone : zone;
  const auto time = TimeOfDay(*parts);
  const auto days =
      parts->time_only ? std::optional<int64_t>(used.ToLocalDays(now_micros)) : DateOf(*parts);
  if (!time || !days) return std::nullopt;
  const auto local = LocalMicros(*days, *time);
  if (!local) return std::nullopt;
  return used.ToUtcMicros(*local);
}

std::optional<int64_t> ParseTimestampNtz(std::string_view text) {
  const auto parts = TimestampReader(text).Read();
  if (!parts || parts->time_only) return std::nullopt;
  if (parts->zone && TimeZone::Find(TrimJava(*parts->zone)) == nullptr) return std::nullopt;
  const auto time = TimeOfDay(*parts);
  const auto days = DateOf(*parts);
  if (!time || !days) return std::nullopt;
  return LocalMicros(*days, *time);
}

void AppendDate(int64_t days, std::string* out) {
  const CivilDate date = CivilFromDays(days);
  if (date.year < 0) {
    *out += '-';
  } else if (date.year > 9999) {
    *out += '+';
  }
  AppendPadded(date.year < 0 ? -date.year : date.year, 4, out);
  *out += '-';
  AppendPadded(date.month, 2, out);
  *out += '-';
  AppendPadded(date.day, 2, out);
}

void AppendTimestamp(int64_t local_micros, std::string* out) {
  const int64_t days = FloorDivide(local_micros, kMicrosPerDay);
  int64_t time = local_micros - days * kMicrosPerDay;
  AppendDate(days, out);
  *out += ' ';
  AppendPadded(time / kMicrosPerHour, 2, out);
  *out += ':';
  AppendPadded(time / kMicrosPerMinute % 60, 2, out);
  *out += ':';
  AppendPadded(time / kMicrosPerSecond % 60, 2, out);
  time %= kMicrosPerSecond;
  if (time == 0) return;
  *out += '.';
  AppendPadded(time, 6, out);
  out->erase(out->find_last_not_of('0') + 1);
}

}  // namespace merganser::engine
