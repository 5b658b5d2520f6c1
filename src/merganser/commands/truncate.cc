#include "merganser/commands/truncate.h"

#include <utility>

#include "merganser/base/quoted_identifier.h"
#include "merganser/commands/commit.h"
#include "merganser/commands/file_tables.h"
#include "merganser/commands/row_replacement.h"
#include "merganser/commands/target_table.h"

namespace merganser {

Result<ResultSet> RunTruncate(StatementContext& context, const plan::TruncateTable& command) {
  const int64_t start = context.clock.NowMillis();
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const CatalogEntry entry, analyzer->FindTable(command.name));
  const auto* table = std::get_if<CatalogTable>(&entry);
  if (table == nullptr) {
    MERGANSER_ASSIGN_OR_RETURN(const auto parts, analyzer->NameParts(command.name));
    return Error(ErrorClass::EXPECT_TABLE_NOT_VIEW,
                 {{"viewName", QuotedIdentifier(parts)}, {"operation", "TRUNCATE TABLE"}},
                 "NO_ALTERNATIVE");
  }
  if (!table->is_delta()) {
    MERGANSER_RETURN_IF_ERROR(TruncateFiles(*table));
    return ResultSet();
  }
  if (command.has_partition) return Error(ErrorClass::DELTA_TRUNCATE_TABLE_PARTITION_NOT_SUPPORTED);
  MERGANSER_ASSIGN_OR_RETURN(const SnapshotRef snapshot,
                             SnapshotToChange(*analyzer, *table, command.name));
  MERGANSER_ASSIGN_OR_RETURN(Transaction transaction,
                             Transaction::Start(snapshot, context.transaction_options()));
  RowReplacement all = ReplaceAll(context, *snapshot, transaction);
  Operation operation;
  operation.name = "TRUNCATE";
  operation.Metric("numRemovedFiles", static_cast<int64_t>(all.removed.size()))
      .Metric("executionTimeMs", context.clock.NowMillis() - start);
  for (RemoveFile& file : all.removed) transaction.Remove(std::move(file));
  auto committed = CommitStatement(context, std::move(transaction), std::move(operation));
  if (!committed.ok()) return std::move(committed).error();
  return ResultSet();
}

}  // namespace merganser
