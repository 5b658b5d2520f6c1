#pragma once

#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/delta/schema/data_type.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// The schema that column definitions stand for: comments, defaults, generation expressions,
/// identity settings and the declared types of CHAR and VARCHAR become field metadata ("Column
/// Metadata", "Generated Columns", "Identity Columns", "Default Columns" in PROTOCOL.md).
/// `statement` names the command in messages.
///
/// Fails with COLUMN_ALREADY_EXISTS, INVALID_DEFAULT_VALUE.*,
/// DELTA_IDENTITY_COLUMNS_UNSUPPORTED_DATA_TYPE, DELTA_IDENTITY_COLUMNS_ILLEGAL_STEP,
/// DELTA_UNSUPPORTED_DATA_TYPES and DELTA_NESTED_NOT_NULL_CONSTRAINT.
Result<StructType> SchemaOfColumns(Analyzer& analyzer,
                                   const std::vector<plan::ColumnDefinition>& columns,
                                   const std::string& statement);

/// One column. Fails likewise.
Result<StructField> FieldOfColumn(Analyzer& analyzer, const plan::ColumnDefinition& column,
                                  const std::string& statement);

/// Set a field's default value, or remove it if `text` is empty.
/// Fails with INVALID_DEFAULT_VALUE.* if it is no constant of the column's type.
Status SetDefault(Analyzer& analyzer, StructField& field, const plan::ExpressionText* value,
                  const std::string& statement);

/// Fails with COLUMN_ALREADY_EXISTS if two columns, or two fields of a struct, have the same name
/// in any case.
Status CheckUniqueNames(const StructType& schema);

/// Fails with DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES for names that Parquet writers of other
/// engines refuse. Columns that are mapped may have any name.
Status CheckColumnNames(const StructType& schema);

/// Fails with DELTA_UNSUPPORTED_DATA_TYPES for types that Delta tables cannot hold.
Status CheckColumnTypes(const StructType& schema);

}  // namespace merganser
