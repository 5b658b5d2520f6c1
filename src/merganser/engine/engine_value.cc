#include "merganser/engine/engine_value.h"

#include <utility>

#include "merganser/engine/hugeint.h"
#include "merganser/engine/logical_type.h"

namespace merganser::engine {
namespace {

using duckdb::Value;

Value Untyped(const Scalar& scalar) {
  const DataType& type = scalar.type();
  switch (type.id()) {
    case TypeId::kBoolean:
      return Value::BOOLEAN(scalar.boolean());
    case TypeId::kDate:
      return Value::DATE(duckdb::date_t(static_cast<int32_t>(scalar.integral())));
    case TypeId::kTimestamp:
      return Value::TIMESTAMPTZ(duckdb::timestamp_tz_t(scalar.integral()));
    case TypeId::kTimestampNtz:
      return Value::TIMESTAMP(duckdb::timestamp_t(scalar.integral()));
    case TypeId::kFloat:
      return Value::FLOAT(static_cast<float>(scalar.floating()));
    case TypeId::kDouble:
      return Value::DOUBLE(scalar.floating());
    case TypeId::kDecimal:
      return Value::DECIMAL(ToHugeint(scalar.decimal()), static_cast<uint8_t>(type.precision()),
                            static_cast<uint8_t>(type.scale()));
    case TypeId::kString:
    case TypeId::kChar:
    case TypeId::kVarchar:
    case TypeId::kVariant:
      return Value(scalar.text());
    case TypeId::kBinary:
      return Value::BLOB(reinterpret_cast<duckdb::const_data_ptr_t>(scalar.text().data()),
                         scalar.text().size());
    default:
      return Value::BIGINT(scalar.integral());
  }
}

}  // namespace

Value ToEngineValue(const Scalar& scalar, const DataType& type) {
  const duckdb::LogicalType target = ToLogicalType(type);
  if (scalar.is_null()) return Value(target);
  Value value = Untyped(scalar);
  if (value.type() == target) return value;
  Value converted;
  std::string reason;
  return value.DefaultTryCastAs(target, converted, &reason) ? converted : Value(target);
}

Scalar FromEngineValue(const Value& value, const DataType& type) {
  if (value.IsNull()) return Scalar::Null(type);
  switch (type.id()) {
    case TypeId::kBoolean:
      return Scalar::Boolean(value.GetValue<bool>());
    case TypeId::kFloat:
      return Scalar::Float(value.GetValue<float>());
    case TypeId::kDouble:
      return Scalar::Double(value.GetValue<double>());
    case TypeId::kDate:
      return Scalar::Integral(type, value.GetValueUnsafe<duckdb::date_t>().days);
    case TypeId::kTimestamp:
    case TypeId::kTimestampNtz:
      return Scalar::Integral(type, value.GetValueUnsafe<duckdb::timestamp_t>().value);
    case TypeId::kDecimal: {
      const auto digits = duckdb::LogicalType::DECIMAL(38, static_cast<uint8_t>(type.scale()));
      return Scalar::Decimal(
          type, ToInt128(value.DefaultCastAs(digits).GetValueUnsafe<duckdb::hugeint_t>()));
    }
    case TypeId::kString:
    case TypeId::kChar:
    case TypeId::kVarchar:
    case TypeId::kVariant:
      return Scalar::String(duckdb::StringValue::Get(value));
    case TypeId::kBinary:
      return Scalar::Binary(duckdb::StringValue::Get(value));
    default:
      return Scalar::Integral(type, value.GetValue<int64_t>());
  }
}

}  // namespace merganser::engine
