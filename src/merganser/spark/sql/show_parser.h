#pragma once

#include "merganser/spark/plan/command.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// SHOW TABLES, SCHEMAS, CATALOGS, VIEWS, COLUMNS, PARTITIONS, TBLPROPERTIES, CREATE TABLE,
/// FUNCTIONS or CURRENT SCHEMA.
Result<plan::Show> ParseShow(TokenStream& in);

}  // namespace merganser
