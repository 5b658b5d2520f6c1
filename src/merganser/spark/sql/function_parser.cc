#include "merganser/spark/sql/function_parser.h"

#include <algorithm>
#include <utility>

#include "merganser/base/letter_case.h"
#include "merganser/spark/sql/datetime_literal.h"
#include "merganser/spark/sql/expression_parser.h"
#include "merganser/spark/sql/name_parser.h"
#include "merganser/spark/sql/string_literal.h"
#include "merganser/spark/sql/type_parser.h"
#include "merganser/spark/sql/window_parser.h"

namespace merganser {
namespace {

using plan::ExpressionPtr;

/// A call while it is read.
class CallParser {
 public:
  CallParser(TokenStream& in, std::vector<std::string> name, size_t first)
      : in_(in), first_(first) {
    call_.name = std::move(name);
    if (call_.name.size() == 1) word_ = AsciiUpperCase(call_.name[0]);
  }

  Result<ExpressionPtr> Parse() {
    MERGANSER_RETURN_IF_ERROR(in_.ExpectSymbol("("));
    MERGANSER_RETURN_IF_ERROR(ParseLeadingWords());
    if (!closed_)
      MERGANSER_RETURN_IF_ERROR(ParseArguments(in_, call_.arguments, call_.argument_names));
    MERGANSER_RETURN_IF_ERROR(ReplaceDatetimeUnit());
    return ParseTrailingClauses();
  }

 private:
  /// Does the word at the cursor stand alone, as a column does, rather than qualify what follows?
  bool StandsAlone() const {
    const Token& next = in_.Peek(1);
    return next.is(TokenKind::kEnd) || next.is_symbol(")") || next.is_symbol(",") ||
           next.is_symbol(".") || next.is_symbol("=>") || next.is_symbol("->");
  }

  /// DISTINCT and ALL; and the first argument of calls that have words behind it.
  Status ParseLeadingWords() {
    if (in_.PeekAnyWord({"DISTINCT", "ALL"}) && !StandsAlone()) {
      call_.distinct = in_.Next().is_word("DISTINCT");
      return Status::Ok();
    }
    if (in_.PeekSymbol(")") || in_.PeekSymbol("=>", 1)) return Status::Ok();
    if (word_ == "EXTRACT") return ParseExtract();
    if (word_ == "TRIM") return ParseTrim();
    if (word_ == "POSITION") return ParsePosition();
    if (word_ == "SUBSTRING" || word_ == "SUBSTR") return ParseSubstring();
    if (word_ == "OVERLAY") return ParseOverlay();
    if (word_ == "FIRST" || word_ == "LAST" || word_ == "ANY_VALUE") return ParseIgnoreNulls();
    if (word_.find("MAKE_TIMESTAMP") != word_.npos) return ParseDateAndTime();
    return Status::Ok();
  }

  Status TakeArgument() {
    MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr argument, ParseExpression(in_));
    call_.arguments.push_back(std::move(argument));
    return Status::Ok();
  }

  Status TakeArgumentAfter(std::string_view word) {
    MERGANSER_RETURN_IF_ERROR(in_.ExpectWord(word));
    return TakeArgument();
  }

  /// Close the call, or go on with more ordinary arguments.
  Status Continue() {
    closed_ = !in_.AcceptSymbol(",");
    if (closed_) return in_.ExpectSymbol(")");
    return in_.PeekSymbol(")") ? Status(in_.SyntaxError()) : Status::Ok();
  }

  Status ParseExtract() {
    if (!in_.PeekIdentifier() || !in_.PeekWord("FROM", 1)) return Status::Ok();
    const size_t field_at = in_.position();
    MERGANSER_ASSIGN_OR_RETURN(std::string field, ParseIdentifier(in_));
    call_.arguments.push_back(MakeString(std::move(field), in_.OriginFrom(field_at)));
    MERGANSER_RETURN_IF_ERROR(TakeArgumentAfter("FROM"));
    closed_ = true;
    return in_.ExpectSymbol(")");
  }

  Status ParseTrim() {
    std::string name = "trim";
    const bool has_side = in_.PeekAnyWord({"BOTH", "LEADING", "TRAILING"}) && !StandsAlone();
    if (has_side) {
      const Token& side = in_.Next();
      name = side.is_word("LEADING") ? "ltrim" : side.is_word("TRAILING") ? "rtrim" : "trim";
    }
    if (!in_.PeekWord("FROM") || StandsAlone()) MERGANSER_RETURN_IF_ERROR(TakeArgument());
    if (has_side || in_.PeekWord("FROM")) {
      call_.name = {std::move(name)};
      MERGANSER_RETURN_IF_ERROR(TakeArgumentAfter("FROM"));
      closed_ = true;
      return in_.ExpectSymbol(")");
    }
    return Continue();
  }

