#include "merganser/spark/sql/literal_parser.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "merganser/base/letter_case.h"
#include "merganser/base/time_zone_name.h"
#include "merganser/spark/sql/datetime_literal.h"
#include "merganser/spark/sql/interval_parser.h"
#include "merganser/spark/sql/number_literal.h"
#include "merganser/spark/sql/string_literal.h"

namespace merganser {
namespace {

using plan::ExpressionPtr;
using plan::Literal;

constexpr int64_t kMicrosInSecond = 1'000'000;

ExpressionPtr MakeCall(std::string name, std::vector<ExpressionPtr> arguments,
                       const plan::Origin& origin) {
  plan::Call call;
  call.name = {std::move(name)};
  call.arguments = std::move(arguments);
  return plan::MakeExpression(std::move(call), origin);
}

/// A word that stands for a moment: the text in lower case without the blanks around it.
std::string SpecialValue(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z') out.push_back(static_cast<char>(c - 'A' + 'a'));
    if (c >= 'a' && c <= 'z') out.push_back(c);
    if (c > ' ' && !(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z')) return {};
  }
  return out;
}

/// The current date, or `days` after it; null if `special` is no date.
ExpressionPtr RelativeDate(const std::string& special, const plan::Origin& origin) {
  const int64_t days = special == "tomorrow" ? 1 : special == "yesterday" ? -1 : 0;
  if (days == 0 && special != "today" && special != "now") return nullptr;
  ExpressionPtr today = MakeCall("current_date", {}, origin);
  if (days == 0) return today;
  return MakeCall(
      "date_add",
      {std::move(today), plan::MakeExpression(Literal{DataType::Integer(), days}, origin)}, origin);
}

/// A typed literal: the type's word and the text in quotes.
class TypedLiteralParser {
 public:
  explicit TypedLiteralParser(TokenStream& in) : in_(in), first_(in.position()) {}

  Result<ExpressionPtr> Parse() {
    type_ = AsciiUpperCase(in_.Next().text);
    // One string token: unlike plain strings, those of typed literals are not joined.
    text_ = StringValue(in_.Next().text);
    origin_ = in_.OriginFrom(first_);
    if (type_ == "DATE") return Date();
    if (type_ == "TIMESTAMP")
      return in_.options().timestamp_is_ntz ? TimestampOfEitherKind() : TimestampLtz();
    if (type_ == "TIMESTAMP_LTZ") return TimestampLtz();
    if (type_ == "TIMESTAMP_NTZ") return TimestampNtz();
    if (type_ == "INTERVAL") return Interval();
    if (type_ == "X") return Binary();
    if (type_ == "TIME") return in_.ErrorFrom(first_, Error(ErrorClass::UNSUPPORTED_TIME_TYPE));
    return in_.ErrorFrom(
        first_,
        Error(ErrorClass::UNSUPPORTED_TYPED_LITERAL,
              {{"unsupportedType", "\"" + type_ + "\""},
               {"supportedTypes",
                R"("DATE", "TIMESTAMP_NTZ", "TIMESTAMP_LTZ", "TIMESTAMP", "INTERVAL", "X")"}}));
  }

 private:
  ExpressionPtr Make(DataType type, plan::LiteralValue value) const {
    return plan::MakeExpression(Literal{std::move(type), std::move(value)}, origin_);
  }

  Error Invalid() const {
    return in_.ErrorFrom(first_,
                         Error(ErrorClass::INVALID_TYPED_LITERAL,
                               {{"valueType", "\"" + type_ + "\""}, {"value", "'" + text_ + "'"}}));
  }

  Result<ExpressionPtr> Date() const {
    const std::string special = SpecialValue(text_);
    if (special == "epoch") return Make(DataType::Date(), int64_t{0});
    if (ExpressionPtr relative = RelativeDate(special, origin_)) return relative;
    const auto days = ReadDate(text_);
    if (!days) return Invalid();
    return Make(DataType::Date(), *days);
  }

  ExpressionPtr CastText(const DataType& type) const {
    return plan::MakeExpression(plan::Cast{Make(DataType::String(), text_), type, false, true},
                                origin_);
  }

  /// The literal of a special value of either timestamp type, null if it is none.
  ExpressionPtr SpecialTimestamp(const DataType& type) const {
    const std::string special = SpecialValue(text_);
    if (special == "epoch") return Make(type, int64_t{0});
    if (special == "now") {
      const bool ntz = type.is(TypeId::kTimestampNtz);
      return MakeCall(ntz ? "localtimestamp" : "current_timestamp", {}, origin_);
    }
    ExpressionPtr date = RelativeDate(special, origin_);
    if (date == nullptr) return nullptr;
    return plan::MakeExpression(plan::Cast{std::move(date), type, false, true}, origin_);
  }

  Result<ExpressionPtr> TimestampLtz() const {
    if (ExpressionPtr special = SpecialTimestamp(DataType::Timestamp())) return special;
    const auto timestamp = ReadTimestamp(text_);
    if (!timestamp) return Invalid();
    const auto zone =
        timestamp->zone ? timestamp->zone : CanonicalTimeZone(in_.options().session_time_zone);
    const auto offset = zone ? FixedZoneOffset(*zone) : std::nullopt;
    if (!offset || timestamp->time_only) return CastText(DataType::Timestamp());
    const __int128 micros = static_cast<__int128>(timestamp->local_micros) -
                            static_cast<__int128>(*offset) * kMicrosInSecond;
    if (micros > std::numeric_limits<int64_t>::max() ||
        micros < std::numeric_limits<int64_t>::min())
      return Invalid();
    return Make(DataType::Timestamp(), static_cast<int64_t>(micros));
  }

  Result<ExpressionPtr> TimestampNtz() const {
    if (ExpressionPtr special = SpecialTimestamp(DataType::TimestampNtz())) return special;
    const auto timestamp = ReadTimestamp(text_);
    if (!timestamp || timestamp->time_only) return Invalid();
    return Make(DataType::TimestampNtz(), timestamp->local_micros);
  }

  /// TIMESTAMP where it means TIMESTAMP_NTZ: a zone in the text still makes it an instant.
  Result<ExpressionPtr> TimestampOfEitherKind() const {
    const auto timestamp = ReadTimestamp(text_);
    return timestamp && timestamp->zone ? TimestampLtz() : TimestampNtz();
  }

  Result<ExpressionPtr> Interval() const {
    auto interval = ReadTypedInterval(text_, in_.TextFrom(first_));
    if (!interval.ok()) return in_.ErrorFrom(first_, std::move(interval).error());
    if (!*interval) return Invalid();
    return plan::MakeExpression(**std::move(interval), origin_);
  }

  Result<ExpressionPtr> Binary() const {
    const std::string digits = text_.size() % 2 == 0 ? text_ : "0" + text_;
    std::string bytes;
    int high = -1;
    for (const char c : digits) {
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) return Invalid();
      if (high < 0) {
        high = digit;
      } else {
        bytes.push_back(static_cast<char>(high * 16 + digit));
        high = -1;
      }
    }
    return Make(DataType::Binary(), std::move(bytes));
  }

  TokenStream& in_;
  size_t first_;
  std::string type_;
  std::string text_;
  plan::Origin origin_;
};

bool PeekTypedLiteral(const TokenStream& in) {
  return in.Peek().is(TokenKind::kWord) && in.PeekIdentifier() && in.PeekString(1) &&
         !in.PeekWord("CASE");  // CASE 'a' WHEN ...
}

/// The literal, or what is wrong with its syntax or meaning.
Result<ExpressionPtr> ReadLiteral(TokenStream& in) {
  const size_t first = in.position();
  Literal literal;
  if (in.PeekString()) {
    MERGANSER_ASSIGN_OR_RETURN(std::string text, ParseString(in));
    literal = {DataType::String(), std::move(text)};
  } else if (in.PeekSymbol("-") || in.Peek().is_number()) {
    MERGANSER_ASSIGN_OR_RETURN(literal, ParseNumber(in));
  } else if (PeekIntervalWithUnits(in)) {
    MERGANSER_ASSIGN_OR_RETURN(literal, ParseIntervalWithUnits(in));
  } else if (PeekTypedLiteral(in)) {
    return TypedLiteralParser(in).Parse();
  } else if (in.AcceptWord("NULL")) {
    literal = {DataType::Null(), std::monostate()};
  } else {
    literal = {DataType::Boolean(), in.Next().is_word("TRUE")};
  }
  return plan::MakeExpression(std::move(literal), in.OriginFrom(first));
}

}  // namespace

bool PeekLiteral(const TokenStream& in) {
  if (in.Peek().is_number() || in.PeekString()) return true;
  if (in.PeekSymbol("-")) return in.Peek(1).is_number();
  if (!in.Peek().is(TokenKind::kWord)) return false;
  if (in.PeekAnyWord({"NULL", "TRUE", "FALSE"}))
    return !in.PeekSymbol("(", 1) && !in.PeekSymbol(".", 1);
  return PeekIntervalWithUnits(in) || PeekTypedLiteral(in);
}

Result<ExpressionPtr> ParseLiteral(TokenStream& in) {
  const size_t first = in.position();
  Result<ExpressionPtr> literal = ReadLiteral(in);
  if (literal.ok() || literal.error().error_class() == ErrorClass::PARSE_SYNTAX_ERROR)
    return literal;
  in.Defer(std::move(literal).error());
  return plan::MakeExpression(Literal{DataType::Null(), std::monostate()}, in.OriginFrom(first));
}

}  // namespace merganser
