#include "merganser/spark/sql/setting_parser.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "merganser/base/ascii_text.h"
#include "merganser/base/time_units.h"
#include "merganser/base/time_zone_name.h"
#include "merganser/spark/sql/interval_parser.h"
#include "merganser/spark/sql/literal_parser.h"
#include "merganser/spark/sql/name_parser.h"
#include "merganser/spark/sql/string_literal.h"

namespace merganser {
namespace {

constexpr std::string_view kTimeZoneKey = "spark.sql.session.timeZone";

/// Characters of a key that needs no quotes.
bool IsKey(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '\\' || c == '.' || c == ':';
  });
}

/// The rest of the statement without semicolons at its end.
std::string_view Remainder(const TokenStream& in) {
  std::string_view text = Trim(in.RemainingText());
  while (text.ends_with(';')) text = Trim(text.substr(0, text.size() - 1));
  return text;
}

Error InvalidSet(const TokenStream& in, size_t first) {
  return in.ErrorFrom(first, Error(ErrorClass::INVALID_SET_SYNTAX));
}

/// `+hh:mm` of an offset, or nullopt beyond 18 hours.
std::optional<std::string> OffsetText(int64_t micros) {
  if (micros % kMicrosPerSecond != 0 || micros > 18 * kMicrosPerHour ||
      micros < -18 * kMicrosPerHour)
    return std::nullopt;
  const int64_t seconds = std::abs(micros / kMicrosPerSecond);
  const auto two_digits = [](int64_t value) {
    return std::string(value < 10 ? "0" : "") + std::to_string(value);
  };
  std::string text =
      (micros < 0 ? "-" : "+") + two_digits(seconds / 3600) + ":" + two_digits(seconds / 60 % 60);
  if (seconds % 60 != 0) text += ":" + two_digits(seconds % 60);
  return text;
}

Result<std::string> ParseTimeZone(TokenStream& in, size_t first) {
  if (in.PeekString()) return ParseString(in);
  if (in.AcceptWord("LOCAL")) return SystemTimeZone();
  if (!in.PeekWord("INTERVAL") || !PeekLiteral(in)) return InvalidSet(in, first);
  MERGANSER_ASSIGN_OR_RETURN(const plan::ExpressionPtr expression, ParseLiteral(in));
  const auto* literal = expression->As<plan::Literal>();
  const bool day_time = literal != nullptr && literal->type.is(TypeId::kDayTimeInterval);
  const auto offset = day_time ? OffsetText(std::get<int64_t>(literal->value)) : std::nullopt;
  if (!offset)
    return in.ErrorFrom(first, Error(ErrorClass::INVALID_INTERVAL_FORMAT,
                                     {{"input", std::string(in.TextFrom(first))}},
                                     "TIMEZONE_INTERVAL_OUT_OF_RANGE"));
  return *offset;
}

/// Keys and values in backticks.
Result<plan::SetConf> ParseQuotedSetting(TokenStream& in) {
  plan::SetConf set;
  set.key = QuotedNameValue(in.Next().text);
  if (!in.AcceptSymbol("=")) {
    MERGANSER_RETURN_IF_ERROR(in.ExpectEnd());
    return set;
  }
  const bool quoted = in.Peek().is(TokenKind::kBackquoted) &&
                      (in.Peek(1).is(TokenKind::kEnd) || in.PeekSymbol(";", 1));
  set.value = quoted ? QuotedNameValue(in.Peek().text) : std::string(Remainder(in));
  in.SkipToEnd();
  return set;
}

Result<plan::SetConf> ParseSetting(TokenStream& in, size_t first) {
  const bool quoted_name =
      in.Peek().is(TokenKind::kBackquoted) &&
      (in.PeekSymbol("=", 1) || in.PeekSymbol(";", 1) || in.Peek(1).is(TokenKind::kEnd));
  if (quoted_name) return ParseQuotedSetting(in);
  const std::string_view text = Remainder(in);
  in.SkipToEnd();
  plan::SetConf set;
  if (text.empty()) return set;
  if (text == "-v") {
    set.verbose = true;
    return set;
  }
  const size_t equals = text.find('=');
  const std::string_view key = Trim(text.substr(0, equals));
  if (!IsKey(key)) return InvalidSet(in, first);
  set.key = std::string(key);
  if (equals == text.npos) return set;
  const std::string_view value = Trim(text.substr(equals + 1));
  if (value.find(';') != value.npos) return InvalidSet(in, first);
  const bool quoted_value =
      value.size() > 1 && value.starts_with('`') && value.find('`', 1) == value.size() - 1;
  set.value = quoted_value ? QuotedNameValue(value) : std::string(value);
  return set;
}

}  // namespace

Result<plan::Command> ParseSet(TokenStream& in) {
  const size_t first = in.position();
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("SET"));
  if (in.AcceptWords("TIME", "ZONE")) {
    MERGANSER_ASSIGN_OR_RETURN(std::string zone, ParseTimeZone(in, first));
    return plan::Command(plan::SetConf{std::string(kTimeZoneKey), std::move(zone), false});
  }
  if (in.PeekWord("CATALOG") && (in.PeekIdentifier(1) || in.PeekString(1))) {
    in.Next();
    plan::UseSchema use;
    use.catalog = true;
    if (in.PeekString()) {
      MERGANSER_ASSIGN_OR_RETURN(std::string name, ParseString(in));
      use.name.parts.push_back(std::move(name));
    } else {
      MERGANSER_ASSIGN_OR_RETURN(use.name, ParseName(in));
    }
    return plan::Command(std::move(use));
  }
  if (in.PeekWord("ROLE") && in.PeekIdentifier(1)) return in.NotSupported("SET ROLE");
  if (in.PeekAnyWord({"VAR", "VARIABLE"}) && (in.PeekIdentifier(1) || in.PeekSymbol("(", 1)))
    return in.NotSupported("SET VARIABLE");
  MERGANSER_ASSIGN_OR_RETURN(plan::SetConf set, ParseSetting(in, first));
  return plan::Command(std::move(set));
}

Result<plan::ResetConf> ParseReset(TokenStream& in) {
  const size_t first = in.position();
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("RESET"));
  plan::ResetConf reset;
  if (in.Peek().is(TokenKind::kBackquoted)) {
    reset.key = QuotedNameValue(in.Next().text);
    return reset;
  }
  const std::string_view text = Remainder(in);
  in.SkipToEnd();
  if (text.empty()) return reset;
  if (!IsKey(text)) return in.ErrorFrom(first, Error(ErrorClass::INVALID_RESET_COMMAND_FORMAT));
  reset.key = std::string(text);
  return reset;
}

}  // namespace merganser
