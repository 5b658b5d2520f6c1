#include "merganser/base/calendar_interval.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "merganser/base/ascii_text.h"
#include "merganser/base/checked_math.h"
#include "merganser/base/letter_case.h"
#include "merganser/base/time_units.h"

namespace merganser {
namespace {

bool IsSpace(char c) { return static_cast<unsigned char>(c) <= ' '; }
std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

/// What one unit counts in: a part of the interval and how many of that part's own unit.
struct Unit {
  std::string_view name;
  enum Part { kMonths, kDays, kMicros } part;
  int64_t factor;
};

constexpr Unit kUnits[] = {
    {"year", Unit::kMonths, 12},
    {"month", Unit::kMonths, 1},
    {"week", Unit::kDays, 7},
    {"day", Unit::kDays, 1},
    {"hour", Unit::kMicros, 3600 * kMicrosPerSecond},
    {"minute", Unit::kMicros, 60 * kMicrosPerSecond},
    {"second", Unit::kMicros, kMicrosPerSecond},
    {"millisecond", Unit::kMicros, 1000},
    {"microsecond", Unit::kMicros, 1},
};

const Unit* FindUnit(std::string_view word) {
  if (word.ends_with('s')) word.remove_suffix(1);
  const auto* found = std::ranges::find(kUnits, word, &Unit::name);
  return found == std::end(kUnits) ? nullptr : found;
}

/// A signed number with up to nine digits of a fraction.
struct Number {
  int64_t whole = 0;
  int64_t fraction_micros = 0;
  bool has_fraction = false;
  bool negative = false;
};

/// Takes a sign, which spaces may follow, and digits with an optional fraction.
std::optional<Number> TakeNumber(std::string_view* text) {
  Number number;
  if (!text->empty() && (text->front() == '-' || text->front() == '+')) {
    number.negative = text->front() == '-';
    text->remove_prefix(1);
    while (!text->empty() && IsSpace(text->front())) text->remove_prefix(1);
  }
  if (text->empty() || (!IsDigit(text->front()) && text->front() != '.')) return std::nullopt;
  while (!text->empty() && IsDigit(text->front())) {
    const auto tens = CheckedMultiply(number.whole, int64_t{10});
    const auto sum = tens ? CheckedAdd(*tens, int64_t{text->front() - '0'}) : tens;
    if (!sum) return std::nullopt;
    number.whole = *sum;
    text->remove_prefix(1);
  }
  if (!text->empty() && text->front() == '.') {
    text->remove_prefix(1);
    number.has_fraction = true;
    constexpr int kMaxDigits = 9;
    int64_t place = kMicrosPerSecond / 10;
    for (int digits = 0; !text->empty() && IsDigit(text->front()); ++digits) {
      if (digits == kMaxDigits) return std::nullopt;
      number.fraction_micros += place * (text->front() - '0');
      place /= 10;
      text->remove_prefix(1);
    }
  }
  return number;
}

template <typename T>
bool AddTo(T* part, int64_t value, int64_t factor) {
  const auto scaled = CheckedMultiply(value, factor);
  const auto narrowed = scaled ? CheckedCast<T>(*scaled) : std::nullopt;
  const auto sum = narrowed ? CheckedAdd(*part, *narrowed) : std::nullopt;
  if (!sum) return false;
  *part = *sum;
  return true;
}

bool Add(const Number& number, const Unit& unit, CalendarInterval* interval) {
  if (number.has_fraction && unit.name != "second") return false;
  const int64_t value = number.negative ? -number.whole : number.whole;
  switch (unit.part) {
    case Unit::kMonths:
      return AddTo(&interval->months, value, unit.factor);
    case Unit::kDays:
      return AddTo(&interval->days, value, unit.factor);
    case Unit::kMicros:
      return AddTo(&interval->micros, value, unit.factor) &&
             AddTo(&interval->micros,
                   number.negative ? -number.fraction_micros : number.fraction_micros, 1);
  }
  return false;
}

}  // namespace

std::optional<int64_t> CalendarInterval::MicrosWithoutMonths() const {
  const __int128 total = static_cast<__int128>(days) * kMicrosPerDay + micros;
  if (total > std::numeric_limits<int64_t>::max() || total < std::numeric_limits<int64_t>::min())
    return std::nullopt;
  return static_cast<int64_t>(total);
}

std::optional<CalendarInterval> ParseCalendarInterval(std::string_view text) {
  const std::string lower = AsciiLowerCase(Trimmed(text));
  std::string_view rest = lower;
  constexpr std::string_view kPrefix = "interval";
  if (rest.starts_with(kPrefix) && rest.size() > kPrefix.size() && IsSpace(rest[kPrefix.size()])) {
    rest = Trimmed(rest.substr(kPrefix.size()));
  }
  if (rest.empty()) return std::nullopt;
  CalendarInterval interval;
  while (!rest.empty()) {
    const auto number = TakeNumber(&rest);
    if (!number || rest.empty() || !IsSpace(rest.front())) return std::nullopt;
    rest = Trimmed(rest);
    const auto end = static_cast<size_t>(std::ranges::find_if(rest, IsSpace) - rest.begin());
    const Unit* unit = FindUnit(rest.substr(0, end));
    if (unit == nullptr || !Add(*number, *unit, &interval)) return std::nullopt;
    rest = Trimmed(rest.substr(end));
  }
  return interval;
}

}  // namespace merganser
