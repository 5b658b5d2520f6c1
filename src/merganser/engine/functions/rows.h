#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <duckdb.hpp>

#include "merganser/delta/schema/scalar.h"
#include "merganser/engine/hugeint.h"

namespace merganser::engine {

inline std::string_view View(const duckdb::string_t& value) {
  return {value.GetData(), value.GetSize()};
}

/// Unscaled value of a DECIMAL cell of any width.
struct DecimalCell {
  Int128 unscaled = 0;
};

/// A result vector made ready for rows, or for one row if it is to be constant.
class FlatResult {
 public:
  FlatResult(duckdb::Vector& vector, bool constant) : vector_(vector) {
    vector.SetVectorType(constant ? duckdb::VectorType::CONSTANT_VECTOR
                                  : duckdb::VectorType::FLAT_VECTOR);
    data_ =
        constant ? duckdb::ConstantVector::GetData(vector) : duckdb::FlatVector::GetData(vector);
    validity_ = constant ? &duckdb::ConstantVector::Validity(vector)
                         : &duckdb::FlatVector::Validity(vector);
    physical_type_ = vector.GetType().InternalType();
  }
  template <typename T>
  T* data() {
    return reinterpret_cast<T*>(data_);
  }
  duckdb::Vector& vector() { return vector_; }
  duckdb::PhysicalType physical_type() const { return physical_type_; }
  void SetNull(duckdb::idx_t row) { validity_->SetInvalid(row); }

