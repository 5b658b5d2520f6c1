#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/schema/data_type.h"

namespace merganser {

/// How columns are found in data files ("Column Mapping" in PROTOCOL.md).
enum class ColumnMappingMode : uint8_t {
  kNone,
  kId,    ///< By Parquet field id.
  kName,  ///< By physical name.
};

inline constexpr std::string_view kColumnMappingIdKey = "delta.columnMapping.id";
inline constexpr std::string_view kColumnMappingPhysicalNameKey =
    "delta.columnMapping.physicalName";
/// Ids of the elements, keys and values inside of a field (see AssignNestedFieldIds).
inline constexpr std::string_view kColumnMappingNestedIdsKey = "delta.columnMapping.nested.ids";

std::string_view ToString(ColumnMappingMode mode);
/// Reads "none", "id" and "name" in any case.
std::optional<ColumnMappingMode> ParseColumnMappingMode(std::string_view text);

/// Name of the field in data files, statistics and partition values: its physical name if it has
/// one and columns are mapped, else its name.
std::string PhysicalName(const StructField& field, ColumnMappingMode mode);
/// The field's id, if it has one.
std::optional<int64_t> FieldId(const StructField& field);

/// The schema with physical names instead of names, at every level. Types and metadata stay.
StructType ToPhysicalSchema(const StructType& schema, ColumnMappingMode mode);

/// A schema in which every field has an id and a physical name.
struct MappedSchema {
  StructType schema;
  int64_t max_column_id = 0;  ///< For `delta.columnMapping.maxColumnId`.
};

/// How a field without a physical name gets one.
enum class PhysicalNaming : uint8_t {
  kUnique,   ///< "col-<uuid>": new tables, and columns added to a mapped table.
  kDisplay,  ///< The field's own name: columns of a table that is switched to mapping, whose files
             ///< have it.
};

/// Give ids above `max_column_id` and physical names to the fields that lack them, at every level.
/// `new_uuid` makes the random part of a name.
MappedSchema AssignColumnMapping(const StructType& schema, int64_t max_column_id,
                                 PhysicalNaming naming,
                                 const std::function<std::string()>& new_uuid);

/// `schema`, which replaces `replaced`, with the ids and physical names of the fields that stay:
/// those at the same place, in any case, of the same type, in which parts may become nullable. What
/// such a field says of itself counts more.
StructType KeepColumnMapping(const StructType& schema, const StructType& replaced);

/// Largest id in the schema, those of elements, keys and values included; 0 if there is none.
int64_t MaxColumnId(const StructType& schema);

/// The schema without ids and physical names, at every level.
StructType DropColumnMapping(const StructType& schema);

}  // namespace merganser
