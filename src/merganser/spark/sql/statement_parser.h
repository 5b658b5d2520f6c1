#pragma once

#include <variant>

#include "merganser/spark/plan/command.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// A query or command, chosen by its first words. Does not look at what follows it.
Result<std::variant<plan::RelationPtr, plan::Command>> ParseStatementBody(TokenStream& in);

}  // namespace merganser
