#pragma once

#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/schema/data_type.h"

namespace merganser {

/// When a column may take the wider type of the source.
enum class WideningMode : uint8_t { kNever, kSameFamily, kAlways };

/// How a source schema is merged into a table's (spec/merge.md 6.3).
struct EvolutionRules {
  WideningMode widening = WideningMode::kNever;
  bool case_sensitive = false;
  /// Whether a value is cast to the table's type where Spark casts implicitly; else types must be
  /// stored alike (DataFrameWriter.save).
  bool implicit_casts = true;
};

/// The fields of `source` that take part in evolution: those on an assigned path, and, if some
/// clause has a star, all (spec/merge.md 6.2). Paths are names of the source's fields.
StructType EvolvingFields(const StructType& source,
                          const std::vector<std::vector<std::string>>& assigned, bool has_star,
                          bool case_sensitive);

/// `target` with the fields of `source` that it lacks appended at every level, and with types
/// widened where the rules allow. Existing fields keep spelling, position, nullability and
/// metadata; new ones are nullable.
///
/// Fails with DELTA_FAILED_TO_MERGE_FIELDS caused by DELTA_MERGE_INCOMPATIBLE_DATATYPE, and with
/// DELTA_DUPLICATE_COLUMNS_FOUND.DATA for source fields that differ in case only.
Result<StructType> MergeSchemas(const StructType& target, const StructType& source,
                                const EvolutionRules& rules);

/// Is `from` to `to` a widening that Delta's type widening supports under `mode`?
bool IsTypeWidening(const DataType& from, const DataType& to, WideningMode mode);

}  // namespace merganser
