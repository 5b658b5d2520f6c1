#include "merganser/delta/schema/data_type.h"

#include <array>
#include <utility>

#include "merganser/base/json.h"
#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"

namespace merganser {

struct DataType::Nested {
  DataType first;   // Element of an array, key of a map.
  DataType second;  // Value of a map.
  StructType fields;
};

namespace {

constexpr std::array<std::string_view, 2> kYearMonthFields = {"YEAR", "MONTH"};
constexpr std::array<std::string_view, 4> kDayTimeFields = {"DAY", "HOUR", "MINUTE", "SECOND"};

std::string IntervalString(std::string_view start, std::string_view end) {
  std::string text = "INTERVAL ";
  text += start;
  if (start != end) {
    text += " TO ";
    text += end;
  }
  return text;
}

/// SQL name of a type without parts.
std::string AtomicSqlString(const DataType& type) {
  switch (type.id()) {
    case TypeId::kNull:
      return "VOID";
    case TypeId::kBoolean:
      return "BOOLEAN";
    case TypeId::kByte:
      return "TINYINT";
    case TypeId::kShort:
      return "SMALLINT";
    case TypeId::kInteger:
      return "INT";
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
      return "STRING";
    case TypeId::kChar:
      return "CHAR(" + std::to_string(type.length()) + ")";
    case TypeId::kVarchar:
      return "VARCHAR(" + std::to_string(type.length()) + ")";
    case TypeId::kBinary:
      return "BINARY";
    case TypeId::kDate:
      return "DATE";
    case TypeId::kTimestamp:
      return "TIMESTAMP";
    case TypeId::kTimestampNtz:
      return "TIMESTAMP_NTZ";
    case TypeId::kYearMonthInterval:
      return IntervalString(kYearMonthFields[type.start_field()],
                            kYearMonthFields[type.end_field()]);
    case TypeId::kDayTimeInterval:
      return IntervalString(kDayTimeFields[type.start_field()], kDayTimeFields[type.end_field()]);
    case TypeId::kCalendarInterval:
      return "INTERVAL";
    case TypeId::kVariant:
      return "VARIANT";
    case TypeId::kArray:
    case TypeId::kMap:
    case TypeId::kStruct:
      break;
  }
  return {};
}

/// " COMMENT '...'" of a field that has one.
std::string CommentClause(const StructField& field) {
  const auto found = field.metadata.find("comment");
  if (found == field.metadata.end()) return {};
  const Result<Json> comment = Json::Parse(found->second);
  if (!comment.ok() || !comment->is_string()) return {};
  std::string clause = " COMMENT '";
  for (const char c : comment->as_string()) {
    if (c == '\'') clause += '\\';
    clause += c;
  }
  return clause + "'";
}

}  // namespace

DataType DataType::Array(DataType element, bool contains_null) {
  DataType type(TypeId::kArray);
  type.contains_null_ = contains_null;
  type.nested_ = std::make_shared<const Nested>(Nested{std::move(element), {}, {}});
  return type;
}

DataType DataType::Map(DataType key, DataType value, bool value_contains_null) {
  DataType type(TypeId::kMap);
  type.contains_null_ = value_contains_null;
  type.nested_ = std::make_shared<const Nested>(Nested{std::move(key), std::move(value), {}});
  return type;
}

DataType DataType::Struct(StructType fields) {
  DataType type(TypeId::kStruct);
  type.nested_ = std::make_shared<const Nested>(Nested{{}, {}, std::move(fields)});
  return type;
}

const DataType& DataType::element() const { return nested_->first; }
const DataType& DataType::key() const { return nested_->first; }
const DataType& DataType::value() const { return nested_->second; }
const StructType& DataType::fields() const { return nested_->fields; }

bool DataType::operator==(const DataType& other) const {
  if (id_ != other.id_ || first_ != other.first_ || second_ != other.second_) return false;
  if (nested_ == other.nested_) return contains_null_ == other.contains_null_;
  if (contains_null_ != other.contains_null_) return false;
  return nested_->first == other.nested_->first && nested_->second == other.nested_->second &&
         nested_->fields == other.nested_->fields;
}

bool DataType::SameType(const DataType& other) const {
  if (id_ != other.id_ || first_ != other.first_ || second_ != other.second_) return false;
  if (nested_ == other.nested_) return true;
  if (!nested_->first.SameType(other.nested_->first) ||
      !nested_->second.SameType(other.nested_->second))
    return false;
  const StructType& left = nested_->fields;
  const StructType& right = other.nested_->fields;
  if (left.size() != right.size()) return false;
  for (size_t i = 0; i < left.size(); ++i) {
    if (left[i].name != right[i].name || !left[i].type.SameType(right[i].type)) return false;
  }
  return true;
}

DataType DataType::AsNullable() const {
  switch (id_) {
    case TypeId::kArray:
      return Array(element().AsNullable());
    case TypeId::kMap:
      return Map(key().AsNullable(), value().AsNullable());
    case TypeId::kStruct: {
      StructType nullable = fields();
      for (StructField& field : nullable.fields()) {
        field.type = field.type.AsNullable();
        field.nullable = true;
      }
      return Struct(std::move(nullable));
    }
    default:
      return *this;
  }
}

std::string DataType::CatalogString() const {
  switch (id_) {
    case TypeId::kArray:
      return "array<" + element().CatalogString() + ">";
    case TypeId::kMap:
      return "map<" + key().CatalogString() + "," + value().CatalogString() + ">";
    case TypeId::kStruct: {
      std::string text = "struct<";
      for (const StructField& field : fields()) {
        if (text.back() != '<') text += ',';
        text += field.name + ":" + field.type.CatalogString();
      }
      return text + ">";
    }
    default:
      return AsciiLowerCase(AtomicSqlString(*this));
  }
}

std::string DataType::SqlString() const {
  switch (id_) {
    case TypeId::kArray:
      return "ARRAY<" + element().SqlString() + ">";
    case TypeId::kMap:
      return "MAP<" + key().SqlString() + ", " + value().SqlString() + ">";
    case TypeId::kStruct: {
      std::string text = "STRUCT<";
      for (const StructField& field : fields()) {
        if (text.back() != '<') text += ", ";
        text += QuotedIfNeeded(field.name) + ": " + field.type.SqlString();
        if (!field.nullable) text += " NOT NULL";
        text += CommentClause(field);
      }
      return text + ">";
    }
    default:
      return AtomicSqlString(*this);
  }
}

int StructType::IndexOf(std::string_view name, bool case_sensitive) const {
  for (size_t i = 0; i < fields_.size(); ++i) {
    if (SameName(fields_[i].name, name, case_sensitive)) return static_cast<int>(i);
  }
  return -1;
}

const StructField* StructType::Find(std::string_view name, bool case_sensitive) const {
  const int index = IndexOf(name, case_sensitive);
  return index < 0 ? nullptr : &fields_[static_cast<size_t>(index)];
}

}  // namespace merganser
