#include "merganser/engine/logical_type.h"

#include <utility>

namespace merganser::engine {

using duckdb::LogicalType;
using duckdb::LogicalTypeId;

LogicalType ToLogicalType(const DataType& type) {
  switch (type.id()) {
    case TypeId::kBoolean:
      return LogicalType::BOOLEAN;
    case TypeId::kByte:
      return LogicalType::TINYINT;
    case TypeId::kShort:
      return LogicalType::SMALLINT;
    case TypeId::kNull:
    case TypeId::kYearMonthInterval:
    case TypeId::kInteger:
      return LogicalType::INTEGER;
    case TypeId::kDayTimeInterval:
    case TypeId::kLong:
      return LogicalType::BIGINT;
    case TypeId::kFloat:
      return LogicalType::FLOAT;
    case TypeId::kDouble:
      return LogicalType::DOUBLE;
    case TypeId::kDecimal:
      return LogicalType::DECIMAL(static_cast<uint8_t>(type.precision()),
                                  static_cast<uint8_t>(type.scale()));
    case TypeId::kString:
    case TypeId::kChar:
    case TypeId::kVarchar:
    case TypeId::kVariant:
      return LogicalType::VARCHAR;
    case TypeId::kBinary:
      return LogicalType::BLOB;
    case TypeId::kDate:
      return LogicalType::DATE;
    case TypeId::kTimestamp:
      return LogicalType::TIMESTAMP_TZ;
    case TypeId::kTimestampNtz:
      return LogicalType::TIMESTAMP;
    case TypeId::kCalendarInterval:
      return LogicalType::INTERVAL;
    case TypeId::kArray:
      return LogicalType::LIST(ToLogicalType(type.element()));
    case TypeId::kMap:
      return LogicalType::MAP(ToLogicalType(type.key()), ToLogicalType(type.value()));
    case TypeId::kStruct: {
      duckdb::child_list_t<LogicalType> children;
      for (const StructField& field : type.fields()) {
        children.emplace_back(field.name, ToLogicalType(field.type));
      }
      return LogicalType::STRUCT(std::move(children));
    }
  }
  return LogicalType::INVALID;
}

DataType FromLogicalType(const LogicalType& type) {
  switch (type.id()) {
    case LogicalTypeId::SQLNULL:
      return DataType::Null();
    case LogicalTypeId::BOOLEAN:
      return DataType::Boolean();
    case LogicalTypeId::TINYINT:
      return DataType::Byte();
    case LogicalTypeId::SMALLINT:
    case LogicalTypeId::UTINYINT:
      return DataType::Short();
    case LogicalTypeId::INTEGER:
    case LogicalTypeId::USMALLINT:
      return DataType::Integer();
    case LogicalTypeId::BIGINT:
    case LogicalTypeId::UINTEGER:
    case LogicalTypeId::UBIGINT:
      return DataType::Long();
    case LogicalTypeId::HUGEINT:
      return DataType::Decimal(38, 0);
    case LogicalTypeId::FLOAT:
      return DataType::Float();
    case LogicalTypeId::DOUBLE:
      return DataType::Double();
    case LogicalTypeId::DECIMAL:
      return DataType::Decimal(duckdb::DecimalType::GetWidth(type),
                               duckdb::DecimalType::GetScale(type));
    case LogicalTypeId::BLOB:
    case LogicalTypeId::BIT:
      return DataType::Binary();
    case LogicalTypeId::DATE:
      return DataType::Date();
    case LogicalTypeId::TIMESTAMP_TZ:
      return DataType::Timestamp();
    case LogicalTypeId::TIMESTAMP:
    case LogicalTypeId::TIMESTAMP_SEC:
    case LogicalTypeId::TIMESTAMP_MS:
    case LogicalTypeId::TIMESTAMP_NS:
      return DataType::TimestampNtz();
    case LogicalTypeId::INTERVAL:
      return DataType::CalendarInterval();
    case LogicalTypeId::LIST:
      return DataType::Array(FromLogicalType(duckdb::ListType::GetChildType(type)));
    case LogicalTypeId::ARRAY:
      return DataType::Array(FromLogicalType(duckdb::ArrayType::GetChildType(type)));
    case LogicalTypeId::MAP:
      return DataType::Map(FromLogicalType(duckdb::MapType::KeyType(type)),
                           FromLogicalType(duckdb::MapType::ValueType(type)));
    case LogicalTypeId::STRUCT: {
      StructType fields;
      for (const auto& [name, child] : duckdb::StructType::GetChildTypes(type)) {
        fields.Add({name, FromLogicalType(child)});
      }
      return DataType::Struct(std::move(fields));
    }
    default:
      return DataType::String();
  }
}

}  // namespace merganser::engine
