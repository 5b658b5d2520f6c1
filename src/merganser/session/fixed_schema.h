#pragma once

#include <optional>

#include "merganser/delta/schema/data_type.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// The columns of a command's answer where the kind of the command alone decides them; nullopt for
/// those that only look (DESCRIBE, SHOW, EXPLAIN, SET), which may be run to see.
std::optional<StructType> FixedSchemaOf(const plan::Command& command);

}  // namespace merganser
