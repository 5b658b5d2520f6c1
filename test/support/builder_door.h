#pragma once

#include <optional>
#include <string>

#include "merganser/api/merge_builder.h"
#include "merganser/session/session.h"

namespace merganser::test {

/// A MERGE statement as the calls of DeltaTable and MergeBuilder that say the same; nothing if
/// they cannot: WITH clauses, views as targets, `* EXCEPT`, DEFAULT as a value, a column twice,
/// a target that is no Delta table by name, text that is no MERGE.
std::optional<MergeBuilder> AsBuilder(Session& session, const std::string& merge);

/// The class that the builder reports where the statement's text is refused with `sql_class`
/// (spec/merge.md 2.1).
std::string BuilderClass(const std::string& sql_class);

}  // namespace merganser::test
