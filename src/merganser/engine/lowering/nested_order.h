#pragma once

#include <string>

#include "merganser/delta/schema/data_type.h"

/// Spark's order of structs and arrays: field by field, element by element, a NULL inside below
/// everything else. The engine has a NULL inside above everything else.
namespace merganser {

/// Do values of the type need a key to be ordered as in Spark?
bool NeedsOrderKey(const DataType& type);

/// SQL of a key that the engine orders as Spark orders `value` of `type`; NULL for NULL. `value`
/// itself if it needs none. `value` is evaluated once.
std::string OrderKeySql(const std::string& value, const DataType& type);

enum class ListOrder { kAscendingNullsFirst, kAscendingNullsLast, kDescendingNullsLast };

/// SQL of `list`, an array of elements of `element` type, sorted as in Spark.
std::string SortedListSql(const std::string& list, const DataType& element, ListOrder order);

}  // namespace merganser
