#pragma once

#include <memory>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/commands/statement_scans.h"
#include "merganser/commands/uncommitted_files.h"
#include "merganser/delta/protocol/table_properties.h"
#include "merganser/delta/table/snapshot.h"
#include "merganser/engine/sink/sink.h"
#include "merganser/spark/analysis/bound_relation.h"

namespace merganser {

/// The table that rows are written to, as it will be after the statement.
struct WriteTarget {
  FileLocation location;
  StructType schema;  ///< Logical, with column mapping metadata.
  std::vector<std::string> partition_columns;
  TableProperties properties;

  static WriteTarget Of(const Snapshot& snapshot);
  /// Fails with DELTA_LOG_CORRUPTED_SCHEMA if the metadata's schema is damaged.
  static Result<WriteTarget> Of(FileLocation location, const Metadata& metadata);
};

/// How the sink writes rows of the table's schema to data files.
engine::SinkFamily DataFamily(const WriteTarget& target);
/// Change files: the table's columns and `_change_type` ("Change Data Files" in PROTOCOL.md).
engine::SinkFamily ChangeFamily(const WriteTarget& target);
/// A sink without families and routes, with the table's file size and compression.
engine::SinkSpec SinkSpecOf(const WriteTarget& target, const SessionConf& conf);

/// The add action of a written data file.
AddFile ToAddFile(const engine::WrittenFile& file, int64_t now_ms);
/// The cdc action of a written change file.
AddCdcFile ToChangeFile(const engine::WrittenFile& file);

/// SQL conditions, one a constraint, that are TRUE for rows the table may hold and raise the constraint's error for
/// others: NOT NULL at every level, CHECK constraints, and lengths of CHAR and VARCHAR. `columns` gives the engine's
/// name of each column of the target's schema; a condition is to be ANDed in the order given.
///
/// Errors: DELTA_NOT_NULL_CONSTRAINT_VIOLATED, DELTA_VIOLATE_CONSTRAINT_WITH_VALUES, DELTA_EXCEED_CHAR_VARCHAR_LIMIT.
/// Fails with analysis errors if a constraint's text cannot be bound.
Result<std::vector<std::string>> RowChecks(StatementContext& context, StatementScans& scans, const WriteTarget& target,
                                           const std::vector<BoundColumn>& columns);

/// Rows written and the files that hold them.
struct WrittenRows {
  std::vector<AddFile> files;
  int64_t num_rows = 0;
  int64_t num_bytes = 0;
};

/// Write `rows`, whose columns are those of the target's schema in order and of its types, as new data files.
/// Constraints are checked. Fails as engine::RunSink and RowChecks.
Result<WrittenRows> WriteRows(StatementContext& context, const BoundRelationPtr& rows, const WriteTarget& target,
                              UncommittedFiles& files);

}  // namespace merganser
