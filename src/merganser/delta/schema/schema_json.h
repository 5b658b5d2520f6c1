#pragma once

#include <string>
#include <string_view>

#include "merganser/base/result.h"
#include "merganser/delta/schema/data_type.h"

namespace merganser {

/// Read a table schema ("Schema Serialization Format" in PROTOCOL.md). Field metadata is kept as it
/// is; CHAR and VARCHAR columns are STRING with Spark's metadata, see DeclaredType in
/// char_varchar.h.
///
/// Fails with DELTA_SCHEMA_CORRUPTED if the text is no schema, and as ParseTypeName does for a type
/// that this build does not know.
Result<StructType> ParseSchemaJson(std::string_view json);

/// One type in the form that fields have: a name such as "long", or an object.
Result<DataType> ParseTypeJson(std::string_view json);

/// The metadata of a field, one JSON object. Fails with DELTA_SCHEMA_CORRUPTED.
Result<FieldMetadata> ParseFieldMetadata(std::string_view json);

/// The schema as Spark writes it, in one line. A CHAR or VARCHAR field is written as Spark does:
/// STRING with the declared type in its metadata.
std::string ToSchemaJson(const StructType& schema);
std::string ToTypeJson(const DataType& type);

}  // namespace merganser