  Status ParsePosition() {
    const Nesting nesting(in_);
    MERGANSER_RETURN_IF_ERROR(nesting.Check());
    MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr argument, ParseValueExpression(in_));
    call_.arguments.push_back(std::move(argument));
    if (in_.PeekWord("IN")) {
      call_.name = {"locate"};
      MERGANSER_RETURN_IF_ERROR(TakeArgumentAfter("IN"));
      closed_ = true;
      return in_.ExpectSymbol(")");
    }
    return Continue();
  }

  Status ParseSubstring() {
    MERGANSER_RETURN_IF_ERROR(TakeArgument());
    if (!in_.PeekWord("FROM")) return Continue();
    call_.name = {"substring"};
    MERGANSER_RETURN_IF_ERROR(TakeArgumentAfter("FROM"));
    if (in_.PeekWord("FOR")) MERGANSER_RETURN_IF_ERROR(TakeArgumentAfter("FOR"));
    return Continue();
  }

  Status ParseOverlay() {
    MERGANSER_RETURN_IF_ERROR(TakeArgument());
    if (!in_.PeekWord("PLACING")) return Continue();
    MERGANSER_RETURN_IF_ERROR(TakeArgumentAfter("PLACING"));
    MERGANSER_RETURN_IF_ERROR(TakeArgumentAfter("FROM"));
    if (in_.PeekWord("FOR")) MERGANSER_RETURN_IF_ERROR(TakeArgumentAfter("FOR"));
    closed_ = true;
    return in_.ExpectSymbol(")");
  }

  Status ParseIgnoreNulls() {
    MERGANSER_RETURN_IF_ERROR(TakeArgument());
    if (in_.AcceptWords("IGNORE", "NULLS")) call_.ignore_nulls = true;
    return Continue();
  }

  /// `make_timestamp(date, TIME '12:30:00' [, zone])`: the one place where a TIME literal stands.
  Status ParseDateAndTime() {
    MERGANSER_RETURN_IF_ERROR(TakeArgument());
    if (!in_.PeekSymbol(",") || !in_.PeekWord("TIME", 1) || !in_.PeekString(2)) return Continue();
    in_.Next();
    const size_t time_at = in_.position();
    in_.Next();
    MERGANSER_ASSIGN_OR_RETURN(const std::string text, ParseString(in_));
    const auto time = ReadTimestamp(text);
    if (!time || !time->time_only || time->zone) {
      return in_.ErrorFrom(time_at,
                           Error(ErrorClass::INVALID_TYPED_LITERAL,
                                 {{"valueType", "\"TIME\""}, {"value", "'" + text + "'"}}));
    }
    plan::Call literal;
    literal.name = {"time literal"};
    literal.is_operator = true;
    literal.arguments = {plan::MakeExpression(plan::Literal{DataType::Long(), time->local_micros},
                                              in_.OriginFrom(time_at))};
    call_.arguments.push_back(plan::MakeExpression(std::move(literal), in_.OriginFrom(time_at)));
    return Continue();
  }

  /// `dateadd(DAY, n, t)`: with three arguments the first is a unit, not a column.
  Status ReplaceDatetimeUnit() {
    const bool adds = word_ == "TIMESTAMPADD" || word_ == "DATEADD" || word_ == "DATE_ADD";
    const bool subtracts = word_ == "TIMESTAMPDIFF" || word_ == "DATEDIFF" ||
                           word_ == "DATE_DIFF" || word_ == "TIMEDIFF";
    if ((!adds && !subtracts) || call_.arguments.size() != 3 || !call_.argument_names.empty())
      return Status::Ok();
    const plan::Origin origin = call_.arguments[0]->origin;
    if (const auto* literal = call_.arguments[0]->As<plan::Literal>();
        literal != nullptr && literal->type.is(TypeId::kString)) {
      return in_.ErrorFrom(
          first_, Error(ErrorClass::INVALID_PARAMETER_VALUE,
                        {{"functionName", "`" + call_.name[0] + "`"},
                         {"parameter", "`unit`"},
                         {"invalidValue", "'" + std::get<std::string>(literal->value) + "'"}},
                        "DATETIME_UNIT"));
    }
    static constexpr std::string_view kUnits[] = {"YEAR",   "QUARTER",     "MONTH",      "WEEK",
                                                  "DAY",    "DAYOFYEAR",   "HOUR",       "MINUTE",
                                                  "SECOND", "MILLISECOND", "MICROSECOND"};
    const auto* attribute = call_.arguments[0]->As<plan::Attribute>();
    if (attribute == nullptr || attribute->parts.size() != 1) return Status::Ok();
    const std::string unit = AsciiUpperCase(attribute->parts[0]);
    if (std::find(std::begin(kUnits), std::end(kUnits), unit) == std::end(kUnits))
      return Status::Ok();
    call_.name = {adds ? "timestampadd" : "timestampdiff"};
    call_.arguments[0] = MakeString(unit, origin);
    return Status::Ok();
  }

