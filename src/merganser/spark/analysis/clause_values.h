#pragma once

#include <functional>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/spark/analysis/assignment.h"
#include "merganser/spark/analysis/dml_binding.h"

namespace merganser {

/// Completes the assignments of one clause to a whole row of the table.
class RowBuilder {
 public:
  /// `merge` must have its target columns, schema and unchanged values; it must outlive this.
  RowBuilder(Analyzer& analyzer, const BoundMerge& merge) : analyzer_(analyzer), merge_(merge) {}

  /// The row that an UPDATE leaves: assigned columns, generated ones computed from the new values,
  /// the rest unchanged. Fails as AssignFields, with DELTA_CONFLICT_SET_COLUMN for a path assigned
  /// twice and DELTA_IDENTITY_COLUMNS_UPDATE_NOT_SUPPORTED.
  Result<std::vector<BoundExpressionPtr>> UpdatedRow(
      const std::vector<FieldAssignment>& assignments);

  /// The row that an INSERT makes: listed columns, defaults, generated values, NULL. Fails
  /// likewise, with DELTA_IDENTITY_COLUMNS_EXPLICIT_INSERT_NOT_SUPPORTED.
  Result<std::vector<BoundExpressionPtr>> InsertedRow(
      const std::vector<FieldAssignment>& assignments);

  /// Positions of the identity columns that such a row gets a number for.
  std::vector<size_t> NumberedColumns(const std::vector<FieldAssignment>& assignments) const;

  /// The default value of a column, NULL if it has none.
  Result<BoundExpressionPtr> DefaultOf(const StructField& field);

 private:
  /// Replace the values of generated columns that no assignment names by their expressions over the
  /// other values.
  Status Generate(const std::vector<FieldAssignment>& assignments,
                  std::vector<BoundExpressionPtr>& row);

  Analyzer& analyzer_;
  const BoundMerge& merge_;
};

/// Is the column generated, or an identity column ("Generated Columns", "Identity Columns" in
/// PROTOCOL.md)?
bool IsGenerated(const StructField& field);
bool IsIdentity(const StructField& field);
/// Text of a string in the field's metadata; empty if there is none.
std::string MetadataText(const StructField& field, std::string_view key);

}  // namespace merganser
