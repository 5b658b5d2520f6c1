#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/alter/table_change.h"

namespace merganser {

/// ADD COLUMNS. Fails with FIELD_ALREADY_EXISTS, FIELD_NOT_FOUND, DELTA_OPERATION_NOT_ALLOWED (NOT
/// NULL), WRONG_COLUMN_DEFAULTS_FOR_DELTA_ALTER_TABLE_ADD_COLUMN_NOT_SUPPORTED,
/// DELTA_ADD_COLUMN_PARENT_NOT_STRUCT.
Status AddColumns(TableChange change, const plan::AlterAddColumns& action);

/// DROP COLUMNS, of tables with column mapping. Fails with DELTA_UNSUPPORTED_DROP_COLUMN,
/// UNRESOLVED_COLUMN.*, DELTA_UNSUPPORTED_DROP_PARTITION_COLUMN,
/// DELTA_UNSUPPORTED_DROP_CLUSTERING_COLUMN, DELTA_DROP_COLUMN_ON_SINGLE_FIELD_SCHEMA, and as
/// CheckNothingDependsOn.
Status DropColumns(TableChange change, const plan::AlterDropColumns& action);

/// RENAME COLUMN, of tables with column mapping. Fails with DELTA_UNSUPPORTED_RENAME_COLUMN,
/// UNRESOLVED_COLUMN.*, FIELD_ALREADY_EXISTS, and as CheckNothingDependsOn.
Status RenameColumn(TableChange change, const plan::AlterRenameColumn& action);

/// REPLACE COLUMNS: order, comments, nullability and new columns may change, and what column
/// mapping and type widening allow. Fails with DELTA_UNSUPPORTED_ALTER_TABLE_REPLACE_COL_OP,
/// DELTA_AMBIGUOUS_DATA_TYPE_CHANGE and DELTA_IDENTITY_COLUMNS_REPLACE_COLUMN_NOT_SUPPORTED.
Status ReplaceColumns(TableChange change, const plan::AlterReplaceColumns& action);

}  // namespace merganser
