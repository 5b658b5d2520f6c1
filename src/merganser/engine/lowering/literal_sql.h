#pragma once

#include <string>

#include "merganser/spark/plan/literal.h"

namespace merganser {

/// A literal as the engine's SQL, of engine type EngineType(literal.type).
std::string LiteralSqlText(const plan::Literal& literal);

}  // namespace merganser
