#include "merganser/engine/checkpoint/parsed_statistics.h"

#include <algorithm>
#include <utility>

namespace merganser::engine {
namespace {

using duckdb::idx_t;

std::optional<Scalar> ReadScalar(const VectorColumn& column, idx_t row) {
  const DataType& type = column.type();
  switch (type.id()) {
    case TypeId::kFloat:
      return Scalar::Float(static_cast<float>(column.Double(row)));
    case TypeId::kDouble:
      return Scalar::Double(column.Double(row));
    case TypeId::kDecimal:
      return Scalar::Decimal(type, column.Decimal(row));
    case TypeId::kString:
    case TypeId::kChar:
    case TypeId::kVarchar:
      return Scalar::String(std::string(column.Bytes(row)));
    case TypeId::kByte:
    case TypeId::kShort:
    case TypeId::kInteger:
    case TypeId::kLong:
    case TypeId::kDate:
    case TypeId::kTimestamp:
    case TypeId::kTimestampNtz:
      return Scalar::Integral(type, column.Int64(row));
    default:
      return std::nullopt;
  }
}

// The last column of `chain`; null if one of them is NULL in the row.
const VectorColumn* ValueOf(const std::vector<const VectorColumn*>& chain, idx_t row) {
  const bool is_null =
      std::ranges::any_of(chain, [row](const VectorColumn* column) { return column->IsNull(row); });
  return chain.empty() || is_null ? nullptr : chain.back();
}

}  // namespace

ParsedStatistics::ParsedStatistics(const VectorColumn* parsed,
                                   const std::vector<StatisticsColumn>& columns)
    : parsed_(parsed), columns_(columns) {
  if (parsed_ == nullptr) return;
  num_records_ = Find({"numRecords"});
  tight_bounds_ = Find({"tightBounds"});
  for (const StatisticsColumn& column : columns_) {
    leaves_.push_back({Find("minValues", column.path), Find("maxValues", column.path),
                       Find("nullCount", column.path)});
  }
}

ParsedStatistics::Chain ParsedStatistics::Find(const FieldPath& path) const {
  Chain chain;
  const VectorColumn* column = parsed_;
  for (const std::string& name : path) {
    column = column->type().is(TypeId::kStruct) ? column->Field(name) : nullptr;
    if (column == nullptr) return {};
    chain.push_back(column);
  }
  return chain;
}

ParsedStatistics::Chain ParsedStatistics::Find(const char* group, const FieldPath& path) const {
  FieldPath whole = {group};
  whole.insert(whole.end(), path.begin(), path.end());
  return Find(whole);
}

std::optional<std::string> ParsedStatistics::Text(idx_t row) const {
  if (parsed_ == nullptr || parsed_->IsNull(row)) return std::nullopt;
  FileStatistics statistics;
  if (const VectorColumn* records = ValueOf(num_records_, row))
    statistics.num_records = records->Int64(row);
  if (const VectorColumn* tight = ValueOf(tight_bounds_, row))
    statistics.tight_bounds = tight->Bool(row);
  for (size_t i = 0; i < columns_.size(); ++i) {
    ColumnStatistics& of_column = statistics.columns.emplace_back();
    of_column.path = columns_[i].path;
    if (const VectorColumn* min = ValueOf(leaves_[i].min, row))
      of_column.min = ReadScalar(*min, row);
    if (const VectorColumn* max = ValueOf(leaves_[i].max, row))
      of_column.max = ReadScalar(*max, row);
    if (const VectorColumn* nulls = ValueOf(leaves_[i].null_count, row))
      of_column.null_count = nulls->Int64(row);
  }
  return ToJson(statistics, columns_);
}

}  // namespace merganser::engine
