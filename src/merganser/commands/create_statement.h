#pragma once

#include <string>

#include "merganser/delta/schema/data_type.h"
#include "merganser/spark/catalog/table_catalog.h"

namespace merganser {

/// The statement that would make a table of files, or a view, again: what SHOW CREATE TABLE gives.
std::string CreateStatement(const CatalogEntry& entry, const StructType& schema);

}  // namespace merganser
