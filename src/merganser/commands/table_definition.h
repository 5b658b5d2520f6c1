#pragma once

#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/clustering.h"
#include "merganser/commands/column_definitions.h"
#include "merganser/commands/protocol_wish.h"
#include "merganser/commands/statement_context.h"
#include "merganser/config/table_property.h"
#include "merganser/delta/protocol/actions.h"
#include "merganser/delta/table/snapshot.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// What a table is to be: the actions that say so.
struct TableDefinition {
  Protocol protocol;
  Metadata metadata;
  StructType schema;  ///< As in the metadata, parsed: with ids and physical names where columns are
                      ///< mapped.
  std::vector<ColumnPath> clustering;
};

/// What a statement says of the table it creates.
struct TableWish {
  StructType schema;
  std::vector<std::string> partition_by;  ///< Names of the schema, in any case.
  std::vector<ColumnPath> cluster_by;
  plan::Options properties;  ///< Before defaults and normalisation.
  std::optional<std::string> comment;
  std::vector<std::string> features;  ///< To be supported, whatever the properties say.
  /// Take properties and protocol from the session where `properties` say nothing.
  bool session_defaults = true;
  /// The table that is replaced, if any: columns that stay keep ids and physical names, and no id
  /// is given a second time. Outlives the wish.
  const Snapshot* replaced = nullptr;
};

/// Protocol and metadata of a new table.
///
/// Fails with DELTA_UNKNOWN_CONFIGURATION and the other classes of table properties,
/// DELTA_INVALID_PARTITION_COLUMN, ALL_PARTITION_COLUMNS_NOT_ALLOWED,
/// INVALID_PARTITION_COLUMN_DATA_TYPE, DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES,
/// DELTA_TABLE_ALREADY_CONTAINS_CDC_COLUMNS, DELTA_ICEBERG_COMPAT_VIOLATION, the classes of
/// FindClusteringColumns and CheckGeneratedColumns.
Result<TableDefinition> DefineTable(StatementContext& context, Analyzer& analyzer, TableWish wish);

/// Give names to the columns in which files keep row ids, unless `configuration` has them
/// ("Materialized Row ID and Row Commit Version Column Names" in PROTOCOL.md).
void NameRowTrackingColumns(StringMap& configuration);

/// Fails with DELTA_TABLE_ALREADY_CONTAINS_CDC_COLUMNS if the change feed could not tell its
/// columns from the table's.
Status CheckChangeFeedNames(const StructType& schema, const StringMap& configuration);

}  // namespace merganser
