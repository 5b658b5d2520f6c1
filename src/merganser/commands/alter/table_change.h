#pragma once

#include <span>
#include <string>
#include <vector>

#include "merganser/base/json.h"
#include "merganser/base/result.h"
#include "merganser/commands/metadata_change.h"
#include "merganser/commands/schema_path.h"
#include "merganser/commands/statement_context.h"
#include "merganser/commands/target_table.h"
#include "merganser/delta/transaction/operation.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// A change of a table's metadata on its way: what is read, what is to be, and the commit.
class TableChange {
 public:
  /// Fails as Transaction::Start.
  static Result<TableChange> Start(StatementContext& context, Analyzer& analyzer,
                                   const TargetTable& target);

  StatementContext& context() const { return *context_; }
  Analyzer& analyzer() const { return *analyzer_; }
  const TargetTable& target() const { return *target_; }
  const Snapshot& snapshot() const { return *target_->snapshot; }
  bool case_sensitive() const { return analyzer_->typing().case_sensitive; }
  Transaction& transaction() { return transaction_; }

  /// The metadata as it will be; starts as it is.
  Metadata& metadata() { return change_.metadata; }
  StructType& schema() { return change_.schema; }
  std::vector<std::string>& features() { return change_.features; }

  /// Find a column or field. Fails with UNRESOLVED_COLUMN.WITH_SUGGESTION.
  Result<SchemaPlace> Find(const std::vector<std::string>& path,
                           const plan::Origin& origin = {}) const;
  /// Commit the changed metadata. Fails as ChangeMetadata and Transaction::Commit.
  Status Commit(Operation operation) &&;

 private:
  TableChange(StatementContext& context, Analyzer& analyzer, const TargetTable& target,
              Transaction transaction);

  StatementContext* context_;
  Analyzer* analyzer_;
  const TargetTable* target_;
  Transaction transaction_;
  MetadataChange change_;
};

/// INVALID_FIELD_NAME for a path that goes below its first `parent` names, which are no struct.
Error InvalidFieldName(std::span<const std::string> path, size_t parent);

/// A path of names as operation parameters show it: parts that contain a dot in backticks.
std::string AttributeName(const std::vector<std::string>& path);

/// A field as history shows it: {"name":"s.a","type":"integer","nullable":true,"metadata":{}}.
Json FieldForHistory(const std::vector<std::string>& parent, const StructField& field);

/// Fails with DELTA_CONSTRAINT_DEPENDENT_COLUMN_CHANGE or
/// DELTA_GENERATED_COLUMNS_DEPENDENT_COLUMN_CHANGE if a CHECK constraint or a generated column uses
/// the column at `path`.
Status CheckNothingDependsOn(const TableChange& change, const std::vector<std::string>& path);

}  // namespace merganser
