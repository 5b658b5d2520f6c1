#include "merganser/connect/plan/literal.h"

#include <algorithm>
#include <string>
#include <utility>

#include "merganser/connect/plan/refusal.h"

namespace merganser::connect {
namespace {

using ProtoLiteral = spark::connect::Expression::Literal;

Error MalformedDecimal(const std::string& text) {
  return InvalidPlan("the decimal literal " + text + " is no number");
}

/// The digits of a decimal decide its type together with what the client declared: it is wide
/// enough for both.
Result<plan::Literal> TranslateDecimal(const ProtoLiteral::Decimal& decimal) {
  const std::string& text = decimal.value();
  size_t at = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  __int128 unscaled = 0;
  int digits = 0;
  int scale = -1;
  bool any = false;
  for (; at < text.size() && text[at] != 'e' && text[at] != 'E'; ++at) {
    if (text[at] == '.' && scale < 0) {
      scale = 0;
      continue;
    }
    if (text[at] < '0' || text[at] > '9' || digits >= 38) return MalformedDecimal(text);
    any = true;
    unscaled = unscaled * 10 + (text[at] - '0');
    if (unscaled != 0) ++digits;
    if (scale >= 0) ++scale;
  }
  int exponent = 0;
  if (at < text.size()) {
    const std::string rest = text.substr(at + 1);
    if (rest.empty() || rest.size() > 4) return MalformedDecimal(text);
    size_t used = 0;
    const bool is_number = std::all_of(rest.begin() + (rest[0] == '-' || rest[0] == '+' ? 1 : 0),
                                       rest.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!is_number || rest == "-" || rest == "+") return MalformedDecimal(text);
    exponent = std::stoi(rest, &used);
  }
  if (!any) return MalformedDecimal(text);
  scale = std::max(scale, 0) - exponent;
  for (; scale < 0; ++scale) {
    if (digits >= 38) return MalformedDecimal(text);
    unscaled *= 10;
    ++digits;
  }
  const int declared_scale = decimal.scale();
  while (scale < declared_scale && digits < 38) {
    unscaled *= 10;
    if (unscaled != 0) ++digits;
    ++scale;
  }
  const int precision = std::max({decimal.precision(), digits, scale, 1});
  if (precision > 38 || scale > 38) return MalformedDecimal(text);
  if (text[0] == '-') unscaled = -unscaled;
  return plan::Literal{DataType::Decimal(precision, scale), plan::DecimalValue{unscaled}};
}

Error UnsupportedLiteral(const ProtoLiteral& literal) {
  const Error refused = RefuseOneof(literal, "literal_type");
  const auto name = refused.parameters().find("name");
  return Error(ErrorClass::CONNECT_INVALID_PLAN,
               {{"typeInfo", name == refused.parameters().end() ? "" : name->second}},
               "UNSUPPORTED_LITERAL_TYPE");
}

/// `values` as the call of array with elements of `type`.
Result<plan::ExpressionPtr> ArrayOf(const google::protobuf::RepeatedPtrField<ProtoLiteral>& values,
                                    const spark::connect::DataType& type,
                                    const ParserOptions& parser) {
  std::vector<plan::ExpressionPtr> elements;
  for (const ProtoLiteral& value : values) {
    MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr element, TranslateLiteral(value, parser));
    elements.push_back(std::move(element));
  }
  plan::ExpressionPtr array = MakeCall("array", std::move(elements));
  if (type.kind_case() == spark::connect::DataType::KIND_NOT_SET || !values.empty()) return array;
  MERGANSER_ASSIGN_OR_RETURN(DataType element, TranslateType(type, parser));
  return plan::MakeExpression(plan::Cast{std::move(array), DataType::Array(std::move(element))});
}

template <typename Values, typename Make>
plan::ExpressionPtr ArrayOfScalars(const Values& values, Make make) {
  std::vector<plan::ExpressionPtr> elements;
  for (const auto& value : values) elements.push_back(plan::MakeExpression(make(value)));
  return MakeCall("array", std::move(elements));
}

Result<plan::ExpressionPtr> SpecializedArray(const ProtoLiteral& literal) {
  using Array = ProtoLiteral::SpecializedArray;
  const Array& array = literal.specialized_array();
  switch (array.value_type_case()) {
    case Array::kBools:
      return ArrayOfScalars(array.bools().values(),
                            [](bool value) { return plan::Literal{DataType::Boolean(), value}; });
    case Array::kInts:
      return ArrayOfScalars(array.ints().values(), [](int32_t value) {
        return plan::Literal{DataType::Integer(), int64_t{value}};
      });
    case Array::kLongs:
      return ArrayOfScalars(array.longs().values(),
                            [](int64_t value) { return plan::Literal{DataType::Long(), value}; });
    case Array::kFloats:
      return ArrayOfScalars(array.floats().values(), [](float value) {
        return plan::Literal{DataType::Float(), double{value}};
      });
    case Array::kDoubles:
      return ArrayOfScalars(array.doubles().values(),
                            [](double value) { return plan::Literal{DataType::Double(), value}; });
    case Array::kStrings:
      return ArrayOfScalars(array.strings().values(), [](const std::string& value) {
        return plan::Literal{DataType::String(), value};
      });
    default:
      return RefuseOneof(array, "value_type");
  }
}

Result<plan::ExpressionPtr> StructOf(const ProtoLiteral& literal, const ParserOptions& parser) {
  const spark::connect::DataType& declared =
      literal.struct_().has_struct_type() ? literal.struct_().struct_type() : literal.data_type();
  MERGANSER_ASSIGN_OR_RETURN(const DataType type, TranslateType(declared, parser));
  if (!type.is(TypeId::kStruct) ||
      type.fields().size() != static_cast<size_t>(literal.struct_().elements_size())) {
    return Error(ErrorClass::CONNECT_INVALID_PLAN, {}, "STRUCT_LITERAL_MISSING_DATA_TYPE");
  }
  std::vector<plan::ExpressionPtr> fields;
  for (int i = 0; i < literal.struct_().elements_size(); ++i) {
    MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr value,
                               TranslateLiteral(literal.struct_().elements(i), parser));
    const StructField& field = type.fields()[static_cast<size_t>(i)];
    fields.push_back(MakeText(field.name));
    fields.push_back(plan::MakeExpression(plan::Cast{std::move(value), field.type}));
  }
  return MakeCall("named_struct", std::move(fields));
}

}  // namespace

