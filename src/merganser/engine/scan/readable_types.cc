#include "merganser/engine/scan/readable_types.h"

namespace merganser::engine {
namespace {

using duckdb::LogicalType;
using duckdb::LogicalTypeId;

// Decimal digits that hold every value of an integer type; 0 for other types.
int IntegerDigits(const LogicalType& type) {
  switch (type.id()) {
    case LogicalTypeId::TINYINT:
    case LogicalTypeId::UTINYINT:
      return 3;
    case LogicalTypeId::SMALLINT:
    case LogicalTypeId::USMALLINT:
      return 5;
    case LogicalTypeId::INTEGER:
    case LogicalTypeId::UINTEGER:
      return 10;
    case LogicalTypeId::BIGINT:
      return 19;
    case LogicalTypeId::UBIGINT:
      return 20;
    default:
      return 0;
  }
}

// Spark stores BYTE and SHORT in files as 32-bit integers, not always with the note that says so.
int DigitsOf(TypeId type) { return type == TypeId::kLong ? 19 : 10; }

bool IsTimestamp(const LogicalType& type) {
  switch (type.id()) {
    case LogicalTypeId::TIMESTAMP:
    case LogicalTypeId::TIMESTAMP_TZ:
    case LogicalTypeId::TIMESTAMP_NS:
    case LogicalTypeId::TIMESTAMP_MS:
    case LogicalTypeId::TIMESTAMP_SEC:
      return true;
    default:
      return false;
  }
}

bool IsReadableAsDecimal(const LogicalType& stored, int precision, int scale) {
  if (const int digits = IntegerDigits(stored)) return digits <= precision - scale;
  if (stored.id() != LogicalTypeId::DECIMAL) return false;
  const int stored_scale = duckdb::DecimalType::GetScale(stored);
  const int stored_digits = duckdb::DecimalType::GetWidth(stored) - stored_scale;
  return stored_scale <= scale && stored_digits <= precision - scale;
}

}  // namespace

bool IsReadableAs(const LogicalType& stored, const DataType& wanted) {
  const int digits = IntegerDigits(stored);
  switch (wanted.id()) {
    case TypeId::kBoolean:
      return stored.id() == LogicalTypeId::BOOLEAN;
    case TypeId::kByte:
    case TypeId::kShort:
    case TypeId::kInteger:
    case TypeId::kLong:
    case TypeId::kYearMonthInterval:
    case TypeId::kDayTimeInterval:
      return digits > 0 &&
             digits <= (wanted.is(TypeId::kDayTimeInterval) ? 19 : DigitsOf(wanted.id()));
    case TypeId::kFloat:
      return stored.id() == LogicalTypeId::FLOAT;
    case TypeId::kDouble:
      return stored.id() == LogicalTypeId::DOUBLE || stored.id() == LogicalTypeId::FLOAT ||
             (digits > 0 && digits <= 10);
    case TypeId::kDecimal:
      return IsReadableAsDecimal(stored, wanted.precision(), wanted.scale());
    case TypeId::kDate:
      return stored.id() == LogicalTypeId::DATE;
    case TypeId::kTimestamp:
      return IsTimestamp(stored);
    case TypeId::kTimestampNtz:
      return IsTimestamp(stored) || stored.id() == LogicalTypeId::DATE;
    case TypeId::kArray:
      return stored.id() == LogicalTypeId::LIST;
    case TypeId::kMap:
      return stored.id() == LogicalTypeId::MAP;
    case TypeId::kStruct:
      return stored.id() == LogicalTypeId::STRUCT;
    case TypeId::kVariant:
      return stored.id() == LogicalTypeId::STRUCT || stored.id() == LogicalTypeId::VARCHAR ||
             stored.id() == LogicalTypeId::VARIANT;
    case TypeId::kString:
    case TypeId::kChar:
    case TypeId::kVarchar:
    case TypeId::kBinary:
      return stored.id() == LogicalTypeId::VARCHAR || stored.id() == LogicalTypeId::BLOB ||
             stored.id() == LogicalTypeId::ENUM || stored.id() == LogicalTypeId::UUID;
    default:
      return true;
  }
}

}  // namespace merganser::engine
