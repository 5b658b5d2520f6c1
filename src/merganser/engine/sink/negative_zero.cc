#include "merganser/engine/sink/negative_zero.h"

#include <algorithm>
#include <cmath>

namespace merganser::engine {
namespace {

using duckdb::idx_t;
using duckdb::LogicalTypeId;
using duckdb::Vector;

template <typename T>
bool AnyNegativeZero(Vector& values, idx_t count) {
  const T* data = duckdb::FlatVector::GetData<T>(values);
  return std::any_of(data, data + count, [](T value) { return value == 0 && std::signbit(value); });
}

}  // namespace

bool HoldsFloatingPoint(const duckdb::LogicalType& type) {
  switch (type.id()) {
    case LogicalTypeId::FLOAT:
    case LogicalTypeId::DOUBLE:
      return true;
    case LogicalTypeId::LIST:
    case LogicalTypeId::MAP:
      return HoldsFloatingPoint(duckdb::ListType::GetChildType(type));
    case LogicalTypeId::STRUCT:
      return std::ranges::any_of(duckdb::StructType::GetChildTypes(type), [](const auto& member) {
        return HoldsFloatingPoint(member.second);
      });
    default:
      return false;
  }
}

bool HoldsNegativeZero(Vector& values, idx_t count) {
  if (!HoldsFloatingPoint(values.GetType())) return false;
  values.Flatten(count);
  switch (values.GetType().id()) {
    case LogicalTypeId::FLOAT:
      return AnyNegativeZero<float>(values, count);
    case LogicalTypeId::DOUBLE:
      return AnyNegativeZero<double>(values, count);
    case LogicalTypeId::STRUCT:
      return std::ranges::any_of(
          duckdb::StructVector::GetEntries(values),
          [count](const auto& member) { return HoldsNegativeZero(*member, count); });
    default:
      return HoldsNegativeZero(duckdb::ListVector::GetEntry(values),
                               duckdb::ListVector::GetListSize(values));
  }
}

}  // namespace merganser::engine
