#include "merganser/spark/sql/type_parser.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "merganser/base/json.h"
#include "merganser/base/letter_case.h"
#include "merganser/spark/sql/name_parser.h"
#include "merganser/spark/sql/number_literal.h"
#include "merganser/spark/sql/string_literal.h"

namespace merganser {
namespace {

/// Parses one type whose name has been read.
class TypeParser {
 public:
  TypeParser(TokenStream& in, size_t first, std::string name)
      : in_(in), first_(first), name_(std::move(name)) {}

  Result<DataType> Parse() {
    if (name_ == "ARRAY") return ParseArray();
    if (name_ == "MAP") return ParseMap();
    if (name_ == "STRUCT") return ParseStruct();
    if (name_ == "DECIMAL" || name_ == "DEC" || name_ == "NUMERIC") return ParseDecimal();
    if (name_ == "STRING" || name_ == "CHAR" || name_ == "CHARACTER" || name_ == "VARCHAR")
      return ParseText();
    if (name_ == "INTERVAL") return ParseInterval();
    if (name_ == "TIMESTAMP") return ParseTimestamp();
    if (name_ == "TIME") return ParseTime();
    const auto simple = SimpleType();
    if (simple && !in_.PeekSymbol("(")) return *simple;
    MERGANSER_RETURN_IF_ERROR(SkipArguments());
    return Unsupported();
  }

 private:
  Error Fail(ErrorClass error_class, Error::Parameters parameters,
             std::string sub_class = {}) const {
    return in_.ErrorFrom(first_, Error(error_class, std::move(parameters), std::move(sub_class)));
  }

  Error Unsupported() const {
    return Fail(ErrorClass::UNSUPPORTED_DATATYPE,
                {{"typeName", "\"" + AsciiUpperCase(in_.TextFrom(first_)) + "\""}});
  }

  std::optional<DataType> SimpleType() const {
    if (name_ == "BOOLEAN") return DataType::Boolean();
    if (name_ == "TINYINT" || name_ == "BYTE") return DataType::Byte();
    if (name_ == "SMALLINT" || name_ == "SHORT") return DataType::Short();
    if (name_ == "INT" || name_ == "INTEGER") return DataType::Integer();
    if (name_ == "BIGINT" || name_ == "LONG") return DataType::Long();
    if (name_ == "FLOAT" || name_ == "REAL") return DataType::Float();
    if (name_ == "DOUBLE") return DataType::Double();
    if (name_ == "DATE") return DataType::Date();
    if (name_ == "TIMESTAMP_NTZ") return DataType::TimestampNtz();
    if (name_ == "TIMESTAMP_LTZ") return DataType::Timestamp();
    if (name_ == "BINARY") return DataType::Binary();
    if (name_ == "VOID") return DataType::Null();
    if (name_ == "VARIANT") return DataType::Variant();
    return std::nullopt;
  }

  /// `(1, 2)` after a type that takes no arguments, for the error to name it whole.
  Status SkipArguments() {
    if (!in_.AcceptSymbol("(")) return Status::Ok();
    do {
      if (!in_.AcceptWord("ANY")) MERGANSER_RETURN_IF_ERROR(ParseInteger(in_));
    } while (in_.AcceptSymbol(","));
    return in_.ExpectSymbol(")");
  }

  Result<DataType> ParseArray() {
    if (!in_.AcceptSymbol("<"))
      return Fail(ErrorClass::INCOMPLETE_TYPE_DEFINITION, {{"elementType", "<INT>"}}, "ARRAY");
    MERGANSER_ASSIGN_OR_RETURN(DataType element, ParseDataType(in_));
    MERGANSER_RETURN_IF_ERROR(in_.ExpectClosingAngle());
    return DataType::Array(std::move(element));
  }

