#include "merganser/engine/functions/time_zone.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <utility>

#include "merganser/engine/functions/civil_time.h"

namespace merganser::engine {
namespace {

constexpr int64_t kSecondsPer400Years = 146097 * kSecondsPerDay;
constexpr int32_t kMaxOffset = 18 * 3600;

const std::map<std::string_view, std::string_view>& ShortIds() {
  // java.time.ZoneId.SHORT_IDS.
  static const auto* ids =
      new std::map<std::string_view, std::string_view>{{"ACT", "Australia/Darwin"},
                                                       {"AET", "Australia/Sydney"},
                                                       {"AGT", "America/Argentina/Buenos_Aires"},
                                                       {"ART", "Africa/Cairo"},
                                                       {"AST", "America/Anchorage"},
                                                       {"BET", "America/Sao_Paulo"},
                                                       {"BST", "Asia/Dhaka"},
                                                       {"CAT", "Africa/Harare"},
                                                       {"CNT", "America/St_Johns"},
                                                       {"CST", "America/Chicago"},
                                                       {"CTT", "Asia/Shanghai"},
                                                       {"EAT", "Africa/Addis_Ababa"},
                                                       {"ECT", "Europe/Paris"},
                                                       {"IET", "America/Indiana/Indianapolis"},
                                                       {"IST", "Asia/Kolkata"},
                                                       {"JST", "Asia/Tokyo"},
                                                       {"MIT", "Pacific/Apia"},
                                                       {"NET", "Asia/Yerevan"},
                                                       {"NST", "Pacific/Auckland"},
                                                       {"PLT", "Asia/Karachi"},
                                                       {"PNT", "America/Phoenix"},
                                                       {"PRT", "America/Puerto_Rico"},
                                                       {"PST", "America/Los_Angeles"},
                                                       {"SST", "Pacific/Guadalcanal"},
                                                       {"VST", "Asia/Ho_Chi_Minh"},
                                                       {"EST", "-05:00"},
                                                       {"MST", "-07:00"},
                                                       {"HST", "-10:00"}};
  return *ids;
}

std::optional<int32_t> TwoDigits(std::string_view text) {
  if (text.size() != 2 || text[0] < '0' || text[0] > '9' || text[1] < '0' || text[1] > '9')
    return std::nullopt;
  return (text[0] - '0') * 10 + (text[1] - '0');
}

/// "+8", "+08", "+8:30", "+0830", "+08:30", "+08:30:15"; Spark also takes one-digit parts.
std::optional<int32_t> ParseOffset(std::string_view text) {
  if (text == "Z") return 0;
  if (text.size() < 2 || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const int32_t sign = text[0] == '-' ? -1 : 1;
  std::string_view body = text.substr(1);
  std::vector<std::string> parts;
  if (body.find(':') != std::string_view::npos) {
    size_t from = 0;
    while (true) {
      const size_t colon = body.find(':', from);
      parts.emplace_back(body.substr(from, colon == std::string_view::npos ? colon : colon - from));
      if (colon == std::string_view::npos) break;
      from = colon + 1;
    }
    // Spark pads a one-digit hour, and a one-digit minute at the end.
    if (parts[0].size() == 1) parts[0].insert(0, 1, '0');
    if (parts.size() == 2 && parts[1].size() == 1) parts[1].insert(0, 1, '0');
  } else if (body.size() == 1) {
    parts = {"0" + std::string(body)};
  } else {
    for (size_t i = 0; i < body.size(); i += 2) parts.emplace_back(body.substr(i, 2));
  }
  if (parts.size() > 3) return std::nullopt;
  int32_t seconds = 0;
  int32_t unit = 3600;
  for (size_t i = 0; i < parts.size(); ++i, unit /= 60) {
    const auto value = TwoDigits(parts[i]);
    if (!value || (i > 0 && *value > 59)) return std::nullopt;
    seconds += *value * unit;
  }
  if (seconds > kMaxOffset) return std::nullopt;
  return sign * seconds;
}

std::optional<int32_t> ParseFixedZone(std::string_view id) {
  if (const auto offset = ParseOffset(id)) return offset;
  for (const std::string_view prefix : {"UTC", "GMT", "UT"}) {
    if (id == prefix) return 0;
    if (id.substr(0, prefix.size()) == prefix) {
      const auto offset = ParseOffset(id.substr(prefix.size()));
      if (offset && id.substr(prefix.size()) != "Z") return offset;
    }
  }
  return std::nullopt;
}

bool IsRegionId(std::string_view id) {
  if (id.empty() || !std::isalpha(static_cast<unsigned char>(id[0]))) return false;
  for (const char c : id) {
    if (!std::isalnum(static_cast<unsigned char>(c)) &&
        std::string_view("/_+-.~").find(c) == std::string_view::npos)
      return false;
  }
  return id.find("..") == std::string_view::npos && id.substr(0, 6) != "posix/" &&
         id.substr(0, 6) != "right/";
}

int64_t BigEndian(const char* bytes, int width) {
  uint64_t value = 0;
  for (int i = 0; i < width; ++i) value = (value << 8) | static_cast<unsigned char>(bytes[i]);
  if (width == 4) return static_cast<int32_t>(value);
  return static_cast<int64_t>(value);
}

/// A rule of a POSIX TZ string: "M3.2.0/2", "J60", "59/3".
struct ChangeRule {
  char kind = 'M';
  int month = 1, week = 1, day = 0;
  int64_t time = 7200;

  int64_t LocalSeconds(int64_t year) const {
    int64_t days = 0;
    if (kind == 'M') {
      const int64_t first = DaysFromCivil(year, month, 1);
      const int first_day = IsoDayOfWeek(first) % 7;
      int day_of_month = 1 + (day - first_day + 7) % 7 + (week - 1) * 7;
      if (day_of_month > DaysInMonth(year, month)) day_of_month -= 7;
      days = first + day_of_month - 1;
    } else if (kind == 'J') {
      days = DaysFromCivil(year, 1, 1) + day - 1 + (IsLeapYear(year) && day >= 60 ? 1 : 0);
    } else {
      days = DaysFromCivil(year, 1, 1) + day;
    }
    return days * kSecondsPerDay + time;
  }
};

class PosixReader {
 public:
  explicit PosixReader(std::string_view text) : rest_(text) {}
  std::string Name() {
    size_t n = 0;
    if (!rest_.empty() && rest_[0] == '<') {
      n = rest_.find('>');
      std::string name(rest_.substr(1, n - 1));
      rest_.remove_prefix(n + 1);
      return name;
    }
    while (n < rest_.size() && std::isalpha(static_cast<unsigned char>(rest_[n]))) ++n;
    std::string name(rest_.substr(0, n));
    rest_.remove_prefix(n);
    return name;
  }
  int64_t Time() {
    int64_t sign = 1;
    if (Take('-'))
      sign = -1;
    else
      Take('+');
    int64_t seconds = Number() * 3600;
    if (Take(':')) seconds += Number() * 60;
    if (Take(':')) seconds += Number();
    return sign * seconds;
  }
  ChangeRule Rule() {
    ChangeRule rule;
    if (Take('M')) {
      rule.month = static_cast<int>(Number());
      Take('.');
      rule.week = static_cast<int>(Number());
      Take('.');
      rule.day = static_cast<int>(Number());
    } else {
      rule.kind = Take('J') ? 'J' : 'D';
      rule.day = static_cast<int>(Number());
    }
    if (Take('/')) rule.time = Time();
    return rule;
  }
  bool Take(char c) {
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool AtEnd() const { return rest_.empty(); }
  bool AtNumber() const {
    return !rest_.empty() && (std::isdigit(static_cast<unsigned char>(rest_[0])) ||
                              rest_[0] == '-' || rest_[0] == '+');
  }

 private:
  int64_t Number() {
    int64_t value = 0;
    while (!rest_.empty() && std::isdigit(static_cast<unsigned char>(rest_[0]))) {
      value = value * 10 + (rest_[0] - '0');
      rest_.remove_prefix(1);
    }
    return value;
  }
  std::string_view rest_;
};

std::string ZoneInfoFolder() {
  const char* folder = std::getenv("TZDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/usr/share/zoneinfo";
}

}  // namespace

std::shared_ptr<const TimeZone> TimeZone::Find(std::string_view id) {
  static std::shared_mutex mutex;
  static auto* zones = new std::map<std::string, std::shared_ptr<const TimeZone>, std::less<>>;
  {
    std::shared_lock lock(mutex);
    const auto found = zones->find(id);
    if (found != zones->end()) return found->second;
  }
  std::string_view name = id;
  const auto short_id = ShortIds().find(id);
  if (short_id != ShortIds().end()) name = short_id->second;
  std::shared_ptr<TimeZone> zone(new TimeZone(std::string(id)));
  if (const auto offset = ParseFixedZone(name)) {
    zone->fixed_ = true;
    zone->first_offset_ = *offset;
  } else if (!IsRegionId(name) || !zone->ReadFile(ZoneInfoFolder() + "/" + std::string(name))) {
    return nullptr;
  }
  std::unique_lock lock(mutex);
  return zones->emplace(std::string(id), std::move(zone)).first->second;
}

const TimeZone& TimeZone::Utc() {
  static const std::shared_ptr<const TimeZone> utc = Find("UTC");
  return *utc;
}

uint16_t TimeZone::AbbreviationIndex(std::string_view text) {
  for (size_t i = 0; i < abbreviations_.size(); ++i) {
    if (abbreviations_[i] == text) return static_cast<uint16_t>(i);
  }
  abbreviations_.emplace_back(text);
  return static_cast<uint16_t>(abbreviations_.size() - 1);
}

void TimeZone::Append(int64_t utc, int32_t offset, bool daylight, std::string_view abbreviation) {
  const int32_t before = transitions_.empty() ? first_offset_ : transitions_.back().offset;
  transitions_.push_back(
      {utc, utc + std::max(before, offset), offset, AbbreviationIndex(abbreviation), daylight});
}

bool TimeZone::ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  constexpr size_t kHeader = 44;
  if (bytes.size() < kHeader || bytes.compare(0, 4, "TZif") != 0 || bytes[4] < '2') return false;
  // RFC 8536: a version 1 block with 32-bit times, then one with 64-bit times, then a POSIX rule.
  const auto counts = [&](size_t at) {
    std::array<size_t, 6> values{};
    for (size_t i = 0; i < 6; ++i)
      values[i] = static_cast<size_t>(BigEndian(bytes.data() + at + 20 + i * 4, 4));
    return values;
  };
  const auto block_size = [](const std::array<size_t, 6>& n, size_t time) {
    return n[3] * time + n[3] + n[4] * 6 + n[5] + n[2] * (time + 4) + n[1] + n[0];
  };
  const size_t second = kHeader + block_size(counts(0), 4);
  if (bytes.size() < second + kHeader) return false;
  const auto n = counts(second);
  const size_t times = second + kHeader;
  const size_t footer = times + block_size(n, 8);
  if (bytes.size() < footer || n[4] == 0) return false;
  const char* indexes = bytes.data() + times + n[3] * 8;
  const char* types = indexes + n[3];
  const char* names = types + n[4] * 6;
  const auto type_at = [&](size_t i) { return types + i * 6; };
  const auto name_of = [&](const char* type) {
    return std::string_view(names + static_cast<unsigned char>(type[5]));
  };

  first_offset_ = static_cast<int32_t>(BigEndian(type_at(0), 4));
  first_abbreviation_ = AbbreviationIndex(name_of(type_at(0)));
  for (size_t i = 0; i < n[3]; ++i) {
    const char* type = type_at(static_cast<unsigned char>(indexes[i]));
    Append(BigEndian(bytes.data() + times + i * 8, 8), static_cast<int32_t>(BigEndian(type, 4)),
           type[4] != 0, name_of(type));
  }
  std::string_view posix(bytes);
  posix.remove_prefix(footer);
  if (!posix.empty() && posix.front() == '\n') posix.remove_prefix(1);
  posix = posix.substr(0, posix.find('\n'));
  AppendRuleTransitions(posix);
  return true;
}

void TimeZone::AppendRuleTransitions(std::string_view posix) {
  if (posix.empty()) return;
  PosixReader reader(posix);
  const std::string standard = reader.Name();
  const auto standard_offset = static_cast<int32_t>(-reader.Time());
  if (reader.AtEnd()) return;
  const std::string daylight = reader.Name();
  int32_t daylight_offset = standard_offset + 3600;
  if (reader.AtNumber()) daylight_offset = static_cast<int32_t>(-reader.Time());
  reader.Take(',');
  const ChangeRule start = reader.Rule();
  reader.Take(',');
  const ChangeRule end = reader.Rule();

  const int64_t last = transitions_.empty() ? INT64_MIN : transitions_.back().utc;
  const int64_t first_year =
      transitions_.empty() ? 1970 : CivilFromDays(FloorDivide(last, kSecondsPerDay)).year;
  for (int64_t year = first_year; year <= first_year + 401; ++year) {
    const int64_t on = start.LocalSeconds(year) - standard_offset;
    const int64_t off = end.LocalSeconds(year) - daylight_offset;
    const auto append_on = [&] {
      if (on > last) Append(on, daylight_offset, true, daylight);
    };
    const auto append_off = [&] {
      if (off > last) Append(off, standard_offset, false, standard);
    };
    if (on < off) {
      append_on();
      append_off();
    } else {
      append_off();
      append_on();
    }
  }
  periodic_from_ = DaysFromCivil(first_year + 401, 1, 1) * kSecondsPerDay;
}

int64_t TimeZone::Reduce(int64_t seconds) const {
  if (seconds < periodic_from_) return seconds;
  return seconds - ((seconds - periodic_from_) / kSecondsPer400Years + 1) * kSecondsPer400Years;
}

const TimeZone::Transition* TimeZone::LastAt(int64_t utc_seconds) const {
  utc_seconds = Reduce(utc_seconds);
  const auto after = std::upper_bound(transitions_.begin(), transitions_.end(), utc_seconds,
                                      [](int64_t at, const Transition& t) { return at < t.utc; });
  return after == transitions_.begin() ? nullptr : &*std::prev(after);
}

int32_t TimeZone::OffsetAt(int64_t utc_seconds) const {
  if (fixed_) return first_offset_;
  const Transition* last = LastAt(utc_seconds);
  return last == nullptr ? first_offset_ : last->offset;
}

int64_t TimeZone::ToLocalMicros(int64_t utc_micros) const {
  return utc_micros + OffsetAt(FloorDivide(utc_micros, kMicrosPerSecond)) * kMicrosPerSecond;
}

int64_t TimeZone::ToUtcMicros(int64_t local_micros) const {
  if (fixed_) return local_micros - first_offset_ * kMicrosPerSecond;
  const int64_t local = Reduce(FloorDivide(local_micros, kMicrosPerSecond));
  const auto after = std::upper_bound(transitions_.begin(), transitions_.end(), local,
                                      [](int64_t at, const Transition& t) { return at < t.local; });
  const int32_t offset = after == transitions_.begin() ? first_offset_ : std::prev(after)->offset;
  return local_micros - offset * kMicrosPerSecond;
}

int64_t TimeZone::StartOfDayMicros(int64_t days) const {
  const int64_t midnight = days * kMicrosPerDay;
  const int64_t utc = ToUtcMicros(midnight);
  if (fixed_ || ToLocalMicros(utc) == midnight) return utc;
  // Midnight is skipped: the day begins when the clocks jump.
  const Transition* jump = LastAt(utc / kMicrosPerSecond);
  const int64_t period = utc / kMicrosPerSecond - Reduce(utc / kMicrosPerSecond);
  return (jump->utc + period) * kMicrosPerSecond;
}

int64_t TimeZone::ToLocalDays(int64_t utc_micros) const {
  return FloorDivide(ToLocalMicros(utc_micros), kMicrosPerDay);
}

std::string TimeZone::Abbreviation(int64_t utc_seconds) const {
  if (fixed_) {
    const bool named = id_ == "UTC" || id_ == "GMT" || id_ == "UT" || id_ == "Z";
    return named ? id_ : OffsetText(first_offset_);
  }
  const Transition* last = LastAt(utc_seconds);
  return abbreviations_[last == nullptr ? first_abbreviation_ : last->abbreviation];
}

bool TimeZone::IsDaylight(int64_t utc_seconds) const {
  const Transition* last = fixed_ ? nullptr : LastAt(utc_seconds);
  return last != nullptr && last->daylight;
}

std::string OffsetText(int32_t seconds) {
  const int32_t magnitude = std::abs(seconds);
  std::string out = seconds < 0 ? "-" : "+";
  const auto two = [&out](int32_t value) {
    out += static_cast<char>('0' + value / 10);
    out += static_cast<char>('0' + value % 10);
  };
  two(magnitude / 3600);
  out += ':';
  two(magnitude / 60 % 60);
  if (magnitude % 60 != 0) {
    out += ':';
    two(magnitude % 60);
  }
  return out;
}

}  // namespace merganser::engine
