#pragma once

#include <string_view>
#include <vector>

#include "merganser/spark/plan/command.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// A column of CREATE TABLE: name, type, NOT NULL, DEFAULT, GENERATED, COMMENT, CHECK in any order.
/// A CHECK goes to `constraints`.
///
/// Fails with CREATE_TABLE_COLUMN_DESCRIPTOR_DUPLICATE, GENERATED_COLUMN_WITH_DEFAULT_VALUE,
/// IDENTITY_COLUMN_WITH_DEFAULT_VALUE, IDENTITY_COLUMNS_ILLEGAL_STEP and
/// IDENTITY_COLUMNS_DUPLICATED_SEQUENCE_GENERATOR_OPTION.
Result<plan::ColumnDefinition> ParseTableColumn(TokenStream& in,
                                                std::vector<plan::TableConstraint>& constraints);

/// Does a table constraint (CONSTRAINT, CHECK, PRIMARY KEY, ...) stand at the cursor?
bool PeekTableConstraint(const TokenStream& in);

/// `[CONSTRAINT name] CHECK (condition)`; without a name the name is empty. Other constraints are
/// not supported.
Result<plan::TableConstraint> ParseTableConstraint(TokenStream& in);

/// Columns of ADD or REPLACE COLUMNS, separated by commas: a path, type, NOT NULL, DEFAULT,
/// COMMENT, FIRST or AFTER. `operation` is "ADD" or "REPLACE". Fails with
/// ALTER_TABLE_COLUMN_DESCRIPTOR_DUPLICATE.
Result<std::vector<plan::ColumnDefinition>> ParseAlterColumns(TokenStream& in,
                                                              std::string_view operation);

/// `FIRST` (gives "") or `AFTER name`; nullopt if neither stands at the cursor.
Result<std::optional<std::string>> ParseColumnPosition(TokenStream& in);

/// An expression with its text.
Result<plan::ExpressionText> ParseExpressionText(TokenStream& in);

}  // namespace merganser
