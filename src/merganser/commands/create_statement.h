#pragma once

#include <string>

#include "merganser/commands/target_table.h"

namespace merganser {

/// CREATE TABLE text that makes a table like this one, as SHOW CREATE TABLE gives it.
std::string CreateStatement(const TargetTable& target);

}  // namespace merganser
