#pragma once

#include <string_view>

#include "merganser/delta/schema/data_type.h"

namespace merganser {

/// Key under which Spark keeps the declared type of a column that holds CHAR or VARCHAR.
inline constexpr std::string_view kCharVarcharTypeKey = "__CHAR_VARCHAR_TYPE_STRING";

/// The field as it is stored: STRING for CHAR and VARCHAR at every level, the declared type in its
/// metadata. Unchanged if there is neither.
StructField WithStringsForCharVarchar(const StructField& field);

/// The type a column was declared with: CHAR(n) or VARCHAR(n) where the metadata says so, also
/// inside arrays, maps and structs; else the field's type.
DataType DeclaredType(const StructField& field);

}  // namespace merganser
