#include "merganser/base/size_and_duration.h"

#include <charconv>
#include <span>
#include <string>

#include "merganser/base/checked_math.h"
#include "merganser/base/letter_case.h"

namespace merganser {
namespace {

struct Suffix {
  std::string_view text;
  int64_t multiplier;
  int64_t divisor = 1;
};

constexpr Suffix kByteSuffixes[] = {
    {"", 1},          {"b", 1},          {"k", 1LL << 10}, {"kb", 1LL << 10},
    {"m", 1LL << 20}, {"mb", 1LL << 20}, {"g", 1LL << 30}, {"gb", 1LL << 30},
    {"t", 1LL << 40}, {"tb", 1LL << 40}, {"p", 1LL << 50}, {"pb", 1LL << 50},
};

constexpr Suffix kDurationSuffixes[] = {
    {"", 1},      {"us", 1, 1000}, {"ms", 1},      {"s", 1000},
    {"m", 60000}, {"min", 60000},  {"h", 3600000}, {"d", 86400000},
};

std::optional<int64_t> Parse(std::string_view text, std::span<const Suffix> suffixes) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  int64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc()) return std::nullopt;
  const std::string unit = AsciiLowerCase({parsed.ptr, text.data() + text.size()});
  for (const Suffix& suffix : suffixes) {
    if (suffix.text != unit) continue;
    const auto product = CheckedMultiply(number, suffix.multiplier);
    return product ? std::optional(*product / suffix.divisor) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<int64_t> ParseByteSize(std::string_view text) { return Parse(text, kByteSuffixes); }

std::optional<int64_t> ParseDurationMillis(std::string_view text) {
  return Parse(text, kDurationSuffixes);
}

}  // namespace merganser
