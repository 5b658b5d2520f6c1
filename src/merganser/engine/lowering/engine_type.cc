#include <fmt/format.h>

#include "merganser/engine/lowering/lowering.h"
#include "merganser/engine/lowering/sql_quoting.h"

namespace merganser {

std::string EngineType(const DataType& type) {
  switch (type.id()) {
    case TypeId::kNull:
      return "INTEGER";
    case TypeId::kBoolean:
      return "BOOLEAN";
    case TypeId::kByte:
      return "TINYINT";
    case TypeId::kShort:
      return "SMALLINT";
    case TypeId::kInteger:
      return "INTEGER";
    case TypeId::kLong:
      return "BIGINT";
    case TypeId::kFloat:
      return "FLOAT";
    case TypeId::kDouble:
      return "DOUBLE";
    case TypeId::kDecimal:
      return fmt::format("DECIMAL({},{})", type.precision(), type.scale());
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
      return "TIMESTAMP WITH TIME ZONE";
    case TypeId::kTimestampNtz:
      return "TIMESTAMP";
    case TypeId::kYearMonthInterval:
      return "INTEGER";
    case TypeId::kDayTimeInterval:
      return "BIGINT";
    case TypeId::kCalendarInterval:
      return "INTERVAL";
    case TypeId::kArray:
      return EngineType(type.element()) + "[]";
    case TypeId::kMap:
      return fmt::format("MAP({}, {})", EngineType(type.key()), EngineType(type.value()));
    case TypeId::kStruct: {
      std::string text = "STRUCT(";
      for (size_t i = 0; i < type.fields().size(); ++i) {
        const StructField& field = type.fields()[i];
        text += fmt::format("{}{} {}", i == 0 ? "" : ", ", QuoteName(field.name),
                            EngineType(field.type));
      }
      return text + ")";
    }
  }
  return "INTEGER";
}

std::string EngineColumn(ColumnId id) { return fmt::format("c{}", id); }

}  // namespace merganser
