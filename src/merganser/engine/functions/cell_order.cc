#include "merganser/engine/functions/cell_order.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <type_traits>

#include "merganser/engine/functions/rows.h"

namespace merganser::engine {
namespace {

template <typename T>
int CompareValues(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) || std::isnan(b))
      return static_cast<int>(std::isnan(a)) - static_cast<int>(std::isnan(b));
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

template <typename T>
int CompareAt(const duckdb::UnifiedVectorFormat& a, duckdb::idx_t a_at,
              const duckdb::UnifiedVectorFormat& b, duckdb::idx_t b_at) {
  return CompareValues(Cell<T>::Read(a, a_at), Cell<T>::Read(b, b_at));
}

}  // namespace

int CompareCells(const duckdb::RecursiveUnifiedVectorFormat& a, duckdb::idx_t a_row,
                 const duckdb::RecursiveUnifiedVectorFormat& b, duckdb::idx_t b_row) {
  const auto a_at = a.unified.sel->get_index(a_row);
  const auto b_at = b.unified.sel->get_index(b_row);
  const bool a_valid = a.unified.validity.RowIsValid(a_at);
  const bool b_valid = b.unified.validity.RowIsValid(b_at);
  if (!a_valid || !b_valid) return static_cast<int>(a_valid) - static_cast<int>(b_valid);
  switch (a.unified.physical_type) {
    case duckdb::PhysicalType::BOOL:
      return CompareAt<bool>(a.unified, a_at, b.unified, b_at);
    case duckdb::PhysicalType::INT8:
      return CompareAt<int8_t>(a.unified, a_at, b.unified, b_at);
    case duckdb::PhysicalType::INT16:
      return CompareAt<int16_t>(a.unified, a_at, b.unified, b_at);
    case duckdb::PhysicalType::INT32:
      return CompareAt<int32_t>(a.unified, a_at, b.unified, b_at);
    case duckdb::PhysicalType::INT64:
      return CompareAt<int64_t>(a.unified, a_at, b.unified, b_at);
    case duckdb::PhysicalType::INT128:
      return CompareAt<Int128>(a.unified, a_at, b.unified, b_at);
    case duckdb::PhysicalType::FLOAT:
      return CompareAt<float>(a.unified, a_at, b.unified, b_at);
    case duckdb::PhysicalType::DOUBLE:
      return CompareAt<double>(a.unified, a_at, b.unified, b_at);
    case duckdb::PhysicalType::VARCHAR:
      return CompareAt<std::string_view>(a.unified, a_at, b.unified, b_at);
    case duckdb::PhysicalType::INTERVAL: {
      const auto x = Cell<duckdb::interval_t>::Read(a.unified, a_at);
      const auto y = Cell<duckdb::interval_t>::Read(b.unified, b_at);
      if (x.months != y.months) return x.months < y.months ? -1 : 1;
      if (x.days != y.days) return x.days < y.days ? -1 : 1;
      return CompareValues(x.micros, y.micros);
    }
    case duckdb::PhysicalType::LIST: {
      const auto x = Cell<duckdb::list_entry_t>::Read(a.unified, a_at);
      const auto y = Cell<duckdb::list_entry_t>::Read(b.unified, b_at);
      for (duckdb::idx_t i = 0; i < std::min(x.length, y.length); ++i) {
        const int order = CompareCells(a.children[0], x.offset + i, b.children[0], y.offset + i);
        if (order != 0) return order;
      }
      return CompareValues(x.length, y.length);
    }
    case duckdb::PhysicalType::STRUCT:
      for (size_t i = 0; i < a.children.size(); ++i) {
        const int order = CompareCells(a.children[i], a_row, b.children[i], b_row);
        if (order != 0) return order;
      }
      return 0;
    default:
      return 0;
  }
}

void CellSet::Reset(duckdb::idx_t count) {
  size_t capacity = 8;
  while (capacity < count * 2) capacity *= 2;
  slots_.assign(capacity, -1);
}

size_t CellSet::Slot(duckdb::idx_t row) const {
  const size_t mask = slots_.size() - 1;
  size_t at = static_cast<size_t>(hashes_[row]) & mask;
  while (slots_[at] >= 0 &&
         CompareCells(column_, static_cast<duckdb::idx_t>(slots_[at]), column_, row) != 0)
    at = (at + 1) & mask;
  return at;
}

bool CellSet::Insert(duckdb::idx_t row) {
  const size_t slot = Slot(row);
  if (slots_[slot] >= 0) return false;
  slots_[slot] = static_cast<int64_t>(row);
  return true;
}

bool CellSet::Contains(duckdb::idx_t row) const {
  return !slots_.empty() && slots_[Slot(row)] >= 0;
}

}  // namespace merganser::engine
