#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "merganser/arrow/abi.h"
#include "merganser/arrow/interval_text.h"
#include "merganser/base/result.h"
#include "merganser/delta/schema/data_type.h"

namespace merganser {

/// Typed reading of one Arrow array as a Spark type. Refers to the array and schema, copies
/// nothing.
///
/// The physical layouts accepted for a type are those that the engine and pyarrow produce: strings
/// and binaries with 32-bit, 64-bit or view offsets, lists with 32-bit or 64-bit offsets, integers
/// of another width, booleans as bits, decimals of 32 to 256 bits, timestamps of any unit,
/// dictionary-encoded values of these. `row` is 0-based within the array; its offset is applied
/// here.
class ArrowColumn {
 public:
  /// Fails with INTERNAL_ERROR when the layout of `schema` cannot hold a `type`.
  static Result<ArrowColumn> Make(const ArrowSchema& schema, const ArrowArray& array,
                                  const DataType& type);

  const DataType& type() const { return type_; }
  int64_t size() const { return array_->length; }
  bool IsNull(int64_t row) const;

  // Each accessor requires a non-NULL row and the type named.
  bool Bool(int64_t row) const;
  /// BYTE to LONG, DATE (days since 1970-01-01), TIMESTAMP and TIMESTAMP_NTZ (microseconds since
  /// 1970-01-01), year-month (months) and day-time (microseconds) intervals.
  int64_t Int64(int64_t row) const;
  /// FLOAT and DOUBLE.
  double Double(int64_t row) const;
  /// The unscaled value of a DECIMAL, at the scale of `type()`.
  __int128 Decimal(int64_t row) const;
  /// A calendar interval.
  CalendarInterval Interval(int64_t row) const;
  /// Bytes of a STRING, CHAR, VARCHAR, VARIANT (its JSON text) or BINARY.
  std::string_view Bytes(int64_t row) const;

  /// Half-open range of rows of `child(0)` (array elements; map keys and, in `child(1)`, values).
  struct Range {
    int64_t begin;
    int64_t end;
  };
  /// ARRAY and MAP.
  Range Elements(int64_t row) const;
  /// STRUCT: the row of every child that belongs to `row`.
  int64_t FieldRow(int64_t row) const { return row + array_->offset; }
  /// ARRAY: one child. MAP: keys, values. STRUCT: one child a field.
  const std::vector<ArrowColumn>& children() const { return children_; }
  const ArrowColumn& child(size_t i) const { return children_[i]; }

 private:
  enum class Layout : uint8_t;

  ArrowColumn(const ArrowArray& array, DataType type) : array_(&array), type_(std::move(type)) {}
  Status SetLayout(const ArrowSchema& schema);
  Status SetTimeLayout(std::string_view format);
  Status AddChildren(const ArrowSchema& schema, const DataType& type);
  bool Fits() const;
  int64_t DictionaryRow(int64_t row) const;

  const ArrowArray* array_;
  DataType type_;
  Layout layout_{};
  bool signed_index_ = false;  // Of a dictionary.
  int width_ = 0;              // Bytes of a fixed-width value, or elements of a fixed-size list.
  int64_t multiply_ = 1;       // Stored time units to microseconds.
  int64_t divide_ = 1;
  int64_t entries_offset_ = 0;         // Of a map.
  std::vector<ArrowColumn> children_;  // Of a dictionary: its values, alone.
};

}  // namespace merganser
