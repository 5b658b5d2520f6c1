#pragma once

#include "merganser/delta/schema/data_type.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// The data type at the cursor. See ParseDataType(std::string_view) for the errors.
Result<DataType> ParseDataType(TokenStream& in);

/// `name type [NOT NULL] [COMMENT 'text']`; with `colon_allowed` also `name: type`, as in a struct.
Result<StructField> ParseField(TokenStream& in, bool colon_allowed);

/// Fields separated by commas.
Result<StructType> ParseFields(TokenStream& in, bool colon_allowed);

}  // namespace merganser
