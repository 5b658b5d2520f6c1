#include "merganser/engine/type_mapping.h"

#include "merganser/engine/sql_text.h"

namespace merganser::engine {

std::string EngineTypeSql(const DataType& type) {
  switch (type.id()) {
    case TypeId::kBoolean:
      return "BOOLEAN";
    case TypeId::kByte:
      return "TINYINT";
    case TypeId::kShort:
      return "SMALLINT";
    case TypeId::kNull:
    case TypeId::kYearMonthInterval:
    case TypeId::kInteger:
      return "INTEGER";
    case TypeId::kDayTimeInterval:
    case TypeId::kLong:
      return "BIGINT";
    case TypeId::kFloat:
      return "FLOAT";
    case TypeId::kDouble:
      return "DOUBLE";
    case TypeId::kDecimal:
      return "DECIMAL(" + std::to_string(type.precision()) + "," + std::to_string(type.scale()) +
             ")";
    case TypeId::kString:
    case TypeId::kChar:
    case TypeId::kVarchar:
    case TypeId::kVariant:
      return "VARCHAR";
    case TypeId::kBinary:
      return "BLOB";
    case TypeId::kDate:
      return "DATE";
    case TypeId::kTimestamp:
      return "TIMESTAMPTZ";
    case TypeId::kTimestampNtz:
      return "TIMESTAMP";
    case TypeId::kCalendarInterval:
      return "INTERVAL";
    case TypeId::kArray:
      return EngineTypeSql(type.element()) + "[]";
    case TypeId::kMap:
      return "MAP(" + EngineTypeSql(type.key()) + ", " + EngineTypeSql(type.value()) + ")";
    case TypeId::kStruct: {
      std::string sql = "STRUCT(";
      for (const StructField& field : type.fields()) {
        if (sql.back() != '(') sql += ", ";
        sql += QuoteIdentifier(field.name) + " " + EngineTypeSql(field.type);
      }
      return sql + ")";
    }
  }
  return {};
}

}  // namespace merganser::engine