  Result<DataType> ParseMap() {
    if (!in_.AcceptSymbol("<")) return Fail(ErrorClass::INCOMPLETE_TYPE_DEFINITION, {}, "MAP");
    MERGANSER_ASSIGN_OR_RETURN(DataType key, ParseDataType(in_));
    MERGANSER_RETURN_IF_ERROR(in_.ExpectSymbol(","));
    MERGANSER_ASSIGN_OR_RETURN(DataType value, ParseDataType(in_));
    MERGANSER_RETURN_IF_ERROR(in_.ExpectClosingAngle());
    return DataType::Map(std::move(key), std::move(value));
  }

  Result<DataType> ParseStruct() {
    if (in_.Written(in_.Peek()) == "<>") {
      in_.Next();
      return DataType::Struct(StructType());
    }
    if (!in_.AcceptSymbol("<")) return Fail(ErrorClass::INCOMPLETE_TYPE_DEFINITION, {}, "STRUCT");
    StructType fields;
    if (!in_.PeekSymbol(">") && !in_.PeekSymbol(">>") && !in_.PeekSymbol(">>>")) {
      MERGANSER_ASSIGN_OR_RETURN(fields, ParseFields(in_, true));
    }
    MERGANSER_RETURN_IF_ERROR(in_.ExpectClosingAngle());
    return DataType::Struct(std::move(fields));
  }

  Result<DataType> ParseDecimal() {
    int64_t precision = 10;
    int64_t scale = 0;
    if (in_.AcceptSymbol("(")) {
      MERGANSER_ASSIGN_OR_RETURN(precision, ParseInteger(in_));
      if (in_.AcceptSymbol(",")) {
        MERGANSER_ASSIGN_OR_RETURN(scale, ParseInteger(in_));
      }
      while (in_.AcceptSymbol(",")) {
        MERGANSER_RETURN_IF_ERROR(ParseInteger(in_));
        precision = 0;
      }
      MERGANSER_RETURN_IF_ERROR(in_.ExpectSymbol(")"));
    }
    if (precision < 1) return Unsupported();
    if (precision > kMaxDecimalPrecision) {
      return Fail(ErrorClass::DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION,
                  {{"precision", std::to_string(precision)},
                   {"maxPrecision", std::to_string(kMaxDecimalPrecision)}});
    }
    if (scale > precision) {
      return Fail(ErrorClass::_LEGACY_ERROR_TEMP_1228,
                  {{"precision", std::to_string(precision)}, {"scale", std::to_string(scale)}});
    }
    return DataType::Decimal(static_cast<int>(precision), static_cast<int>(scale));
  }

  Result<DataType> ParseText() {
    DataType type = DataType::String();
    if (name_ != "STRING") {
      const bool is_char = name_ != "VARCHAR";
      if (!in_.AcceptSymbol("("))
        return Fail(ErrorClass::DATATYPE_MISSING_SIZE, {{"type", "\"" + name_ + "\""}});
      const size_t length_at = in_.position();
      MERGANSER_ASSIGN_OR_RETURN(const int64_t length, ParseInteger(in_));
      MERGANSER_RETURN_IF_ERROR(in_.ExpectSymbol(")"));
      if (length > std::numeric_limits<int32_t>::max()) return in_.SyntaxErrorAt(length_at);
      type = is_char ? DataType::Char(static_cast<int>(length))
                     : DataType::Varchar(static_cast<int>(length));
    }
    if (in_.AcceptWord("COLLATE")) {
      MERGANSER_ASSIGN_OR_RETURN(const std::vector<std::string> collation, ParseNameParts(in_));
      if (AsciiUpperCase(collation.back()) != "UTF8_BINARY") return Unsupported();
    }
    return type;
  }

