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
    for (duckdb::idx_t i = 0; i < entries_[row].length; ++i)
      elements.set_index(entries_[row].offset + i, offset + i);
  }
  child_.Slice(elements, child_count_);
  child_.Flatten(std::max<duckdb::idx_t>(child_count_, 1));
}

void CompactLists::WriteEntries(duckdb::Vector& result) const {
  result.SetVectorType(constant_ ? duckdb::VectorType::CONSTANT_VECTOR
                                 : duckdb::VectorType::FLAT_VECTOR);
  auto* entries = constant_ ? duckdb::ConstantVector::GetData<duckdb::list_entry_t>(result)
                            : duckdb::FlatVector::GetData<duckdb::list_entry_t>(result);
  auto& validity =
      constant_ ? duckdb::ConstantVector::Validity(result) : duckdb::FlatVector::Validity(result);
  for (duckdb::idx_t row = 0; row < rows(); ++row) {
    entries[row] = entries_[row];
    if (null_[row]) validity.SetInvalid(row);
  }
}

void SetListChild(duckdb::Vector& result, duckdb::Vector child, duckdb::idx_t count) {
  child.Flatten(std::max<duckdb::idx_t>(count, 1));
  auto owned = duckdb::make_uniq<duckdb::Vector>(std::move(child));
  result.SetAuxiliary(duckdb::make_buffer<duckdb::VectorListBuffer>(
      std::move(owned), std::max<duckdb::idx_t>(count, 1)));
  duckdb::ListVector::SetListSize(result, count);
}

duckdb::idx_t GrowList(duckdb::Vector& list, duckdb::idx_t count) {
  const duckdb::idx_t begin = duckdb::ListVector::GetListSize(list);
  duckdb::ListVector::Reserve(list, begin + count);
  duckdb::ListVector::SetListSize(list, begin + count);
  return begin;
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

duckdb::idx_t ElementPool::Add(duckdb::Vector& source, duckdb::idx_t count) {
  parts_.push_back({&source, count});
  size_ += count;
  return size_ - count;
}

duckdb::Vector& ElementPool::All() {
  if (all_ != nullptr) return *all_;
  if (parts_.size() == 1) {
    all_ = duckdb::make_uniq<duckdb::Vector>(type_, nullptr);
    all_->Reference(*parts_[0].source);
    return *all_;
  }
  all_ = duckdb::make_uniq<duckdb::Vector>(type_, std::max<duckdb::idx_t>(size_, 1));
  duckdb::idx_t at = 0;
  for (const Part& part : parts_) {
    if (part.count > 0) duckdb::VectorOperations::Copy(*part.source, *all_, part.count, 0, at);
    at += part.count;
  }
  return *all_;
}

duckdb::Vector ElementPool::Take(const std::vector<int64_t>& places) {
  const duckdb::idx_t count = places.size();
  if (size_ == 0) {
    auto nulls = MakeVector(type_, count);
    for (duckdb::idx_t i = 0; i < count; ++i) duckdb::FlatVector::SetNull(nulls, i, true);
    return nulls;
  }
  duckdb::SelectionVector chosen(std::max<duckdb::idx_t>(count, 1));
  bool any_null = false;
  for (duckdb::idx_t i = 0; i < count; ++i) {
    chosen.set_index(i, places[i] < 0 ? 0 : static_cast<duckdb::idx_t>(places[i]));
    any_null = any_null || places[i] < 0;
  }
  auto out = MakeVector(type_, count);
  if (count > 0) duckdb::VectorOperations::Copy(All(), out, chosen, count, 0, 0);
  if (any_null) {
    for (duckdb::idx_t i = 0; i < count; ++i) {
      if (places[i] < 0) duckdb::FlatVector::SetNull(out, i, true);
    }
  }
  return out;
}

void ListPicks::Write(ElementPool& pool, duckdb::Vector& result, bool constant) {
  result.SetVectorType(constant ? duckdb::VectorType::CONSTANT_VECTOR
                                : duckdb::VectorType::FLAT_VECTOR);
  auto* entries = constant ? duckdb::ConstantVector::GetData<duckdb::list_entry_t>(result)
                           : duckdb::FlatVector::GetData<duckdb::list_entry_t>(result);
  auto& validity =
      constant ? duckdb::ConstantVector::Validity(result) : duckdb::FlatVector::Validity(result);
  for (duckdb::idx_t row = 0; row < entries_.size(); ++row) {
    entries[row] = entries_[row];
    if (null_[row]) validity.SetInvalid(row);
  }
  SetListChild(result, pool.Take(places_), places_.size());
}

duckdb::Vector MakeVector(const duckdb::LogicalType& type, duckdb::idx_t count) {
  return duckdb::Vector(type, std::max<duckdb::idx_t>(count, 1));
}

}  // namespace merganser::engine
