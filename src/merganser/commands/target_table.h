#pragma once

#include <string>

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/delta/table/snapshot.h"
#include "merganser/spark/catalog/table_catalog.h"
#include "merganser/spark/plan/expression.h"

namespace merganser {

/// A Delta table that a statement names.
struct TargetTable {
  CatalogTable table;
  SnapshotRef snapshot;  ///< The newest version.
  std::string name;      ///< "spark_catalog.default.t", or the path of delta.`path`.
};

/// The newest snapshot of a table that a command names: as Analyzer::SnapshotOf, but a path where
/// nothing is fails with DELTA_MISSING_DELTA_TABLE.
Result<SnapshotRef> SnapshotToChange(Analyzer& analyzer, const CatalogTable& table,
                                     const plan::MultipartName& name);

/// Find the table that `name` stands for.
///
/// `operation` is what the statement does ("OPTIMIZE"). Fails with TABLE_OR_VIEW_NOT_FOUND,
/// EXPECT_TABLE_NOT_VIEW for a view, DELTA_ONLY_OPERATION, DELTA_TABLE_ONLY_OPERATION or
/// DELTA_NOT_A_DELTA_TABLE (by operation) for a table that is not Delta, and as SnapshotToChange.
Result<TargetTable> FindTargetTable(Analyzer& analyzer, const plan::MultipartName& name,
                                    const std::string& operation);

}  // namespace merganser
