#include "merganser/base/time_zone_name.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

namespace merganser {
namespace {

constexpr std::string_view kRegions[] = {
#include "merganser/base/time_zone_names.inc"
};

/// java.time.ZoneId.SHORT_IDS.
constexpr std::pair<std::string_view, std::string_view> kShortNames[] = {
    {"ACT", "Australia/Darwin"},
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
    {"EST", "-05:00"},
    {"HST", "-10:00"},
    {"IET", "America/Indiana/Indianapolis"},
    {"IST", "Asia/Kolkata"},
    {"JST", "Asia/Tokyo"},
    {"MIT", "Pacific/Apia"},
    {"MST", "-07:00"},
    {"NET", "Asia/Yerevan"},
    {"NST", "Pacific/Auckland"},
    {"PLT", "Asia/Karachi"},
    {"PNT", "America/Phoenix"},
    {"PRT", "America/Puerto_Rico"},
    {"PST", "America/Los_Angeles"},
    {"SST", "Pacific/Guadalcanal"},
    {"VST", "Asia/Ho_Chi_Minh"},
};

constexpr int kMaxOffsetSeconds = 18 * 3600;

/// Reads one or two digits from the front of `text`; -1 if there are fewer than `least`.
int TakeDigits(std::string_view* text, size_t least) {
  size_t count = 0;
  int number = 0;
  while (count < 2 && count < text->size() && (*text)[count] >= '0' && (*text)[count] <= '9') {
    number = number * 10 + ((*text)[count] - '0');
    ++count;
  }
  if (count < least) return -1;
  text->remove_prefix(count);
  return number;
}

std::string OffsetText(char sign, int seconds) {
  if (seconds == 0) return "UTC";
  std::string out(1, sign);
  const auto append = [&](int number) {
    out += static_cast<char>('0' + number / 10);
    out += static_cast<char>('0' + number % 10);
  };
  append(seconds / 3600);
  out += ':';
  append(seconds / 60 % 60);
  if (seconds % 60 != 0) {
    out += ':';
    append(seconds % 60);
  }
  return out;
}

/// Reads +h, +hh, +hh:mm, +hhmm, +hh:mm:ss and +hhmmss. Spark also allows a single digit for the
/// hours before a colon, and for minutes at the end.
std::optional<std::string> ParseOffset(std::string_view text) {
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const char sign = text[0];
  text.remove_prefix(1);
  const size_t hour_digits = text.size();
  const int hours = TakeDigits(&text, 1);
  if (hours < 0) return std::nullopt;
  const bool two_digit_hours = hour_digits - text.size() == 2;
  int minutes = 0;
  int seconds = 0;
  if (!text.empty()) {
    const bool colons = text[0] == ':';
    if (!colons && !two_digit_hours) return std::nullopt;
    if (colons) text.remove_prefix(1);
    const bool single_minute = colons && text.size() == 1;
    minutes = TakeDigits(&text, single_minute ? 1 : 2);
    if (minutes < 0 || minutes > 59) return std::nullopt;
    if (!text.empty()) {
      if (colons && text[0] != ':') return std::nullopt;
      if (colons) text.remove_prefix(1);
      seconds = TakeDigits(&text, 2);
      if (seconds < 0 || seconds > 59) return std::nullopt;
    }
  }
  const int total = hours * 3600 + minutes * 60 + seconds;
  if (!text.empty() || total > kMaxOffsetSeconds) return std::nullopt;
  return OffsetText(sign, total);
}

bool IsRegion(std::string_view text) {
  return std::binary_search(std::begin(kRegions), std::end(kRegions), text);
}

}  // namespace

std::optional<std::string> CanonicalTimeZone(std::string_view text) {
  for (const auto& [name, zone] : kShortNames) {
    if (name == text) return std::string(zone);
  }
  if (text == "Z" || text == "UTC" || text == "GMT" || text == "UT") return "UTC";
  if (IsRegion(text)) return std::string(text);
  for (const std::string_view prefix : {"UTC", "GMT", "UT"}) {
    if (text.starts_with(prefix)) return ParseOffset(text.substr(prefix.size()));
  }
  return ParseOffset(text);
}

std::string SystemTimeZone() {
  if (const char* name = std::getenv("TZ"); name != nullptr && *name != '\0') {
    return CanonicalTimeZone(name).value_or("UTC");
  }
  std::error_code error;
  const std::string target = std::filesystem::read_symlink("/etc/localtime", error).string();
  constexpr std::string_view kFolder = "zoneinfo/";
  const size_t at = target.find(kFolder);
  if (error || at == target.npos) return "UTC";
  return CanonicalTimeZone(target.substr(at + kFolder.size())).value_or("UTC");
}

}  // namespace merganser
