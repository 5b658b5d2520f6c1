#include "merganser/commands/constant_value.h"

#include "merganser/delta/schema/scalar.h"

namespace merganser {

Result<plan::Literal> ConstantValue(const engine::RowTable& table, const DataType& type,
                                    int64_t row, size_t column) {
  plan::Literal literal{type, std::monostate{}};
  if (table.IsNull(row, column)) return literal;
  switch (type.id()) {
    case TypeId::kNull:
      return literal;
    case TypeId::kBoolean:
      literal.value = table.Bool(row, column);
      return literal;
    case TypeId::kFloat:
    case TypeId::kDouble:
      literal.value = table.Double(row, column);
      return literal;
    case TypeId::kString:
    case TypeId::kChar:
    case TypeId::kVarchar:
    case TypeId::kBinary:
      literal.value = std::string(table.Blob(row, column));
      return literal;
    case TypeId::kDecimal: {
      // The JSON form of a decimal is its text in quotes.
      const std::string json = table.Json(row, column);
      Int128 unscaled = 0;
      if (!ParseDecimal(std::string_view(json).substr(1, json.size() - 2), type.precision(),
                        type.scale(), &unscaled)) {
        return Error::Internal("a decimal constant cannot be read back: " + json);
      }
      literal.value = plan::DecimalValue{unscaled};
      return literal;
    }
    case TypeId::kByte:
    case TypeId::kShort:
    case TypeId::kInteger:
    case TypeId::kLong:
    case TypeId::kDate:
    case TypeId::kTimestamp:
    case TypeId::kTimestampNtz:
    case TypeId::kYearMonthInterval:
    case TypeId::kDayTimeInterval:
      literal.value = table.Int64(row, column);
      return literal;
    default:
      return Error(ErrorClass::UNSUPPORTED_FEATURE, {}, "LITERAL_TYPE");
  }
}

}  // namespace merganser
