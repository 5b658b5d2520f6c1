#include "merganser/engine/scan/key_set_filter.h"

#include <optional>

#include <duckdb/planner/expression/bound_constant_expression.hpp>
#include <duckdb/storage/statistics/base_statistics.hpp>
#include <duckdb/storage/statistics/numeric_stats.hpp>
#include <duckdb/storage/statistics/string_stats.hpp>

namespace merganser::engine {
namespace {

using duckdb::FilterPropagateResult;
using duckdb::PhysicalType;
using duckdb::Value;

// The number that a KeySet of integers holds for a value of such a column.
std::optional<int64_t> AsInteger(const Value& value) {
  switch (value.type().id()) {
    case duckdb::LogicalTypeId::TINYINT:
    case duckdb::LogicalTypeId::SMALLINT:
    case duckdb::LogicalTypeId::INTEGER:
    case duckdb::LogicalTypeId::BIGINT:
      return value.GetValue<int64_t>();
    case duckdb::LogicalTypeId::DATE:
      return value.GetValueUnsafe<duckdb::date_t>().days;
    case duckdb::LogicalTypeId::TIMESTAMP:
    case duckdb::LogicalTypeId::TIMESTAMP_TZ:
      return value.GetValueUnsafe<duckdb::timestamp_t>().value;
    case duckdb::LogicalTypeId::DECIMAL:
      switch (value.type().InternalType()) {
        case PhysicalType::INT16:
          return value.GetValueUnsafe<int16_t>();
        case PhysicalType::INT32:
          return value.GetValueUnsafe<int32_t>();
        case PhysicalType::INT64:
          return value.GetValueUnsafe<int64_t>();
        default:
          return std::nullopt;
      }
    default:
      return std::nullopt;
  }
}

}  // namespace

bool MayHoldKey(const KeySet& keys, const Value& min, const Value& max) {
  if (min.IsNull() || max.IsNull()) return true;
  if (keys.of_strings()) {
    const bool strings = min.type().id() == duckdb::LogicalTypeId::VARCHAR;
    return !strings || keys.Meets(duckdb::StringValue::Get(min), duckdb::StringValue::Get(max));
  }
  const auto low = AsInteger(min);
  const auto high = AsInteger(max);
  return !low || !high || keys.Meets(*low, *high);
}

FilterPropagateResult KeySetFilter::CheckStatistics(duckdb::BaseStatistics& statistics) const {
  bool may_hold = true;
  if (statistics.GetStatsType() == duckdb::StatisticsType::STRING_STATS) {
    // The bounds are the first bytes of the strings, not always whole characters.
    may_hold = !keys_->of_strings() || keys_->Meets(duckdb::StringStats::Min(statistics),
                                                    duckdb::StringStats::Max(statistics));
  } else if (statistics.GetStatsType() == duckdb::StatisticsType::NUMERIC_STATS &&
             duckdb::NumericStats::HasMinMax(statistics)) {
    may_hold = MayHoldKey(*keys_, duckdb::NumericStats::Min(statistics),
                          duckdb::NumericStats::Max(statistics));
  }
  return may_hold ? FilterPropagateResult::NO_PRUNING_POSSIBLE
                  : FilterPropagateResult::FILTER_ALWAYS_FALSE;
}

duckdb::string KeySetFilter::ToString(const duckdb::string& column_name) const {
  return "key set(" + column_name + ")";
}

duckdb::unique_ptr<duckdb::TableFilter> KeySetFilter::Copy() const {
  return duckdb::make_uniq<KeySetFilter>(source_, *keys_);
}

duckdb::unique_ptr<duckdb::Expression> KeySetFilter::ToExpression(const duckdb::Expression&) const {
  return duckdb::make_uniq<duckdb::BoundConstantExpression>(Value::BOOLEAN(true));
}

}  // namespace merganser::engine