plan::ExpressionPtr MakeCall(const char* name, std::vector<plan::ExpressionPtr> arguments,
                             bool is_operator) {
  plan::Call call;
  call.name = {name};
  call.arguments = std::move(arguments);
  call.is_operator = is_operator;
  return plan::MakeExpression(std::move(call));
}

plan::ExpressionPtr MakeText(std::string text) {
  return plan::MakeExpression(plan::Literal{DataType::String(), std::move(text)});
}

plan::ExpressionPtr MakeInteger(int64_t value) {
  return plan::MakeExpression(plan::Literal{DataType::Integer(), value});
}

plan::ExpressionPtr MakeLong(int64_t value) {
  return plan::MakeExpression(plan::Literal{DataType::Long(), value});
}

plan::ExpressionPtr MakeColumn(std::string name) {
  return plan::MakeExpression(plan::Attribute{{std::move(name)}, -1});
}

Result<plan::Literal> TranslateScalar(const ProtoLiteral& literal, const ParserOptions& parser) {
  switch (literal.literal_type_case()) {
    case ProtoLiteral::kNull: {
      MERGANSER_ASSIGN_OR_RETURN(DataType type, TranslateType(literal.null(), parser));
      return plan::Literal{std::move(type), {}};
    }
    case ProtoLiteral::kBinary:
      return plan::Literal{DataType::Binary(), literal.binary()};
    case ProtoLiteral::kBoolean:
      return plan::Literal{DataType::Boolean(), literal.boolean()};
    case ProtoLiteral::kByte:
      return plan::Literal{DataType::Byte(), int64_t{literal.byte()}};
    case ProtoLiteral::kShort:
      return plan::Literal{DataType::Short(), int64_t{literal.short_()}};
    case ProtoLiteral::kInteger:
      return plan::Literal{DataType::Integer(), int64_t{literal.integer()}};
    case ProtoLiteral::kLong:
      return plan::Literal{DataType::Long(), int64_t{literal.long_()}};
    case ProtoLiteral::kFloat:
      return plan::Literal{DataType::Float(), double{literal.float_()}};
    case ProtoLiteral::kDouble:
      return plan::Literal{DataType::Double(), literal.double_()};
    case ProtoLiteral::kDecimal:
      return TranslateDecimal(literal.decimal());
    case ProtoLiteral::kString:
      return plan::Literal{DataType::String(), literal.string()};
    case ProtoLiteral::kDate:
      return plan::Literal{DataType::Date(), int64_t{literal.date()}};
    case ProtoLiteral::kTimestamp:
      return plan::Literal{DataType::Timestamp(), int64_t{literal.timestamp()}};
    case ProtoLiteral::kTimestampNtz:
      return plan::Literal{DataType::TimestampNtz(), int64_t{literal.timestamp_ntz()}};
    case ProtoLiteral::kYearMonthInterval:
      return plan::Literal{DataType::YearMonthInterval(), int64_t{literal.year_month_interval()}};
    case ProtoLiteral::kDayTimeInterval:
      return plan::Literal{DataType::DayTimeInterval(), int64_t{literal.day_time_interval()}};
    case ProtoLiteral::kTime:
      return Error(ErrorClass::UNSUPPORTED_TIME_TYPE);
    default:
      return UnsupportedLiteral(literal);
  }
}

