#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace merganser {

/// Kinds of Spark SQL types. `kNull` is VOID, the type of an untyped NULL.
enum class TypeId : uint8_t {
  kNull,
  kBoolean,
  kByte,
  kShort,
  kInteger,
  kLong,
  kFloat,
  kDouble,
  kDecimal,
  kString,  ///< UTF8_BINARY collation.
  kChar,
  kVarchar,
  kBinary,
  kDate,
  kTimestamp,     ///< An instant; shown in the session's time zone.
  kTimestampNtz,  ///< A wall-clock time without zone.
  kYearMonthInterval,
  kDayTimeInterval,
  kCalendarInterval,
  kVariant,
  kArray,
  kMap,
  kStruct,
};

/// Most digits of a decimal.
inline constexpr int kMaxDecimalPrecision = 38;

class DataType;
struct StructField;
class StructType;

/// A Spark SQL data type, as a value. Copying is cheap: nested types are shared and immutable.
class DataType {
 public:
  /// VOID.
  DataType() = default;

  static DataType Null() { return DataType(TypeId::kNull); }
  static DataType Boolean() { return DataType(TypeId::kBoolean); }
  static DataType Byte() { return DataType(TypeId::kByte); }
  static DataType Short() { return DataType(TypeId::kShort); }
  static DataType Integer() { return DataType(TypeId::kInteger); }
  static DataType Long() { return DataType(TypeId::kLong); }
  static DataType Float() { return DataType(TypeId::kFloat); }
  static DataType Double() { return DataType(TypeId::kDouble); }
  /// Requires 1 <= precision <= 38 and 0 <= scale <= precision.
  static DataType Decimal(int precision, int scale) {
    return DataType(TypeId::kDecimal, precision, scale);
  }
  static DataType String() { return DataType(TypeId::kString); }
  static DataType Char(int length) { return DataType(TypeId::kChar, length); }
  static DataType Varchar(int length) { return DataType(TypeId::kVarchar, length); }
  static DataType Binary() { return DataType(TypeId::kBinary); }
  static DataType Date() { return DataType(TypeId::kDate); }
  static DataType Timestamp() { return DataType(TypeId::kTimestamp); }
  static DataType TimestampNtz() { return DataType(TypeId::kTimestampNtz); }
  /// Fields: 0 = YEAR, 1 = MONTH.
  static DataType YearMonthInterval(int start = 0, int end = 1) {
    return DataType(TypeId::kYearMonthInterval, start, end);
  }
  /// Fields: 0 = DAY, 1 = HOUR, 2 = MINUTE, 3 = SECOND.
  static DataType DayTimeInterval(int start = 0, int end = 3) {
    return DataType(TypeId::kDayTimeInterval, start, end);
  }
  static DataType CalendarInterval() { return DataType(TypeId::kCalendarInterval); }
  static DataType Variant() { return DataType(TypeId::kVariant); }
  static DataType Array(DataType element, bool contains_null = true);
  static DataType Map(DataType key, DataType value, bool value_contains_null = true);
  static DataType Struct(StructType fields);

  TypeId id() const { return id_; }
  bool is(TypeId id) const { return id_ == id; }

  int precision() const { return first_; }    ///< Of a decimal.
  int scale() const { return second_; }       ///< Of a decimal.
  int length() const { return first_; }       ///< Of CHAR and VARCHAR, in characters.
  int start_field() const { return first_; }  ///< Of an interval.
  int end_field() const { return second_; }   ///< Of an interval.
  const DataType& element() const;            ///< Of an array.
  const DataType& key() const;                ///< Of a map.
  const DataType& value() const;              ///< Of a map.
  /// Of an array: may its elements be NULL. Of a map: may its values be NULL.
  bool contains_null() const { return contains_null_; }
  const StructType& fields() const;  ///< Of a struct.

  bool is_integral() const { return id_ >= TypeId::kByte && id_ <= TypeId::kLong; }
  bool is_floating() const { return id_ == TypeId::kFloat || id_ == TypeId::kDouble; }
  bool is_numeric() const { return id_ >= TypeId::kByte && id_ <= TypeId::kDecimal; }
  bool is_fractional() const { return id_ >= TypeId::kFloat && id_ <= TypeId::kDecimal; }
  bool is_string() const { return id_ >= TypeId::kString && id_ <= TypeId::kVarchar; }
  bool is_nested() const { return id_ >= TypeId::kArray; }
  bool is_interval() const {
    return id_ >= TypeId::kYearMonthInterval && id_ <= TypeId::kCalendarInterval;
  }

  /// Equal types, nullability of nested parts and field metadata included.
  bool operator==(const DataType& other) const;
  /// Equal apart from nullability and metadata; field names compare exactly.
  bool SameType(const DataType& other) const;
  /// The same with every nested field, element and value nullable.
  DataType AsNullable() const;

  /// As `DESCRIBE TABLE` prints it: "bigint", "decimal(10,2)", "array<int>",
  /// "struct<a:int,b:string>".
  std::string CatalogString() const;
  /// As error messages and DDL print it: "BIGINT", "DECIMAL(10,2)", "STRUCT<a: INT, b: STRING NOT
  /// NULL>".
  std::string SqlString() const;

 private:
  struct Nested;
  explicit DataType(TypeId id, int first = 0, int second = 0)
      : id_(id), first_(first), second_(second) {}

  TypeId id_ = TypeId::kNull;
  bool contains_null_ = true;
  int32_t first_ = 0;
  int32_t second_ = 0;
  std::shared_ptr<const Nested> nested_;
};

/// Metadata of a field: key to JSON text of the value (`"x"`, `1`, `true`, `{...}`).
using FieldMetadata = std::map<std::string, std::string, std::less<>>;

/// A named, typed column or nested field.
struct StructField {
  std::string name;
  DataType type;
  bool nullable = true;
  FieldMetadata metadata = {};

  bool operator==(const StructField& other) const = default;
};

/// An ordered list of fields: a table schema, or the type of a struct column.
class StructType {
 public:
  StructType() = default;
  explicit StructType(std::vector<StructField> fields) : fields_(std::move(fields)) {}

  const std::vector<StructField>& fields() const { return fields_; }
  std::vector<StructField>& fields() { return fields_; }
  size_t size() const { return fields_.size(); }
  bool empty() const { return fields_.empty(); }
  const StructField& operator[](size_t i) const { return fields_[i]; }
  auto begin() const { return fields_.begin(); }
  auto end() const { return fields_.end(); }
  void Add(StructField field) { fields_.push_back(std::move(field)); }

  /// Position of the field called `name`, -1 if there is none (first one wins).
  int IndexOf(std::string_view name, bool case_sensitive = false) const;
  /// The field called `name`, or null.
  const StructField* Find(std::string_view name, bool case_sensitive = false) const;

  bool operator==(const StructType& other) const = default;

 private:
  std::vector<StructField> fields_;
};

}  // namespace merganser
