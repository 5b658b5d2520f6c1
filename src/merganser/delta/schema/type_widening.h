#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/schema/data_type.h"

namespace merganser {

/// Metadata key of the changes of type that a column went through.
inline constexpr std::string_view kTypeChangesKey = "delta.typeChanges";

/// Whether files with values of type `from` can be read as `to` ("Type Widening" in PROTOCOL.md).
/// True for equal types.
bool IsTypeChangeSupported(const DataType& from, const DataType& to);

/// A change of type that a column went through.
struct TypeChange {
  std::vector<std::string> path;  ///< Of the field; of what is inside of it too, as recorded.
  DataType from;
  DataType to;
};

/// The recorded changes of every field, in the order of the schema. Fails with
/// DELTA_SCHEMA_CORRUPTED for a record that cannot be read.
Result<std::vector<TypeChange>> RecordedTypeChanges(const StructType& schema);

/// Check the recorded changes of every field. Fails with DELTA_UNSUPPORTED_TYPE_CHANGE_IN_SCHEMA
/// for one that the protocol does not allow, DELTA_SCHEMA_CORRUPTED for a record that cannot be
/// read.
Status CheckTypeChanges(const StructType& schema);

}  // namespace merganser
