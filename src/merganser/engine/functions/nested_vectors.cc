#include "merganser/engine/functions/nested_vectors.h"

#include <algorithm>
#include <utility>

namespace merganser::engine {

CompactLists::CompactLists(duckdb::Vector& source, duckdb::idx_t count)
    : constant_(source.GetVectorType() == duckdb::VectorType::CONSTANT_VECTOR),
      child_(duckdb::ListType::GetChildType(source.GetType()), nullptr) {
  if (constant_) count = std::min<duckdb::idx_t>(count, 1);
  duckdb::UnifiedVectorFormat format;
  source.ToUnifiedFormat(count, format);
  const auto* lists = duckdb::UnifiedVectorFormat::GetData<duckdb::list_entry_t>(format);
  entries_.resize(count);
  null_.resize(count);
  bool packed = true;
  for (duckdb::idx_t row = 0; row < count; ++row) {
    const auto at = format.sel->get_index(row);
    null_[row] = !format.validity.RowIsValid(at);
    entries_[row] = {child_count_, null_[row] ? 0 : lists[at].length};
    packed = packed && (entries_[row].length == 0 || lists[at].offset == child_count_);
    child_count_ += entries_[row].length;
  }
  child_.Reference(duckdb::ListVector::GetEntry(source));
  if (packed) return;
  duckdb::SelectionVector elements(std::max<duckdb::idx_t>(child_count_, 1));
  for (duckdb::idx_t row = 0; row < count; ++row) {
    const auto offset = null_[row] ? 0 : lists[format.sel->get_index(row)].offset;
    for (duckdb::idx_t i = 0; i < entries_[row].length; ++i) elements.set_index(entries_[row].offset + i, offset + i);
  }
  child_.Slice(elements, child_count_);
  child_.Flatten(std::max<duckdb::idx_t>(child_count_, 1));
}

void CompactLists::WriteEntries(duckdb::Vector& result) const {
  result.SetVectorType(constant_ ? duckdb::VectorType::CONSTANT_VECTOR : duckdb::VectorType::FLAT_VECTOR);
  auto* entries = constant_ ? duckdb::ConstantVector::GetData<duckdb::list_entry_t>(result)
                            : duckdb::FlatVector::GetData<duckdb::list_entry_t>(result);
  auto& validity = constant_ ? duckdb::ConstantVector::Validity(result) : duckdb::FlatVector::Validity(result);
  for (duckdb::idx_t row = 0; row < rows(); ++row) {
    entries[row] = entries_[row];
    if (null_[row]) validity.SetInvalid(row);
  }
}

void SetListChild(duckdb::Vector& result, duckdb::Vector child, duckdb::idx_t count) {
  child.Flatten(std::max<duckdb::idx_t>(count, 1));
  auto owned = duckdb::make_uniq<duckdb::Vector>(std::move(child));
  result.SetAuxiliary(duckdb::make_buffer<duckdb::VectorListBuffer>(std::move(owned), std::max<duckdb::idx_t>(count, 1)));
  duckdb::ListVector::SetListSize(result, count);
}

void MaskStructChildren(duckdb::Vector& flat_struct, duckdb::idx_t count) {
  const auto& validity = duckdb::FlatVector::Validity(flat_struct);
  if (validity.AllValid()) return;
  for (auto& child : duckdb::StructVector::GetEntries(flat_struct)) {
    child->Flatten(count);
    duckdb::ValidityMask mask;
    mask.Copy(duckdb::FlatVector::Validity(*child), count);
    for (duckdb::idx_t row = 0; row < count; ++row) {
      if (!validity.RowIsValid(row)) mask.SetInvalid(row);
    }
    duckdb::FlatVector::SetValidity(*child, mask);
  }
}

duckdb::Vector MakeVector(const duckdb::LogicalType& type, duckdb::idx_t count) {
  return duckdb::Vector(type, std::max<duckdb::idx_t>(count, 1));
}

}  // namespace merganser::engine
