#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/schema/data_type.h"

namespace merganser {

/// A field of a schema that a statement names: columns and fields of structs by name, parts of
/// arrays and maps as `element`, `key` and `value`.
struct SchemaPlace {
  std::vector<std::string> path;  ///< As the schema spells it.
  StructField field;  ///< Of an array or map: a field with the part's name, type and nullability.
  /// True if `field` is a part of an array or map.
  bool is_part = false;
};

/// Find a field; nothing if there is none.
std::optional<SchemaPlace> FindInSchema(const StructType& schema, std::span<const std::string> path,
                                        bool case_sensitive);

/// Change the type at `path` (spelled as in the schema; empty: the whole row) by `edit`.
/// Fails as `edit`, and with INTERNAL_ERROR if there is nothing at the path.
Result<StructType> EditSchema(const StructType& schema, std::span<const std::string> path,
                              const std::function<Result<DataType>(const DataType&)>& edit);

/// The same for the fields of the struct at `path`.
Result<StructType> EditFields(const StructType& schema, std::span<const std::string> path,
                              const std::function<Status(std::vector<StructField>&)>& edit);

}  // namespace merganser