 private:
  duckdb::Vector& vector_;
  duckdb::data_ptr_t data_;
  duckdb::ValidityMask* validity_;
  duckdb::PhysicalType physical_type_;
};

/// How a C++ value is read from and written to a cell.
template <typename T>
struct Cell {
  static T Read(const duckdb::UnifiedVectorFormat& column, duckdb::idx_t at) {
    return reinterpret_cast<const T*>(column.data)[at];
  }
  static void Write(FlatResult& result, duckdb::idx_t row, T value) {
    result.data<T>()[row] = value;
  }
};
template <>
struct Cell<std::string_view> {
  static std::string_view Read(const duckdb::UnifiedVectorFormat& column, duckdb::idx_t at) {
    return View(reinterpret_cast<const duckdb::string_t*>(column.data)[at]);
  }
  static void Write(FlatResult& result, duckdb::idx_t row, std::string_view value) {
    result.data<duckdb::string_t>()[row] =
        duckdb::StringVector::AddStringOrBlob(result.vector(), value.data(), value.size());
  }
};
template <>
struct Cell<std::string> {
  static void Write(FlatResult& result, duckdb::idx_t row, const std::string& value) {
    Cell<std::string_view>::Write(result, row, value);
  }
};
template <>
struct Cell<Int128> {
  static Int128 Read(const duckdb::UnifiedVectorFormat& column, duckdb::idx_t at) {
    return ToInt128(reinterpret_cast<const duckdb::hugeint_t*>(column.data)[at]);
  }
  static void Write(FlatResult& result, duckdb::idx_t row, Int128 value) {
    result.data<duckdb::hugeint_t>()[row] = ToHugeint(value);
  }
};
template <>
struct Cell<DecimalCell> {
  static DecimalCell Read(const duckdb::UnifiedVectorFormat& column, duckdb::idx_t at) {
    switch (column.physical_type) {
      case duckdb::PhysicalType::INT16:
        return {reinterpret_cast<const int16_t*>(column.data)[at]};
      case duckdb::PhysicalType::INT32:
        return {reinterpret_cast<const int32_t*>(column.data)[at]};
      case duckdb::PhysicalType::INT64:
        return {reinterpret_cast<const int64_t*>(column.data)[at]};
      default:
        return {ToInt128(reinterpret_cast<const duckdb::hugeint_t*>(column.data)[at])};
    }
  }
  static void Write(FlatResult& result, duckdb::idx_t row, DecimalCell value) {
    switch (result.physical_type()) {
      case duckdb::PhysicalType::INT16:
        result.data<int16_t>()[row] = static_cast<int16_t>(value.unscaled);
        break;
      case duckdb::PhysicalType::INT32:
        result.data<int32_t>()[row] = static_cast<int32_t>(value.unscaled);
        break;
      case duckdb::PhysicalType::INT64:
        result.data<int64_t>()[row] = static_cast<int64_t>(value.unscaled);
        break;
      default:
        result.data<duckdb::hugeint_t>()[row] = ToHugeint(value.unscaled);
    }
  }
};

template <typename T>
struct OptionalValue {
  using Type = T;
  static constexpr bool kOptional = false;
};
template <typename T>
struct OptionalValue<std::optional<T>> {
  using Type = T;
  static constexpr bool kOptional = true;
};

/// Set `count` rows of `result` to f(cells...); NULL where a cell is NULL, or f gives nullopt.
///
/// `Args` say how the columns are read: integers and floats as they are stored (DATE int32_t,
/// timestamps int64_t), std::string_view for VARCHAR and BLOB, Int128 for HUGEINT, DecimalCell for
/// DECIMAL. f returns one of these or std::string, or an optional. Constant columns give a constant
/// result.
template <typename... Args, typename F>
void MapColumns(const std::array<duckdb::Vector*, sizeof...(Args)>& vectors, duckdb::idx_t count,
                duckdb::Vector& result, F&& f) {
  using Returned = std::remove_cvref_t<std::invoke_result_t<F&, Args...>>;
  using Value = typename OptionalValue<Returned>::Type;
  constexpr size_t kCount = sizeof...(Args);

  std::array<duckdb::UnifiedVectorFormat, kCount> columns;
  bool constant = true;
  bool valid = true;
  for (size_t i = 0; i < kCount; ++i) {
    vectors[i]->ToUnifiedFormat(count, columns[i]);
    constant = constant && vectors[i]->GetVectorType() == duckdb::VectorType::CONSTANT_VECTOR;
    valid = valid && columns[i].validity.AllValid();
  }
  FlatResult out(result, constant);
  const duckdb::idx_t rows = constant ? std::min<duckdb::idx_t>(count, 1) : count;

  const auto run = [&]<size_t... kIndex>(std::index_sequence<kIndex...>) {
    for (duckdb::idx_t row = 0; row < rows; ++row) {
      const std::array<duckdb::idx_t, kCount> at = {columns[kIndex].sel->get_index(row)...};
      if (!valid && !(columns[kIndex].validity.RowIsValid(at[kIndex]) && ...)) {
        out.SetNull(row);
        continue;
      }
      const Returned value = f(Cell<Args>::Read(columns[kIndex], at[kIndex])...);
      if constexpr (OptionalValue<Returned>::kOptional) {
        if (value) {
          Cell<Value>::Write(out, row, *value);
        } else {
          out.SetNull(row);
        }
      } else {
        Cell<Value>::Write(out, row, value);
      }
    }
  };
  run(std::index_sequence_for<Args...>());
}

/// MapColumns over the leading columns of a chunk.
template <typename... Args, typename F>
void MapRows(duckdb::DataChunk& arguments, duckdb::Vector& result, F&& f) {
  std::array<duckdb::Vector*, sizeof...(Args)> vectors;
  for (size_t i = 0; i < vectors.size(); ++i) vectors[i] = &arguments.data[i];
  MapColumns<Args...>(vectors, arguments.size(), result, std::forward<F>(f));
}

/// MapColumns over one vector.
template <typename Arg, typename F>
void MapVector(duckdb::Vector& source, duckdb::idx_t count, duckdb::Vector& result, F&& f) {
  MapColumns<Arg>({&source}, count, result, std::forward<F>(f));
}

/// The rows of a chunk that have to be computed: one if all columns are constant.
struct RowRange {
  explicit RowRange(duckdb::DataChunk& chunk)
      : constant(std::all_of(chunk.data.begin(), chunk.data.end(),
                             [](const duckdb::Vector& column) {
                               return column.GetVectorType() == duckdb::VectorType::CONSTANT_VECTOR;
                             })),
        count(constant ? std::min<duckdb::idx_t>(chunk.size(), 1) : chunk.size()) {}

  bool constant;
  duckdb::idx_t count;
};

/// Write one cell of a flat vector that is filled row by row.
template <typename T>
void WriteCell(duckdb::Vector& out, duckdb::idx_t row, T value) {
  FlatResult result(out, false);
  Cell<T>::Write(result, row, value);
}

}  // namespace merganser::engine
