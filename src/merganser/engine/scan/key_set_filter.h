#pragma once

#include <memory>

#include <duckdb.hpp>
#include <duckdb/planner/filter/optional_filter.hpp>

#include "merganser/engine/scan/key_set.h"
#include "merganser/engine/scan/scan_source.h"

namespace merganser::engine {

/// Could a column with values in [min, max] hold one of the keys? True where the bounds are NULL or
/// of a type that the keys are not for.
bool MayHoldKey(const KeySet& keys, const duckdb::Value& min, const duckdb::Value& max);

/// Skips row groups that hold none of the keys; never looks at rows.
class KeySetFilter final : public duckdb::OptionalFilter {
 public:
  /// `keys` is kept alive through `source`.
  KeySetFilter(std::shared_ptr<const ScanSource> source, const KeySet& keys)
      : source_(std::move(source)), keys_(&keys) {}

  duckdb::FilterPropagateResult CheckStatistics(duckdb::BaseStatistics& statistics) const override;
  duckdb::string ToString(const duckdb::string& column_name) const override;
  duckdb::unique_ptr<duckdb::TableFilter> Copy() const override;
  duckdb::unique_ptr<duckdb::Expression> ToExpression(
      const duckdb::Expression& column) const override;

 private:
  std::shared_ptr<const ScanSource> source_;
  const KeySet* keys_;
};

}  // namespace merganser::engine
