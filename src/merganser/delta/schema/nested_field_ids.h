#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "merganser/delta/schema/column_mapping.h"
#include "merganser/delta/schema/data_type.h"

namespace merganser {

/// Give ids above `mapped.max_column_id` to the elements of arrays and the keys and values of maps
/// that have none, at every level; every field then says which there are inside of it, if any
/// ("Writer Requirements for IcebergCompatV2" in PROTOCOL.md). Requires physical names.
MappedSchema AssignNestedFieldIds(MappedSchema mapped);

/// How an element, key or value inside of a field is called: the path of what holds it, which is
/// the field's physical name to begin with, and "element", "key" or "value".
std::string NestedFieldPath(std::string_view holder, std::string_view part);

/// Id of the element, key or value at `path` inside of `field`, if it has one.
std::optional<int64_t> NestedFieldId(const StructField& field, std::string_view path);

/// Largest id of an element, key or value that the field itself records; 0 if there is none.
int64_t MaxNestedFieldId(const StructField& field);

}  // namespace merganser
