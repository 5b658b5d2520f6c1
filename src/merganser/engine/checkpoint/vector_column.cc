#include "merganser/engine/checkpoint/vector_column.h"

#include <utility>

namespace merganser::engine {

using duckdb::idx_t;
using duckdb::PhysicalType;

VectorColumn::VectorColumn(DataType type) : type_(std::move(type)) {
  switch (type_.id()) {
    case TypeId::kStruct:
      for (const StructField& field : type_.fields()) children_.emplace_back(field.type);
      break;
    case TypeId::kArray:
      children_.emplace_back(type_.element());
      break;
    case TypeId::kMap:
      children_.emplace_back(type_.key());
      children_.emplace_back(type_.value());
      break;
    default:
      break;
  }
}

void VectorColumn::Bind(duckdb::Vector& vector, idx_t count) {
  // So come columns that a file lacks; their fields are never asked for.
  all_null_ = vector.GetVectorType() == duckdb::VectorType::CONSTANT_VECTOR &&
              duckdb::ConstantVector::IsNull(vector);
  if (all_null_) return;
  if (type_.is(TypeId::kStruct)) BindFields(vector, count);
  vector.ToUnifiedFormat(count, format_);
  physical_ = vector.GetType().InternalType();
  if (type_.is(TypeId::kArray)) {
    children_[0].Bind(duckdb::ListVector::GetEntry(vector),
                      duckdb::ListVector::GetListSize(vector));
  } else if (type_.is(TypeId::kMap)) {
    BindFields(duckdb::ListVector::GetEntry(vector), duckdb::ListVector::GetListSize(vector));
  }
}

void VectorColumn::Bind(duckdb::DataChunk& rows) {
  for (size_t i = 0; i < children_.size(); ++i) children_[i].Bind(rows.data[i], rows.size());
}

void VectorColumn::BindFields(duckdb::Vector& structs, idx_t count) {
  // A flat struct has its fields in the same rows.
  if (structs.GetVectorType() != duckdb::VectorType::FLAT_VECTOR) structs.Flatten(count);
  auto& fields = duckdb::StructVector::GetEntries(structs);
  for (size_t i = 0; i < children_.size(); ++i) children_[i].Bind(*fields[i], count);
}

int64_t VectorColumn::Int64(idx_t row) const {
  switch (physical_) {
    case PhysicalType::INT8:
      return Value<int8_t>(row);
    case PhysicalType::INT16:
      return Value<int16_t>(row);
    case PhysicalType::INT32:
      return Value<int32_t>(row);
    default:
      return Value<int64_t>(row);
  }
}

double VectorColumn::Double(idx_t row) const {
  return physical_ == PhysicalType::FLOAT ? Value<float>(row) : Value<double>(row);
}

__int128 VectorColumn::Decimal(idx_t row) const {
  if (physical_ != PhysicalType::INT128) return Int64(row);
  const auto& value = Value<duckdb::hugeint_t>(row);
  return (static_cast<__int128>(value.upper) << 64) | value.lower;
}

const VectorColumn* VectorColumn::Field(std::string_view name) const {
  const int position = type_.fields().IndexOf(name, true);
  return position < 0 ? nullptr : &children_[static_cast<size_t>(position)];
}

}  // namespace merganser::engine
