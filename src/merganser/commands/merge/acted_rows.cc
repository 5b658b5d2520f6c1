#include "merganser/commands/merge/acted_rows.h"

#include <fmt/format.h>

#include "merganser/arrow/column.h"
#include "merganser/commands/merge/match_phase.h"

namespace merganser {

Result<ActedRows> ReadActedRows(StatementContext& context, size_t files) {
  ActedRows rows{.acted = std::vector<DeletionVector>(files)};
  // Rows that match without an action; they count as occurrences.
  std::vector<DeletionVector> idle(files);
  std::vector<uint64_t> occurrences(files);
  MERGANSER_ASSIGN_OR_RETURN(
      const auto stream,
      context.connection->Query(fmt::format(
          "SELECT f, r, CAST(c >= 0 AS BIGINT) AS acts FROM {} WHERE r IS NOT NULL", kActions)));
  MERGANSER_ASSIGN_OR_RETURN(const ArrowSchemaOwner schema, stream->ExportSchema());
  std::vector<uint64_t> run;
  for (;;) {
    MERGANSER_ASSIGN_OR_RETURN(const auto batch, stream->Next());
    if (!batch) break;
    const auto column = [&](int i) {
      return ArrowColumn::Make(*schema.get().children[i], batch->column(i), DataType::Long());
    };
    MERGANSER_ASSIGN_OR_RETURN(const ArrowColumn file, column(0));
    MERGANSER_ASSIGN_OR_RETURN(const ArrowColumn row, column(1));
    MERGANSER_ASSIGN_OR_RETURN(const ArrowColumn acts, column(2));
    for (int64_t i = 0; i < batch->num_rows();) {
      const int64_t index = file.Int64(i);
      const int64_t act = acts.Int64(i);
      run.clear();
      for (; i < batch->num_rows() && file.Int64(i) == index && acts.Int64(i) == act; ++i)
        run.push_back(static_cast<uint64_t>(row.Int64(i)));
      occurrences[static_cast<size_t>(index)] += run.size();
      (act != 0 ? rows.acted : idle)[static_cast<size_t>(index)].AddMany(run);
    }
  }
  for (size_t i = 0; i < files; ++i) {
    rows.has_duplicates |= rows.acted[i].cardinality() + idle[i].cardinality() != occurrences[i] ||
                           rows.acted[i].Intersects(idle[i]);
  }
  return rows;
}

}  // namespace merganser
