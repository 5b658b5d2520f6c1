#pragma once

#include <string>

#include "merganser/delta/schema/data_type.h"

namespace merganser {

/// The schema as Spark's printSchema draws it: a line a field, nested ones further in.
std::string TreeText(const StructType& schema);

}  // namespace merganser
