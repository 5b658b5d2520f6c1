#include "merganser/engine/splice/footer_bounds.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>

#include <duckdb.hpp>

namespace merganser::engine {
namespace {

using duckdb_parquet::ColumnChunk;
using duckdb_parquet::ConvertedType;
using duckdb_parquet::FileMetaData;
using duckdb_parquet::SchemaElement;
using duckdb_parquet::Type;

// The bytes of a number, little-endian as the format has them.
template <typename T>
std::optional<T> NumberOf(std::string_view bytes) {
  T value;
  if (bytes.size() != sizeof(T)) return std::nullopt;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

std::optional<int64_t> IntegerOf(Type::type type, std::string_view bytes) {
  if (type == Type::INT32) {
    const auto value = NumberOf<int32_t>(bytes);
    return value ? std::optional<int64_t>(*value) : std::nullopt;
  }
  if (type == Type::INT64) return NumberOf<int64_t>(bytes);
  return std::nullopt;
}

// Two's complement, big-endian.
std::optional<Int128> BigEndianOf(std::string_view bytes) {
  if (bytes.empty() || bytes.size() > 16) return std::nullopt;
  Int128 value = static_cast<signed char>(bytes[0]) < 0 ? -1 : 0;
  for (const char byte : bytes) value = value * 256 + static_cast<unsigned char>(byte);
  return value;
}

bool IsUnsigned(const SchemaElement& element) {
  if (element.__isset.logicalType && element.logicalType.__isset.INTEGER)
    return !element.logicalType.INTEGER.isSigned;
  return element.__isset.converted_type && element.converted_type >= ConvertedType::UINT_8 &&
         element.converted_type <= ConvertedType::UINT_64;
}

bool HasMicroseconds(const SchemaElement& element) {
  if (element.__isset.logicalType && element.logicalType.__isset.TIMESTAMP)
    return element.logicalType.TIMESTAMP.unit.__isset.MICROS;
  return element.__isset.converted_type &&
         element.converted_type == ConvertedType::TIMESTAMP_MICROS;
}

// Writers that leave out the bounds of chunks that hold a NaN.
bool MindsNan(const FileMetaData& footer) {
  return footer.created_by.starts_with("DuckDB") || footer.created_by.starts_with("parquet-mr");
}

std::optional<Scalar> BoundOf(const FileMetaData& footer, const SchemaElement& element,
                              const DataType& type, std::string_view bytes) {
  switch (type.id()) {
    case TypeId::kByte:
    case TypeId::kShort:
    case TypeId::kInteger:
    case TypeId::kLong:
    case TypeId::kDate: {
      const auto value = IsUnsigned(element) ? std::nullopt : IntegerOf(element.type, bytes);
      return value ? std::optional(Scalar::Integral(type, *value)) : std::nullopt;
    }
    case TypeId::kTimestamp:
    case TypeId::kTimestampNtz: {
      const auto value = HasMicroseconds(element) ? IntegerOf(element.type, bytes) : std::nullopt;
      return value ? std::optional(Scalar::Integral(type, *value)) : std::nullopt;
    }
    case TypeId::kDecimal: {
      if (!element.__isset.scale || element.scale != type.scale()) return std::nullopt;
      if (element.type == Type::FIXED_LEN_BYTE_ARRAY || element.type == Type::BYTE_ARRAY) {
        const auto value = BigEndianOf(bytes);
        return value ? std::optional(Scalar::Decimal(type, *value)) : std::nullopt;
      }
      const auto value = IntegerOf(element.type, bytes);
      return value ? std::optional(Scalar::Decimal(type, *value)) : std::nullopt;
    }
    case TypeId::kFloat: {
      const auto value = NumberOf<float>(bytes);
      return value && MindsNan(footer) ? std::optional(Scalar::Float(*value)) : std::nullopt;
    }
    case TypeId::kDouble: {
      const auto value = element.type == Type::DOUBLE ? NumberOf<double>(bytes) : std::nullopt;
      return value && MindsNan(footer) ? std::optional(Scalar::Double(*value)) : std::nullopt;
    }
    case TypeId::kString:
      if (element.type != Type::BYTE_ARRAY) return std::nullopt;
      return Scalar::String(std::string(bytes));
    default:
      return std::nullopt;
  }
}

bool IsBelow(const Scalar& left, const Scalar& right) {
  switch (left.type().id()) {
    case TypeId::kDecimal:
      return left.decimal() < right.decimal();
    case TypeId::kFloat:
    case TypeId::kDouble:
      // NaN is above every number.
      return !std::isnan(left.floating()) &&
             (std::isnan(right.floating()) || left.floating() < right.floating());
    case TypeId::kString:
      return left.text() < right.text();
    default:
      return left.integral() < right.integral();
  }
}

/// The schema element of a leaf; null if the path is none. Elements come depth first.
const SchemaElement* FindElement(const FileMetaData& footer, const FieldPath& path) {
  const auto& elements = footer.schema;
  size_t position = 1;
  const auto skip = [&](auto& self, size_t at) -> size_t {
    size_t next = at + 1;
    for (int child = 0; child < elements[at].num_children && next < elements.size(); ++child)
      next = self(self, next);
    return next;
  };
  int siblings = elements.empty() ? 0 : elements[0].num_children;
  for (size_t depth = 0; depth < path.size(); ++depth) {
    bool found = false;
    for (; siblings > 0 && position < elements.size(); --siblings) {
      if (elements[position].name == path[depth]) {
        found = true;
        break;
      }
      position = skip(skip, position);
    }
    if (!found) return nullptr;
    if (depth + 1 == path.size()) break;
    siblings = elements[position].num_children;
    ++position;
  }
  return position < elements.size() && elements[position].num_children == 0 ? &elements[position]
                                                                            : nullptr;
}

bool HasNameLike(const FileMetaData& footer, const std::string& name) {
  return std::ranges::any_of(footer.schema, [&](const SchemaElement& element) {
    return duckdb::StringUtil::CIEquals(element.name, name);
  });
}

}  // namespace

std::optional<ColumnStatistics> FooterStatistics(const FileMetaData& footer,
                                                 const std::vector<size_t>& kept,
                                                 const StatisticsColumn& column) {
  ColumnStatistics statistics{.path = column.path};
  statistics.null_count = 0;
  const SchemaElement* element = FindElement(footer, column.path);
  if (element == nullptr && (column.path.size() > 1 || HasNameLike(footer, column.path[0])))
    return std::nullopt;
  for (const size_t group : kept) {
    const auto& row_group = footer.row_groups[group];
    if (element == nullptr) {  // Added to the table after the file was written.
      *statistics.null_count += row_group.num_rows;
      continue;
    }
    const ColumnChunk* chunk = FindChunk(row_group, column.path);
    if (chunk == nullptr || !chunk->meta_data.__isset.statistics) return std::nullopt;
    const auto& stored = chunk->meta_data.statistics;
    if (!stored.__isset.null_count) return std::nullopt;
    *statistics.null_count += stored.null_count;
    if (!column.has_bounds || stored.null_count == row_group.num_rows) continue;
    const bool cut = (stored.__isset.is_min_value_exact && !stored.is_min_value_exact) ||
                     (stored.__isset.is_max_value_exact && !stored.is_max_value_exact);
    if (cut || !stored.__isset.min_value || !stored.__isset.max_value) return std::nullopt;
    const auto low = BoundOf(footer, *element, column.type, stored.min_value);
    const auto high = BoundOf(footer, *element, column.type, stored.max_value);
    if (!low || !high) return std::nullopt;
    if (!statistics.min || IsBelow(*low, *statistics.min)) statistics.min = low;
    if (!statistics.max || IsBelow(*statistics.max, *high)) statistics.max = high;
  }
  return statistics;
}

void MergeStatistics(const ColumnStatistics& other, ColumnStatistics& statistics) {
  statistics.null_count = statistics.null_count.value_or(0) + other.null_count.value_or(0);
  if (other.min && (!statistics.min || IsBelow(*other.min, *statistics.min)))
    statistics.min = other.min;
  if (other.max && (!statistics.max || IsBelow(*statistics.max, *other.max)))
    statistics.max = other.max;
}

const ColumnChunk* FindChunk(const duckdb_parquet::RowGroup& group,
                             const std::vector<std::string>& path) {
  const auto found = std::ranges::find_if(group.columns, [&](const ColumnChunk& chunk) {
    return std::ranges::equal(chunk.meta_data.path_in_schema, path);
  });
  return found == group.columns.end() ? nullptr : &*found;
}

bool StoresAsWriter(const FileMetaData& footer, const std::string& name, const DataType& type) {
  const SchemaElement* element = FindElement(footer, {name});
  if (element == nullptr || !element->__isset.repetition_type ||
      element->repetition_type != duckdb_parquet::FieldRepetitionType::OPTIONAL)
    return false;
  const auto converts_to = [&](ConvertedType::type converted) {
    return element->__isset.converted_type && element->converted_type == converted;
  };
  switch (type.id()) {
    case TypeId::kInteger:
      return element->type == Type::INT32 &&
             (!element->__isset.converted_type || converts_to(ConvertedType::INT_32));
    case TypeId::kLong:
      return element->type == Type::INT64 &&
             (!element->__isset.converted_type || converts_to(ConvertedType::INT_64));
    case TypeId::kFloat:
      return element->type == Type::FLOAT;
    case TypeId::kDouble:
      return element->type == Type::DOUBLE;
    case TypeId::kBoolean:
      return element->type == Type::BOOLEAN;
    case TypeId::kDate:
      return element->type == Type::INT32 && converts_to(ConvertedType::DATE);
    case TypeId::kString:
      return element->type == Type::BYTE_ARRAY && converts_to(ConvertedType::UTF8);
    case TypeId::kDecimal: {
      if (!element->__isset.scale || element->scale != type.scale() ||
          !element->__isset.precision || element->precision != type.precision())
        return false;
      if (type.precision() <= 9) return element->type == Type::INT32;
      return type.precision() <= 18 && element->type == Type::INT64;
    }
    default:
      return false;
  }
}

}  // namespace merganser::engine
