#include <string>
#include <utility>

#include "merganser/base/json.h"
#include "merganser/connect/plan/refusal.h"
#include "merganser/connect/plan/translate.h"
#include "merganser/delta/schema/schema_json.h"

namespace merganser::connect {
namespace {

namespace proto = spark::connect;

std::string MetadataText(const FieldMetadata& metadata) {
  std::string text = "{";
  for (const auto& [key, value] : metadata) {
    if (text.size() > 1) text += ',';
    AppendJsonString(key, &text);
    text += ':' + value;
  }
  return text + "}";
}

Result<StructType> TranslateFields(const proto::DataType::Struct& type,
                                   const ParserOptions& parser) {
  StructType fields;
  for (const proto::DataType::StructField& field : type.fields()) {
    StructField translated;
    translated.name = field.name();
    translated.nullable = field.nullable();
    MERGANSER_ASSIGN_OR_RETURN(translated.type, TranslateType(field.data_type(), parser));
    if (field.has_metadata()) {
      MERGANSER_ASSIGN_OR_RETURN(translated.metadata, ParseFieldMetadata(field.metadata()));
    }
    fields.Add(std::move(translated));
  }
  return fields;
}

Error UnsupportedType(const proto::DataType& type) {
  const Error refused = RefuseOneof(type, "kind");
  const auto name = refused.parameters().find("name");
  return Error(ErrorClass::CONNECT_INVALID_PLAN,
               {{"kindCase", name == refused.parameters().end() ? "KIND_NOT_SET" : name->second}},
               "DATA_TYPE_UNSUPPORTED_PROTO_TO_CATALYST");
}

}  // namespace

Result<DataType> TranslateType(const proto::DataType& type, const ParserOptions& parser) {
  switch (type.kind_case()) {
    case proto::DataType::kNull:
      return DataType::Null();
    case proto::DataType::kBinary:
      return DataType::Binary();
    case proto::DataType::kBoolean:
      return DataType::Boolean();
    case proto::DataType::kByte:
      return DataType::Byte();
    case proto::DataType::kShort:
      return DataType::Short();
    case proto::DataType::kInteger:
      return DataType::Integer();
    case proto::DataType::kLong:
      return DataType::Long();
    case proto::DataType::kFloat:
      return DataType::Float();
    case proto::DataType::kDouble:
      return DataType::Double();
    case proto::DataType::kDecimal: {
      const proto::DataType::Decimal& decimal = type.decimal();
      const int precision = decimal.has_precision() ? decimal.precision() : 10;
      const int scale = decimal.scale();
      if (precision < 1 || precision > 38 || scale < 0 || scale > precision) {
        return Error(ErrorClass::DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION,
                     {{"precision", std::to_string(precision)}, {"maxPrecision", "38"}});
      }
      return DataType::Decimal(precision, scale);
    }
    case proto::DataType::kString: {
      const std::string& collation = type.string().collation();
      if (collation.empty() || collation == "UTF8_BINARY") return DataType::String();
      return Error(ErrorClass::UNSUPPORTED_DATATYPE,
                   {{"typeName", "\"STRING COLLATE " + collation + "\""}});
    }
    case proto::DataType::kChar:
      if (type.char_().length() < 1) return UnsupportedType(type);
      return DataType::Char(type.char_().length());
    case proto::DataType::kVarChar:
      if (type.var_char().length() < 1) return UnsupportedType(type);
      return DataType::Varchar(type.var_char().length());
    case proto::DataType::kDate:
      return DataType::Date();
    case proto::DataType::kTimestamp:
      return DataType::Timestamp();
    case proto::DataType::kTimestampNtz:
      return DataType::TimestampNtz();
    case proto::DataType::kCalendarInterval:
      return DataType::CalendarInterval();
    case proto::DataType::kYearMonthInterval: {
      const auto& interval = type.year_month_interval();
      const int start = interval.has_start_field() ? interval.start_field() : 0;
      const int end = interval.has_end_field() ? interval.end_field() : 1;
      if (start < 0 || start > end || end > 1) return UnsupportedType(type);
      return DataType::YearMonthInterval(start, end);
    }
    case proto::DataType::kDayTimeInterval: {
      const auto& interval = type.day_time_interval();
      const int start = interval.has_start_field() ? interval.start_field() : 0;
      const int end = interval.has_end_field() ? interval.end_field() : 3;
      if (start < 0 || start > end || end > 3) return UnsupportedType(type);
      return DataType::DayTimeInterval(start, end);
    }
    case proto::DataType::kArray: {
      MERGANSER_ASSIGN_OR_RETURN(DataType element,
                                 TranslateType(type.array().element_type(), parser));
      return DataType::Array(std::move(element), type.array().contains_null());
    }
    case proto::DataType::kStruct: {
      MERGANSER_ASSIGN_OR_RETURN(StructType fields, TranslateFields(type.struct_(), parser));
      return DataType::Struct(std::move(fields));
    }
    case proto::DataType::kMap: {
      MERGANSER_ASSIGN_OR_RETURN(DataType key, TranslateType(type.map().key_type(), parser));
      MERGANSER_ASSIGN_OR_RETURN(DataType value, TranslateType(type.map().value_type(), parser));
      return DataType::Map(std::move(key), std::move(value), type.map().value_contains_null());
    }
    case proto::DataType::kVariant:
      return DataType::Variant();
    case proto::DataType::kUnparsed:
      return ParseDataType(type.unparsed().data_type_string(), parser);
    case proto::DataType::kTime:
      return Error(ErrorClass::UNSUPPORTED_TIME_TYPE);
    default:
      return UnsupportedType(type);
  }
}

void WriteType(const StructType& type, proto::DataType* out) {
  auto* fields = out->mutable_struct_();
  for (const StructField& field : type) {
    proto::DataType::StructField* written = fields->add_fields();
    written->set_name(field.name);
    WriteType(field.type, written->mutable_data_type());
    written->set_nullable(field.nullable);
    if (!field.metadata.empty()) written->set_metadata(MetadataText(field.metadata));
  }
}

void WriteType(const DataType& type, proto::DataType* out) {
  switch (type.id()) {
    case TypeId::kNull:
      out->mutable_null();
      break;
    case TypeId::kBoolean:
      out->mutable_boolean();
      break;
    case TypeId::kByte:
      out->mutable_byte();
      break;
    case TypeId::kShort:
      out->mutable_short_();
      break;
    case TypeId::kInteger:
      out->mutable_integer();
      break;
    case TypeId::kLong:
      out->mutable_long_();
      break;
    case TypeId::kFloat:
      out->mutable_float_();
      break;
    case TypeId::kDouble:
      out->mutable_double_();
      break;
    case TypeId::kDecimal:
      out->mutable_decimal()->set_precision(type.precision());
      out->mutable_decimal()->set_scale(type.scale());
      break;
    case TypeId::kString:
      out->mutable_string();
      break;
    case TypeId::kChar:
      out->mutable_char_()->set_length(type.length());
      break;
    case TypeId::kVarchar:
      out->mutable_var_char()->set_length(type.length());
      break;
    case TypeId::kBinary:
      out->mutable_binary();
      break;
    case TypeId::kDate:
      out->mutable_date();
      break;
    case TypeId::kTimestamp:
      out->mutable_timestamp();
      break;
    case TypeId::kTimestampNtz:
      out->mutable_timestamp_ntz();
      break;
    case TypeId::kYearMonthInterval:
      out->mutable_year_month_interval()->set_start_field(type.start_field());
      out->mutable_year_month_interval()->set_end_field(type.end_field());
      break;
    case TypeId::kDayTimeInterval:
      out->mutable_day_time_interval()->set_start_field(type.start_field());
      out->mutable_day_time_interval()->set_end_field(type.end_field());
      break;
    case TypeId::kCalendarInterval:
      out->mutable_calendar_interval();
      break;
    case TypeId::kVariant:
      out->mutable_variant();
      break;
    case TypeId::kArray:
      WriteType(type.element(), out->mutable_array()->mutable_element_type());
      out->mutable_array()->set_contains_null(type.contains_null());
      break;
    case TypeId::kMap:
      WriteType(type.key(), out->mutable_map()->mutable_key_type());
      WriteType(type.value(), out->mutable_map()->mutable_value_type());
      out->mutable_map()->set_value_contains_null(type.contains_null());
      break;
    case TypeId::kStruct:
      WriteType(type.fields(), out);
      break;
  }
}

}  // namespace merganser::connect
