#include "merganser/commands/alter/row_tracking_backfill.h"

#include <utility>

#include "merganser/base/json.h"
#include "merganser/commands/commit.h"
#include "merganser/commands/table_definition.h"
#include "merganser/delta/protocol/table_features.h"

namespace merganser {
namespace {

Json ListOf(const std::optional<std::vector<std::string>>& names) {
  if (!names) return Json();
  Json list = Json::MakeArray();
  for (const std::string& name : *names) list.Append(name);
  return list;
}

/// The commit that makes the feature supported.
Result<SnapshotRef> Support(StatementContext& context, const SnapshotRef& snapshot) {
  MERGANSER_ASSIGN_OR_RETURN(
      const Protocol protocol,
      WithFeatures(snapshot->protocol(), std::vector<std::string>{"rowTracking"}));
  MERGANSER_ASSIGN_OR_RETURN(Transaction transaction,
                             Transaction::Start(snapshot, context.transaction_options()));
  transaction.SetProtocol(protocol);
  Metadata metadata = snapshot->metadata();
  NameRowTrackingColumns(metadata.configuration);
  transaction.SetMetadata(std::move(metadata));
  Json json = Json::MakeObject();
  json["minReaderVersion"] = int64_t{protocol.min_reader_version};
  json["minWriterVersion"] = int64_t{protocol.min_writer_version};
  json["readerFeatures"] = ListOf(protocol.reader_features);
  json["writerFeatures"] = ListOf(protocol.writer_features);
  Operation operation;
  operation.name = "UPGRADE PROTOCOL";
  operation.Encoded("newProtocol", json.Dump());
  auto committed = CommitStatement(context, std::move(transaction), std::move(operation));
  if (!committed.ok()) return std::move(committed).error();
  return context.catalog.snapshots().Latest(snapshot->table());
}

}  // namespace

Status BackfillRowTracking(StatementContext& context, SnapshotRef snapshot) {
  if (!snapshot->Supports("rowTracking")) {
    MERGANSER_ASSIGN_OR_RETURN(snapshot, Support(context, snapshot));
  }
  MERGANSER_ASSIGN_OR_RETURN(Transaction transaction,
                             Transaction::Start(snapshot, context.transaction_options()));
  for (const FileView& file : snapshot->files().Files()) {
    if (file.base_row_id()) continue;
    AddFile add = file.ToAddFile();
    add.data_change = false;
    transaction.ReadFile(std::string(file.path()));
    transaction.Add(std::move(add));
  }
  if (!transaction.has_changes()) return Status::Ok();
  Operation operation;
  operation.name = "ROW TRACKING BACKFILL";
  operation.Encoded("batchId", "0");
  auto committed = CommitStatement(context, std::move(transaction), std::move(operation));
  return committed.ok() ? Status::Ok() : Status(std::move(committed).error());
}

}  // namespace merganser
