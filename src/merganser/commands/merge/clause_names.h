#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "merganser/commands/merge/match_phase.h"
#include "merganser/spark/analysis/dml_binding.h"

namespace merganser {

/// The clause with that number (see ClauseNumbers).
const BoundClause& ClauseAt(const BoundMerge& merge, int number);
/// Its name in messages: "WHEN MATCHED #1", "WHEN NOT MATCHED BY SOURCE #2"; counted by family.
std::string ClauseName(const BoundMerge& merge, int number);
/// "update", "delete" or "insert".
std::string_view ActionName(plan::MergeActionKind action);
/// SQL: CASE over the clause numbers in the column `c`, giving `text` of each as a string literal.
std::string CaseOfClauses(const BoundMerge& merge, const std::function<std::string(int)>& text);

}  // namespace merganser
