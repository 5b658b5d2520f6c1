#pragma once

#include <string>
#include <string_view>

#include "merganser/base/result.h"
#include "merganser/spark/catalog/warehouse.h"

namespace merganser {

/// The JSON documents in which a Warehouse keeps its entries.
std::string WriteTableRecord(const WarehouseEntry& entry);
/// Fails with MALFORMED_JSON or a schema error if the record is damaged.
Result<WarehouseEntry> ReadTableRecord(std::string_view text);

std::string WriteSchemaRecord(const SchemaEntry& schema);
/// Sets comment, properties and (where one was given) location.
Status ReadSchemaRecord(std::string_view text, SchemaEntry* schema);

}  // namespace merganser
