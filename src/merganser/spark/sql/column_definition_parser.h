#pragma once

#include <string_view>
#include <vector>

#include "merganser/spark/plan/command.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// A column of CREATE TABLE: name, type, NOT NULL, DEFAULT, GENERATED, COMMENT and constraints in
/// any order. Constraints are read past; `has_constraints` is set if there is one.
///
/// Fails with CREATE_TABLE_COLUMN_DESCRIPTOR_DUPLICATE, GENERATED_COLUMN_WITH_DEFAULT_VALUE,
/// IDENTITY_COLUMN_WITH_DEFAULT_VALUE, IDENTITY_COLUMNS_ILLEGAL_STEP and
/// IDENTITY_COLUMNS_DUPLICATED_SEQUENCE_GENERATOR_OPTION.
Result<plan::ColumnDefinition> ParseTableColumn(TokenStream& in, bool* has_constraints);

/// Does a table constraint (CONSTRAINT, CHECK, PRIMARY KEY, ...) stand at the cursor?
bool PeekTableConstraint(const TokenStream& in);

/// Read past `[CONSTRAINT name]` and a CHECK, PRIMARY KEY, UNIQUE, FOREIGN KEY or REFERENCES.
Status ParseTableConstraint(TokenStream& in);
/// Read past the key behind a constraint's name: `PRIMARY KEY (...)`, `UNIQUE (...)`, `FOREIGN KEY
/// (...) REFERENCES ...`; of a column, without the first list.
Status ParseKeyConstraint(TokenStream& in);
/// Read past ENFORCED, RELY and their like behind a constraint, which change nothing here.
void SkipCharacteristics(TokenStream& in);

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
