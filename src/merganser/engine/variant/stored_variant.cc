#include "merganser/engine/variant/stored_variant.h"

#include <algorithm>
#include <string>

#include "merganser/delta/schema/holds_type.h"
#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/variant/variant_binary.h"

namespace merganser::engine {
namespace {

using duckdb::FlatVector;
using duckdb::idx_t;
using duckdb::Vector;

// JSON texts to the two byte strings of variants.
void StoreTexts(Vector& texts, idx_t count, Vector& stored) {
  duckdb::UnifiedVectorFormat format;
  texts.ToUnifiedFormat(count, format);
  const auto* values = duckdb::UnifiedVectorFormat::GetData<duckdb::string_t>(format);
  auto& parts = duckdb::StructVector::GetEntries(stored);
  const auto set = [&](size_t part, idx_t row, const std::string& bytes) {
    FlatVector::GetData<duckdb::string_t>(*parts[part])[row] =
        duckdb::StringVector::AddStringOrBlob(*parts[part], bytes);
  };
  for (idx_t row = 0; row < count; ++row) {
    const idx_t slot = format.sel->get_index(row);
    if (!format.validity.RowIsValid(slot)) {
      FlatVector::SetNull(stored, row, true);
      continue;
    }
    const auto variant = JsonToVariant({values[slot].GetData(), values[slot].GetSize()});
    if (!variant) ThrowError(Error::Internal("A variant is not carried as JSON text"));
    set(0, row, variant->value);
    set(1, row, variant->metadata);
  }
}

void Store(const DataType& type, Vector& values, idx_t count, Vector& stored);

void StoreList(const DataType& type, Vector& values, idx_t count, Vector& stored) {
  const idx_t size = duckdb::ListVector::GetListSize(values);
  std::copy_n(FlatVector::GetData<duckdb::list_entry_t>(values), count,
              FlatVector::GetData<duckdb::list_entry_t>(stored));
  duckdb::ListVector::Reserve(stored, size);
  duckdb::ListVector::SetListSize(stored, size);
  if (type.is(TypeId::kArray)) {
    Store(type.element(), duckdb::ListVector::GetEntry(values), size,
          duckdb::ListVector::GetEntry(stored));
    return;
  }
  Store(type.key(), duckdb::MapVector::GetKeys(values), size, duckdb::MapVector::GetKeys(stored));
  Store(type.value(), duckdb::MapVector::GetValues(values), size,
        duckdb::MapVector::GetValues(stored));
}

void Store(const DataType& type, Vector& values, idx_t count, Vector& stored) {
  if (!HoldsType(type, TypeId::kVariant)) {
    // Names of nested fields differ under column mapping, the layout in memory does not.
    stored.Reinterpret(values);
    return;
  }
  if (type.is(TypeId::kVariant)) {
    StoreTexts(values, count, stored);
    return;
  }
  values.Flatten(count);
  FlatVector::SetValidity(stored, FlatVector::Validity(values));
  if (!type.is(TypeId::kStruct)) {
    StoreList(type, values, count, stored);
    return;
  }
  auto& sources = duckdb::StructVector::GetEntries(values);
  auto& targets = duckdb::StructVector::GetEntries(stored);
  for (size_t i = 0; i < type.fields().size(); ++i)
    Store(type.fields()[i].type, *sources[i], count, *targets[i]);
}

}  // namespace

DataType StoredForm(const DataType& type) {
  switch (type.id()) {
    case TypeId::kVariant:
      return DataType::Struct(
          StructType({{"value", DataType::Binary()}, {"metadata", DataType::Binary()}}));
    case TypeId::kArray:
      return DataType::Array(StoredForm(type.element()), type.contains_null());
    case TypeId::kMap:
      return DataType::Map(StoredForm(type.key()), StoredForm(type.value()), type.contains_null());
    case TypeId::kStruct: {
      StructType fields = type.fields();
      for (StructField& field : fields.fields()) field.type = StoredForm(field.type);
      return DataType::Struct(std::move(fields));
    }
    default:
      return type;
  }
}

void StoreVariants(const DataType& type, Vector& values, idx_t count, Vector& stored) {
  stored.Initialize(false, std::max<idx_t>(count, STANDARD_VECTOR_SIZE));
  Store(type, values, count, stored);
}

}  // namespace merganser::engine