  Result<ExpressionPtr> ParseTrailingClauses() {
    if (in_.PeekWords("WITHIN", "GROUP") && in_.PeekSymbol("(", 2)) {
      for (int i = 0; i < 3; ++i) in_.Next();
      MERGANSER_RETURN_IF_ERROR(in_.ExpectWords("ORDER", "BY"));
      MERGANSER_ASSIGN_OR_RETURN(call_.within_group, ParseSortItems(in_));
      MERGANSER_RETURN_IF_ERROR(in_.ExpectSymbol(")"));
    }
    if (in_.PeekWord("FILTER") && in_.PeekSymbol("(", 1)) {
      in_.Next();
      in_.Next();
      MERGANSER_RETURN_IF_ERROR(in_.ExpectWord("WHERE"));
      MERGANSER_ASSIGN_OR_RETURN(call_.filter, ParseExpression(in_));
      MERGANSER_RETURN_IF_ERROR(in_.ExpectSymbol(")"));
    }
    if (in_.PeekAnyWord({"IGNORE", "RESPECT"}) && in_.PeekWord("NULLS", 1)) {
      call_.ignore_nulls = in_.Next().is_word("IGNORE");
      in_.Next();
    }
    in_.NoteCall({call_.name, in_.OriginFrom(first_)});
    ExpressionPtr function = plan::MakeExpression(std::move(call_), in_.OriginFrom(first_));
    if (!PeekWindow(in_)) return function;
    plan::Window window{std::move(function), {}};
    in_.Next();
    MERGANSER_ASSIGN_OR_RETURN(window.spec, ParseWindowSpec(in_));
    return plan::MakeExpression(std::move(window), in_.OriginFrom(first_));
  }

  TokenStream& in_;
  size_t first_;
  plan::Call call_;
  std::string word_;     ///< The name in upper case; empty for a qualified one.
  bool closed_ = false;  ///< The closing parenthesis has been taken.
};

Result<ExpressionPtr> ParseCast(TokenStream& in) {
  const size_t first = in.position();
  plan::Cast cast;
  cast.is_try = in.Next().is_word("TRY_CAST");
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("("));
  MERGANSER_ASSIGN_OR_RETURN(cast.child, ParseExpression(in));
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("AS"));
  MERGANSER_ASSIGN_OR_RETURN(cast.type, ParseDataType(in));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  return plan::MakeExpression(std::move(cast), in.OriginFrom(first));
}

Result<ExpressionPtr> ParseStruct(TokenStream& in) {
  const size_t first = in.position();
  plan::Call call;
  call.name = {"struct"};
  in.Next();
  in.Next();
  if (!in.PeekSymbol(")")) {
    MERGANSER_ASSIGN_OR_RETURN(call.arguments, ParseNamedExpressions(in));
  }
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  return plan::MakeExpression(std::move(call), in.OriginFrom(first));
}

}  // namespace

Result<ExpressionPtr> ParseCall(TokenStream& in, std::vector<std::string> name, size_t first) {
  return CallParser(in, std::move(name), first).Parse();
}

bool PeekSpecialCall(const TokenStream& in) {
  return in.PeekAnyWord({"CAST", "TRY_CAST", "STRUCT"}) && in.PeekSymbol("(", 1);
}

Result<ExpressionPtr> ParseSpecialCall(TokenStream& in) {
  return in.PeekWord("STRUCT") ? ParseStruct(in) : ParseCast(in);
}

Status ParseArguments(TokenStream& in, std::vector<ExpressionPtr>& arguments,
                      std::vector<std::string>& names) {
  if (in.AcceptSymbol(")")) return Status::Ok();
  bool has_names = false;
  names.resize(arguments.size());
  do {
    std::string name;
    if (in.PeekIdentifier() && in.PeekSymbol("=>", 1)) {
      MERGANSER_ASSIGN_OR_RETURN(name, ParseIdentifier(in));
      in.Next();
      has_names = true;
    }
    MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr argument, ParseExpression(in));
    arguments.push_back(std::move(argument));
    names.push_back(std::move(name));
  } while (in.AcceptSymbol(","));
  if (!has_names) names.clear();
  return in.ExpectSymbol(")");
}

}  // namespace merganser
