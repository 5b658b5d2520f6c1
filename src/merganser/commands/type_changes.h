#pragma once

#include "merganser/delta/schema/data_type.h"

namespace merganser {

/// `after` with a record of each type that differs from `before`, in the metadata of the field that
/// holds it
/// ("Type Change Metadata" in PROTOCOL.md). Fields are matched by column mapping id where they have
/// one, else by name.
StructType WithTypeChanges(const StructType& before, const StructType& after);

/// Does a field of the schema, at any level, have such a record?
bool HasTypeChanges(const StructType& schema);

/// The schema without the records.
StructType WithoutTypeChanges(const StructType& schema);

}  // namespace merganser
