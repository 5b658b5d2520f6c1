#include "merganser/engine/sink/statistics_collector.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "merganser/engine/functions/rows.h"
#include "merganser/engine/hugeint.h"

namespace merganser::engine {
namespace {

using duckdb::idx_t;
using duckdb::PhysicalType;
using duckdb::Vector;

// Spark's order: NaN above everything else.
bool Below(double left, double right) {
  if (std::isnan(left)) return false;
  return std::isnan(right) || left < right;
}

/// Without a branch a value, so that the processor looks at several at once.
template <typename T>
std::pair<T, T> BoundsOf(const T* values, const duckdb::SelectionVector& slots, idx_t count) {
  T low = values[slots.get_index(0)];
  T high = low;
  const auto look_at = [&](T value) {
    low = std::min(low, value);
    high = std::max(high, value);
  };
  if (slots.IsSet()) {
    for (idx_t i = 1; i < count; ++i) look_at(values[slots.get_index_unsafe(i)]);
  } else {
    for (idx_t i = 1; i < count; ++i) look_at(values[i]);
  }
  return {low, high};
}

/// Readers make masks of validity before they know whether there is a NULL.
bool HasNoNulls(const duckdb::ValidityMask& validity) {
  return validity.CountValid(validity.Capacity()) == validity.Capacity();
}

/// How often each value of a dictionary is there, if `values` has one that is smaller than itself.
std::vector<uint32_t> CountUses(const Vector& values, const duckdb::UnifiedVectorFormat& format,
                                idx_t count) {
  if (values.GetVectorType() != duckdb::VectorType::DICTIONARY_VECTOR) return {};
  const duckdb::optional_idx size = duckdb::DictionaryVector::DictionarySize(values);
  if (!size.IsValid() || size.GetIndex() > count / 2) return {};
  std::vector<uint32_t> uses(size.GetIndex());
  for (idx_t row = 0; row < count; ++row) {
    const idx_t slot = format.sel->get_index(row);
    if (slot >= uses.size()) return {};
    ++uses[slot];
  }
  return uses;
}

bool IsValid(const duckdb::UnifiedVectorFormat& format, idx_t slot, idx_t row,
             const std::vector<Vector*>& ancestors) {
  return format.validity.RowIsValid(slot) &&
         std::all_of(ancestors.begin(), ancestors.end(), [&](Vector* ancestor) {
           return duckdb::FlatVector::Validity(*ancestor).RowIsValid(row);
         });
}

std::optional<std::vector<size_t>> Locate(const StructType& schema, const FieldPath& path) {
  std::vector<size_t> positions;
  const StructType* fields = &schema;
  for (size_t depth = 0; depth < path.size(); ++depth) {
    const int position = fields->IndexOf(path[depth], true);
    if (position < 0) return std::nullopt;
    positions.push_back(static_cast<size_t>(position));
    const DataType& type = (*fields)[positions.back()].type;
    const bool last = depth + 1 == path.size();
    if (last == type.is(TypeId::kStruct)) return std::nullopt;
    if (!last) fields = &type.fields();
  }
  return positions;
}

}  // namespace

template <typename T, typename Less, typename Add>
void LeafStatistics::AddBounds(Vector& values, idx_t count, const std::vector<Vector*>& ancestors,
                               Less less, Add add) {
  duckdb::UnifiedVectorFormat format;
  values.ToUnifiedFormat(count, format);
  const T* data = duckdb::UnifiedVectorFormat::GetData<T>(format);
  const bool all_valid = ancestors.empty() && HasNoNulls(format.validity);
  if constexpr (std::is_integral_v<T>) {
    if (all_valid && count > 0) {
      const auto [low, high] = BoundsOf(data, *format.sel, count);
      add(low);
      add(high);
      return;
    }
  }
  // Bounds of the vector first: most values are neither, and comparing them in their own type is
  // all that they cost.
  const T* low = nullptr;
  const T* high = nullptr;
  const auto look_at = [&](const T& value) {
    if (low == nullptr) {
      low = high = &value;
    } else if (less(value, *low)) {
      low = &value;
    } else if (less(*high, value)) {
      high = &value;
    }
  };
  const std::vector<uint32_t> uses =
      ancestors.empty() ? CountUses(values, format, count) : std::vector<uint32_t>();
  if (!uses.empty()) {
    for (idx_t slot = 0; slot < uses.size(); ++slot) {
      if (uses[slot] == 0) continue;
      if (format.validity.RowIsValid(slot)) {
        look_at(data[slot]);
      } else {
        null_count_ += uses[slot];
      }
    }
  } else if (all_valid) {
    for (idx_t row = 0; row < count; ++row) look_at(data[format.sel->get_index(row)]);
  } else {
    for (idx_t row = 0; row < count; ++row) {
      const idx_t slot = format.sel->get_index(row);
      if (IsValid(format, slot, row, ancestors)) {
        look_at(data[slot]);
      } else {
        ++null_count_;
      }
    }
  }
  if (low == nullptr) return;
  add(*low);
  add(*high);
}

void LeafStatistics::CountNulls(Vector& values, idx_t count,
                                const std::vector<Vector*>& ancestors) {
  duckdb::UnifiedVectorFormat format;
  values.ToUnifiedFormat(count, format);
  if (ancestors.empty() && HasNoNulls(format.validity)) return;
  for (idx_t row = 0; row < count; ++row)
    null_count_ += IsValid(format, format.sel->get_index(row), row, ancestors) ? 0 : 1;
}

void LeafStatistics::Update(Vector& values, idx_t count, const std::vector<Vector*>& ancestors) {
  const auto integer = [this](auto value) { AddInteger(value); };
  const PhysicalType physical = values.GetType().InternalType();
  if (!has_bounds_) return CountNulls(values, count, ancestors);
  switch (physical) {
    case PhysicalType::INT8:
      return AddBounds<int8_t>(values, count, ancestors, std::less<>(), integer);
    case PhysicalType::INT16:
      return AddBounds<int16_t>(values, count, ancestors, std::less<>(), integer);
    case PhysicalType::INT32:
      return AddBounds<int32_t>(values, count, ancestors, std::less<>(), integer);
    case PhysicalType::INT64:
      return AddBounds<int64_t>(values, count, ancestors, std::less<>(), integer);
    case PhysicalType::INT128:
      return AddBounds<duckdb::hugeint_t>(
          values, count, ancestors, std::less<>(),
          [this](duckdb::hugeint_t value) { AddInteger(ToInt128(value)); });
    case PhysicalType::FLOAT:
      return AddBounds<float>(values, count, ancestors, Below,
                              [this](float value) { AddDouble(value); });
    case PhysicalType::DOUBLE:
      return AddBounds<double>(values, count, ancestors, Below,
                               [this](double value) { AddDouble(value); });
    case PhysicalType::VARCHAR:
      // The engine's own comparison, by bytes, looks at the first four at once.
      return AddBounds<duckdb::string_t>(values, count, ancestors, std::less<>(),
                                         [this](const duckdb::string_t& value) { AddText(value); });
    default:
      return CountNulls(values, count, ancestors);
  }
}

void LeafStatistics::AddInteger(Int128 value) {
  if (!any_ || value < min_integer_) min_integer_ = value;
  if (!any_ || value > max_integer_) max_integer_ = value;
  any_ = true;
}

void LeafStatistics::AddDouble(double value) {
  if (!any_ || Below(value, min_double_)) min_double_ = value;
  if (!any_ || Below(max_double_, value)) max_double_ = value;
  any_ = true;
}

void LeafStatistics::AddText(duckdb::string_t value) {
  const std::string_view text = View(value);
  if (!any_ || text < min_text_) min_text_ = text;
  if (!any_ || text > max_text_) max_text_ = text;
  any_ = true;
}

void LeafStatistics::Merge(const LeafStatistics& other) {
  null_count_ += other.null_count_;
  if (!other.any_) return;
  if (!any_) {
    const int64_t nulls = null_count_;
    *this = other;
    null_count_ = nulls;
    return;
  }
  min_integer_ = std::min(min_integer_, other.min_integer_);
  max_integer_ = std::max(max_integer_, other.max_integer_);
  if (Below(other.min_double_, min_double_)) min_double_ = other.min_double_;
  if (Below(max_double_, other.max_double_)) max_double_ = other.max_double_;
  min_text_ = std::min(min_text_, other.min_text_);
  max_text_ = std::max(max_text_, other.max_text_);
}

Scalar LeafStatistics::ToScalar(Int128 integer, double real, const std::string& text) const {
  switch (type_.id()) {
    case TypeId::kFloat:
      return Scalar::Float(static_cast<float>(real));
    case TypeId::kDouble:
      return Scalar::Double(real);
    case TypeId::kDecimal:
      return Scalar::Decimal(type_, integer);
    case TypeId::kString:
    case TypeId::kChar:
    case TypeId::kVarchar:
      return Scalar::String(text);
    case TypeId::kBinary:
      return Scalar::Binary(text);
    default:
      return Scalar::Integral(type_, static_cast<int64_t>(integer));
  }
}

ColumnStatistics LeafStatistics::Finish() const {
  ColumnStatistics statistics;
  statistics.null_count = null_count_;
  if (any_) {
    statistics.min = ToScalar(min_integer_, min_double_, min_text_);
    statistics.max = ToScalar(max_integer_, max_double_, max_text_);
  }
  return statistics;
}

StatisticsCollector::StatisticsCollector(const StructType& schema,
                                         const std::vector<StatisticsColumn>& columns) {
  for (const StatisticsColumn& column : columns) {
    if (auto positions = Locate(schema, column.path)) {
      leaves_.push_back(
          {column.path, *std::move(positions), LeafStatistics(column.type, column.has_bounds)});
    }
  }
}

void StatisticsCollector::Update(duckdb::DataChunk& rows) {
  const idx_t count = rows.size();
  num_records_ += static_cast<int64_t>(count);
  for (Leaf& leaf : leaves_) {
    Vector* values = &rows.data[leaf.positions[0]];
    std::vector<Vector*> ancestors;
    for (size_t depth = 1; depth < leaf.positions.size(); ++depth) {
      values->Flatten(count);
      ancestors.push_back(values);
      values = duckdb::StructVector::GetEntries(*values)[leaf.positions[depth]].get();
    }
    leaf.statistics.Update(*values, count, ancestors);
  }
}

void StatisticsCollector::Merge(const StatisticsCollector& other) {
  num_records_ += other.num_records_;
  for (size_t i = 0; i < leaves_.size(); ++i)
    leaves_[i].statistics.Merge(other.leaves_[i].statistics);
}

FileStatistics StatisticsCollector::Finish() const {
  FileStatistics statistics;
  statistics.num_records = num_records_;
  for (const Leaf& leaf : leaves_) {
    statistics.columns.push_back(leaf.statistics.Finish());
    statistics.columns.back().path = leaf.path;
  }
  return statistics;
}

}  // namespace merganser::engine
