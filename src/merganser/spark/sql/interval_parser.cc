#include "merganser/spark/sql/interval_parser.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "merganser/base/letter_case.h"
#include "merganser/spark/sql/interval_text.h"
#include "merganser/spark/sql/string_literal.h"

namespace merganser {
namespace {

bool PeekUnit(const TokenStream& in, size_t ahead) {
  return in.PeekAnyWord(
      {"YEAR",         "YEARS",       "MONTH",        "MONTHS",     "WEEK",
       "WEEKS",        "DAY",         "DAYS",         "HOUR",       "HOURS",
       "MINUTE",       "MINUTES",     "SECOND",       "SECONDS",    "MILLISECOND",
       "MILLISECONDS", "MICROSECOND", "MICROSECONDS", "NANOSECOND", "NANOSECONDS"},
      ahead);
}

/// Tokens of the value `[+-] number | string...` that is `ahead`; 0 if there is none.
size_t ValueLength(const TokenStream& in, size_t ahead) {
  const size_t sign = in.PeekSymbol("-", ahead) || in.PeekSymbol("+", ahead) ? 1 : 0;
  const Token& token = in.Peek(ahead + sign);
  if (token.is(TokenKind::kInteger) || token.is(TokenKind::kDecimal)) return sign + 1;
  size_t strings = 0;
  while (in.PeekString(ahead + sign + strings)) ++strings;
  return strings == 0 ? 0 : sign + strings;
}

/// Is `value unit` ahead?
bool PeekItem(const TokenStream& in, size_t ahead) {
  const size_t length = ValueLength(in, ahead);
  return length > 0 && PeekUnit(in, ahead + length);
}

struct UnitItem {
  std::string value;
  bool negative = false;
  bool is_string = false;
  std::string unit;  ///< In lower case.
  std::string_view written_unit;
  std::string to;  ///< Empty without TO.
};

/// The value's text with the sign before it worked in.
std::string SignedValue(const UnitItem& item) {
  if (!item.negative) return item.value;
  return item.value.starts_with('-') ? item.value.substr(1) : "-" + item.value;
}

Result<UnitItem> ParseItem(TokenStream& in) {
  UnitItem item;
  if (in.PeekSymbol("-") || in.PeekSymbol("+")) item.negative = in.Next().is_symbol("-");
  item.is_string = in.PeekString();
  if (item.is_string) {
    MERGANSER_ASSIGN_OR_RETURN(item.value, ParseString(in));
  } else {
    item.value = std::string(in.Next().text);
  }
  item.written_unit = in.Next().text;
  item.unit = AsciiLowerCase(item.written_unit);
  if (in.PeekWord("TO") && !item.unit.ends_with('s') &&
      in.PeekAnyWord({"YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"}, 1)) {
    in.Next();
    item.to = AsciiLowerCase(in.Next().text);
  }
  return item;
}

Result<plan::Literal> FromTo(const UnitItem& item) {
  if (!item.is_string) return Error(ErrorClass::_LEGACY_ERROR_TEMP_0027);
  return ReadIntervalFromTo(SignedValue(item), item.unit, item.to);
}

bool HasLetter(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
}

Result<plan::Literal> FromUnits(const std::vector<UnitItem>& items, std::string_view written) {
  std::string text;
  std::vector<std::string> units;
  for (const UnitItem& item : items) {
    if (item.is_string && HasLetter(item.value)) {
      return Error(ErrorClass::_LEGACY_ERROR_TEMP_0026, {{"value", item.value}});
    }
    text.append(" ").append(SignedValue(item)).append(" ").append(item.written_unit);
    units.push_back(item.unit);
  }
  MERGANSER_ASSIGN_OR_RETURN(const CalendarInterval interval, ReadIntervalUnits(text));
  return IntervalLiteral(interval, units, written);
}

}  // namespace

bool PeekIntervalWithUnits(const TokenStream& in) {
  if (!in.PeekWord("INTERVAL")) return false;
  // A number that follows directly can only be an interval's: the error is about its unit.
  return PeekItem(in, 1) || in.Peek(1).is(TokenKind::kInteger) ||
         in.Peek(1).is(TokenKind::kDecimal);
}

Result<plan::Literal> ParseIntervalWithUnits(TokenStream& in) {
  const size_t first = in.position();
  in.Next();
  if (!PeekItem(in, 0)) {
    in.Next();
    return in.SyntaxError();
  }
  std::vector<UnitItem> items;
  bool has_from_to = false;
  while (PeekItem(in, 0)) {
    MERGANSER_ASSIGN_OR_RETURN(UnitItem item, ParseItem(in));
    has_from_to = has_from_to || !item.to.empty();
    items.push_back(std::move(item));
  }
  Result<plan::Literal> literal =
      !has_from_to        ? FromUnits(items, in.TextFrom(first))
      : items.size() == 1 ? FromTo(items.front())
                          : Result<plan::Literal>(Error(ErrorClass::_LEGACY_ERROR_TEMP_0024));
  if (!literal.ok()) return in.ErrorFrom(first, std::move(literal).error());
  return literal;
}

Result<std::optional<plan::Literal>> ReadTypedInterval(std::string_view text,
                                                       std::string_view written) {
  const auto interval = ParseCalendarInterval(text);
  if (!interval) return std::optional<plan::Literal>();
  std::vector<std::string> units;
  std::string word;
  for (const char c : AsciiLowerCase(text) + " ") {
    if (c > ' ') {
      word.push_back(c);
      continue;
    }
    const bool is_unit = !word.empty() && std::all_of(word.begin(), word.end(),
                                                      [](char l) { return l >= 'a' && l <= 'z'; });
    if (is_unit && word != "interval") units.push_back(word);
    word.clear();
  }
  MERGANSER_ASSIGN_OR_RETURN(plan::Literal literal, IntervalLiteral(*interval, units, written));
  return std::optional<plan::Literal>(std::move(literal));
}

}  // namespace merganser
