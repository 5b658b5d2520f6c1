#pragma once

#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/config/table_property.h"
#include "merganser/delta/protocol/actions.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// What a table is to be: the actions that say so.
struct TableDefinition {
  Protocol protocol;
  Metadata metadata;
  StructType schema;  ///< As in the metadata, parsed: with ids and physical names where columns are mapped.
};

/// The schema that column definitions stand for: comments, defaults, generation expressions and identity settings
/// become field metadata ("Column Metadata", "Generated Columns", "Identity Columns", "Default Columns" in
/// PROTOCOL.md).
///
/// Fails with COLUMN_ALREADY_EXISTS, and the classes for expressions that cannot be one.
Result<StructType> SchemaOfColumns(StatementContext& context, const std::vector<plan::ColumnDefinition>& columns);

/// Protocol and metadata of a new table. `properties` are those of the statement, before defaults and normalisation.
/// Partition columns are names of the schema in any case.
///
/// Fails with DELTA_UNKNOWN_CONFIGURATION and the other classes of table properties,
/// DELTA_PARTITION_COLUMN_NOT_FOUND-like classes, ALL_PARTITION_COLUMNS_NOT_ALLOWED,
/// INVALID_PARTITION_COLUMN_DATA_TYPE, DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES.
Result<TableDefinition> DefineTable(StatementContext& context, StructType schema,
                                    const std::vector<std::string>& partition_by, const plan::Options& properties);

/// Names of the table features that a schema and properties ask for, implied ones left to WithFeatures.
std::vector<std::string> RequiredFeatures(const StructType& schema, const StringMap& configuration);

/// The legacy protocol of a table without any wish: reader 1, writer 2.
Protocol DefaultProtocol();

}  // namespace merganser
