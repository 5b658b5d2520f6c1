#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <duckdb.hpp>

#include "merganser/delta/schema/data_type.h"

namespace merganser::engine {

/// Typed reading of the engine's vectors of one column as a Spark type: made once, turned to the
/// vectors of one chunk after the other. Copies nothing. For one thread.
class VectorColumn {
 public:
  explicit VectorColumn(DataType type);

  /// Read `count` rows of `vector`, of the engine's type for `type()`, as long as it lives.
  void Bind(duckdb::Vector& vector, duckdb::idx_t count);
  /// The same for a row of columns: its type is the STRUCT of the first columns of `rows`.
  void Bind(duckdb::DataChunk& rows);

  const DataType& type() const { return type_; }
  bool IsNull(duckdb::idx_t row) const {
    return all_null_ || !format_.validity.RowIsValid(format_.sel->get_index(row));
  }

  // Each accessor requires a row that is not NULL, in the structs around it neither, and the type
  // named.
  bool Bool(duckdb::idx_t row) const { return Value<bool>(row); }
  /// BYTE to LONG, DATE (days since 1970-01-01), TIMESTAMP and TIMESTAMP_NTZ (microseconds since
  /// 1970-01-01).
  int64_t Int64(duckdb::idx_t row) const;
  /// FLOAT and DOUBLE.
  double Double(duckdb::idx_t row) const;
  /// The unscaled value of a DECIMAL.
  __int128 Decimal(duckdb::idx_t row) const;
  /// Bytes of a STRING, CHAR or VARCHAR.
  std::string_view Bytes(duckdb::idx_t row) const {
    const auto& text = Value<duckdb::string_t>(row);
    return {text.GetData(), text.GetSize()};
  }
  /// ARRAY and MAP: half-open range of rows of `child(0)` (elements; keys and, in `child(1)`,
  /// values).
  struct Range {
    duckdb::idx_t begin;
    duckdb::idx_t end;
  };
  Range Elements(duckdb::idx_t row) const {
    const auto& list = Value<duckdb::list_entry_t>(row);
    return {list.offset, list.offset + list.length};
  }

  /// ARRAY: one child. MAP: keys, values. STRUCT: one child a field, with the rows of the struct.
  const VectorColumn& child(size_t i) const { return children_[i]; }
  /// The field `name` of a STRUCT in any case; null if there is none. Stays where it is.
  const VectorColumn* Field(std::string_view name) const;

 private:
  template <typename T>
  const T& Value(duckdb::idx_t row) const {
    return reinterpret_cast<const T*>(format_.data)[format_.sel->get_index(row)];
  }
  void BindFields(duckdb::Vector& structs, duckdb::idx_t count);

  DataType type_;
  std::vector<VectorColumn> children_;
  duckdb::UnifiedVectorFormat format_;
  duckdb::PhysicalType physical_ = duckdb::PhysicalType::INVALID;
  bool all_null_ = true;
};

}  // namespace merganser::engine
