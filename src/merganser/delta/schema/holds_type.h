#pragma once

#include "merganser/delta/schema/data_type.h"

namespace merganser {

/// True if `type` is of kind `id`, or an element, key, value or field of it is, at any depth.
bool HoldsType(const DataType& type, TypeId id);

}  // namespace merganser
