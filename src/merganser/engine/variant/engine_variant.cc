#include "merganser/engine/variant/engine_variant.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <duckdb/common/types/variant.hpp>
#include <duckdb/function/scalar/variant_utils.hpp>

#include "merganser/base/json.h"
#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/variant/variant_leaves.h"

namespace merganser::engine {
namespace {

using duckdb::idx_t;
using duckdb::VariantLogicalType;
using duckdb::VariantUtils;

class EngineVariantWriter {
 public:
  EngineVariantWriter(const duckdb::UnifiedVariantVectorData& variants, idx_t row)
      : variants_(variants), row_(row) {}

  std::string Write() && {
    WriteValue(0);
    return std::move(out_);
  }

 private:
  void WriteValue(uint32_t index) {
    switch (variants_.GetTypeId(row_, index)) {
      case VariantLogicalType::VARIANT_NULL:
        out_ += "null";
        break;
      case VariantLogicalType::BOOL_TRUE:
        out_ += "true";
        break;
      case VariantLogicalType::BOOL_FALSE:
        out_ += "false";
        break;
      case VariantLogicalType::VARCHAR: {
        const duckdb::string_t text = VariantUtils::DecodeStringData(variants_, row_, index);
        AppendJsonString({text.GetData(), text.GetSize()}, &out_);
        break;
      }
      case VariantLogicalType::OBJECT:
        WriteObject(index);
        break;
      case VariantLogicalType::ARRAY:
        WriteArray(index);
        break;
      default:
        WriteLeaf(VariantUtils::ConvertVariantToValue(variants_, row_, index));
        break;
    }
  }

  void WriteLeaf(const duckdb::Value& value) {
    using duckdb::LogicalTypeId;
    switch (value.type().id()) {
      case LogicalTypeId::TINYINT:
      case LogicalTypeId::SMALLINT:
      case LogicalTypeId::INTEGER:
      case LogicalTypeId::BIGINT:
      case LogicalTypeId::DECIMAL:
        out_ += value.ToString();
        break;
      case LogicalTypeId::FLOAT:
        AppendVariantFloating(value.GetValueUnsafe<float>(), &out_);
        break;
      case LogicalTypeId::DOUBLE:
        AppendVariantFloating(value.GetValueUnsafe<double>(), &out_);
        break;
      case LogicalTypeId::DATE:
        AppendVariantDate(value.GetValueUnsafe<duckdb::date_t>().days, &out_);
        break;
      case LogicalTypeId::TIMESTAMP:
        AppendVariantTimestamp(value.GetValueUnsafe<duckdb::timestamp_t>().value, "", &out_);
        break;
      case LogicalTypeId::TIMESTAMP_TZ:
        AppendVariantTimestamp(value.GetValueUnsafe<duckdb::timestamp_tz_t>().value, "+00:00",
                               &out_);
        break;
      case LogicalTypeId::BLOB:
        AppendVariantBinary(duckdb::StringValue::Get(value), &out_);
        break;
      case LogicalTypeId::UUID:
        AppendJsonString(value.ToString(), &out_);
        break;
      default:
        ThrowError(Error(ErrorClass::MALFORMED_VARIANT));
    }
  }

  void WriteObject(uint32_t index) {
    const auto nested = VariantUtils::DecodeNestedData(variants_, row_, index);
    std::vector<std::pair<std::string, uint32_t>> members;
    for (uint32_t i = 0; i < nested.child_count; ++i) {
      const uint32_t child = nested.children_idx + i;
      members.emplace_back(variants_.GetKey(row_, variants_.GetKeysIndex(row_, child)).GetString(),
                           variants_.GetValuesIndex(row_, child));
    }
    std::sort(members.begin(), members.end());
    out_.push_back('{');
    for (size_t i = 0; i < members.size(); ++i) {
      if (i != 0) out_.push_back(',');
      AppendJsonString(members[i].first, &out_);
      out_.push_back(':');
      WriteValue(members[i].second);
    }
    out_.push_back('}');
  }

  void WriteArray(uint32_t index) {
    const auto nested = VariantUtils::DecodeNestedData(variants_, row_, index);
    out_.push_back('[');
    for (uint32_t i = 0; i < nested.child_count; ++i) {
      if (i != 0) out_.push_back(',');
      WriteValue(variants_.GetValuesIndex(row_, nested.children_idx + i));
    }
    out_.push_back(']');
  }

  const duckdb::UnifiedVariantVectorData& variants_;
  idx_t row_;
  std::string out_;
};

}  // namespace

void EngineVariantsToJson(duckdb::Vector& variants, idx_t count, duckdb::Vector& texts) {
  variants.Flatten(count);
  duckdb::RecursiveUnifiedVectorFormat format;
  duckdb::Vector::RecursiveToUnifiedFormat(variants, count, format);
  const duckdb::UnifiedVariantVectorData data(format);
  texts.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
  for (idx_t row = 0; row < count; ++row) {
    if (!data.RowIsValid(row)) {
      duckdb::FlatVector::SetNull(texts, row, true);
      continue;
    }
    duckdb::FlatVector::GetData<duckdb::string_t>(texts)[row] =
        duckdb::StringVector::AddString(texts, EngineVariantWriter(data, row).Write());
  }
}

}  // namespace merganser::engine