  Result<DataType> ParseInterval() {
    static constexpr std::string_view kDayTime[] = {"DAY", "HOUR", "MINUTE", "SECOND"};
    if (in_.PeekAnyWord({"YEAR", "MONTH"})) {
      const int start = in_.Next().is_word("YEAR") ? 0 : 1;
      if (!in_.PeekWord("TO")) return DataType::YearMonthInterval(start, start);
      if (!in_.PeekWord("MONTH", 1)) return in_.SyntaxError();
      in_.Next();
      in_.Next();
      if (start == 0) return DataType::YearMonthInterval(0, 1);
      return Fail(ErrorClass::INVALID_INTERVAL_FORMAT,
                  {{"input", ""}, {"from", "month"}, {"to", "month"}},
                  "UNSUPPORTED_FROM_TO_EXPRESSION");
    }
    for (int start = 0; start < 4; ++start) {
      if (!in_.AcceptWord(kDayTime[start])) continue;
      if (!in_.PeekWord("TO")) return DataType::DayTimeInterval(start, start);
      for (int end = start + 1; end < 4; ++end) {
        if (in_.AcceptWords("TO", kDayTime[end])) return DataType::DayTimeInterval(start, end);
      }
      return in_.SyntaxError();
    }
    return DataType::CalendarInterval();
  }

  Result<DataType> ParseTime() {
    MERGANSER_RETURN_IF_ERROR(SkipArguments());
    return Fail(ErrorClass::UNSUPPORTED_TIME_TYPE, {});
  }

  Result<DataType> ParseTimestamp() {
    if (in_.PeekWords("WITHOUT", "TIME") && in_.PeekWord("ZONE", 2)) {
      for (int i = 0; i < 3; ++i) in_.Next();
      return DataType::TimestampNtz();
    }
    if (in_.PeekWords("WITH", "LOCAL") && in_.PeekWords("TIME", "ZONE", 2)) {
      for (int i = 0; i < 4; ++i) in_.Next();
      return DataType::Timestamp();
    }
    return in_.options().timestamp_is_ntz ? DataType::TimestampNtz() : DataType::Timestamp();
  }

  TokenStream& in_;
  size_t first_;
  std::string name_;
};

}  // namespace

Result<DataType> ParseDataType(TokenStream& in) {
  const Nesting nesting(in);
  MERGANSER_RETURN_IF_ERROR(nesting.Check());
  const size_t first = in.position();
  const bool is_word = in.Peek().is(TokenKind::kWord);
  MERGANSER_ASSIGN_OR_RETURN(const std::string name, ParseIdentifier(in));
  // A quoted `int` is no keyword, so it names no type.
  Result<DataType> type =
      TypeParser(in, first, is_word ? AsciiUpperCase(name) : std::string()).Parse();
  const bool syntax =
      !type.ok() && (type.error().error_class() == ErrorClass::PARSE_SYNTAX_ERROR ||
                     type.error().error_class() == ErrorClass::FAILED_TO_PARSE_TOO_COMPLEX);
  if (type.ok() || syntax) return type;
  in.Defer(std::move(type).error());
  return DataType::Null();
}

Result<StructField> ParseField(TokenStream& in, bool colon_allowed) {
  StructField field;
  MERGANSER_ASSIGN_OR_RETURN(field.name, ParseHyphenCheckedIdentifier(in));
  if (colon_allowed) in.AcceptSymbol(":");
  MERGANSER_ASSIGN_OR_RETURN(field.type, ParseDataType(in));
  if (in.AcceptWord("NOT") || in.AcceptSymbol("!")) {
    MERGANSER_RETURN_IF_ERROR(in.ExpectWord("NULL"));
    field.nullable = false;
  }
  if (in.AcceptWord("COMMENT")) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string comment, ParseString(in));
    field.metadata.emplace("comment", Json(comment).Dump());
  }
  return field;
}

Result<StructType> ParseFields(TokenStream& in, bool colon_allowed) {
  StructType fields;
  do {
    MERGANSER_ASSIGN_OR_RETURN(StructField field, ParseField(in, colon_allowed));
    fields.Add(std::move(field));
  } while (in.AcceptSymbol(","));
  return fields;
}

}  // namespace merganser
