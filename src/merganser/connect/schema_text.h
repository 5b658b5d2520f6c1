#pragma once

#include <string>
#include <string_view>

#include "merganser/base/result.h"
#include "merganser/delta/schema/data_type.h"
#include "merganser/spark/sql/parser.h"

namespace merganser::connect {

/// A schema as clients give it: Spark's JSON, or a list of columns (`a INT, b STRING`).
Result<StructType> ParseSchemaText(std::string_view text, const ParserOptions& parser = {});

/// DDL text as `ddl_parse` reads it: a list of columns; a data type, of which one that is no struct
/// becomes the type itself; or fields as in `struct<...>` (`a: INT`). Fails with the parser's error
/// about the first form.
Result<DataType> ParseDdlText(std::string_view text, const ParserOptions& parser);

/// A schema as `printSchema` draws it, to a depth of `levels` (0: all of it).
std::string TreeText(const StructType& schema, int levels);

}  // namespace merganser::connect
