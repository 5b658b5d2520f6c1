#include "merganser/commands/merge/clause_names.h"

#include <fmt/format.h>

#include "merganser/engine/sql_text.h"

namespace merganser {

const BoundClause& ClauseAt(const BoundMerge& merge, int number) {
  const ClauseNumbers numbers(merge);
  if (number < numbers.not_matched) return merge.matched[static_cast<size_t>(number)];
  if (number < numbers.not_matched_by_source)
    return merge.not_matched[static_cast<size_t>(number - numbers.not_matched)];
  return merge.not_matched_by_source[static_cast<size_t>(number - numbers.not_matched_by_source)];
}

std::string ClauseName(const BoundMerge& merge, int number) {
  const ClauseNumbers numbers(merge);
  if (number < numbers.not_matched) return fmt::format("WHEN MATCHED #{}", number + 1);
  if (number < numbers.not_matched_by_source)
    return fmt::format("WHEN NOT MATCHED #{}", number - numbers.not_matched + 1);
  return fmt::format("WHEN NOT MATCHED BY SOURCE #{}", number - numbers.not_matched_by_source + 1);
}

std::string_view ActionName(plan::MergeActionKind action) {
  switch (action) {
    case plan::MergeActionKind::kUpdate:
    case plan::MergeActionKind::kUpdateStar:
      return "update";
    case plan::MergeActionKind::kDelete:
      return "delete";
    case plan::MergeActionKind::kInsert:
    case plan::MergeActionKind::kInsertStar:
      return "insert";
  }
  return "";
}

std::string CaseOfClauses(const BoundMerge& merge, const std::function<std::string(int)>& text) {
  std::string sql = "CASE c";
  for (int number = 0; number < ClauseNumbers(merge).end; ++number)
    sql += fmt::format(" WHEN {} THEN {}", number, engine::QuoteString(text(number)));
  return sql + " END";
}

}  // namespace merganser