Result<plan::ExpressionPtr> TranslateLiteral(const ProtoLiteral& literal,
                                             const ParserOptions& parser) {
  switch (literal.literal_type_case()) {
    case ProtoLiteral::kArray: {
      const bool declared = !literal.array().has_element_type() && literal.has_data_type();
      return ArrayOf(
          literal.array().elements(),
          declared ? literal.data_type().array().element_type() : literal.array().element_type(),
          parser);
    }
    case ProtoLiteral::kMap: {
      const ProtoLiteral::Map& map = literal.map();
      const spark::connect::DataType& key =
          map.has_key_type() ? map.key_type() : literal.data_type().map().key_type();
      const spark::connect::DataType& value =
          map.has_value_type() ? map.value_type() : literal.data_type().map().value_type();
      MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr keys, ArrayOf(map.keys(), key, parser));
      MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr values, ArrayOf(map.values(), value, parser));
      return MakeCall("map_from_arrays", {std::move(keys), std::move(values)});
    }
    case ProtoLiteral::kStruct:
      return StructOf(literal, parser);
    case ProtoLiteral::kSpecializedArray:
      return SpecializedArray(literal);
    case ProtoLiteral::kCalendarInterval: {
      const auto& interval = literal.calendar_interval();
      const plan::Literal seconds{DataType::Decimal(18, 6),
                                  plan::DecimalValue{interval.microseconds()}};
      return MakeCall("make_interval",
                      {MakeInteger(0), MakeInteger(interval.months()), MakeInteger(0),
                       MakeInteger(interval.days()), MakeInteger(0), MakeInteger(0),
                       plan::MakeExpression(seconds)});
    }
    default: {
      MERGANSER_ASSIGN_OR_RETURN(plan::Literal scalar, TranslateScalar(literal, parser));
      return plan::MakeExpression(std::move(scalar));
    }
  }
}

}  // namespace merganser::connect
