#include "merganser/commands/commit.h"

#include <utility>

#include "merganser/base/json.h"
#include "merganser/commands/manifest.h"

namespace merganser {

Result<CommitResult> CommitStatement(StatementContext& context, Transaction transaction,
                                     Operation operation, UncommittedFiles* files) {
  if (!context.conf.history_metrics_enabled()) operation.metrics.clear();
  auto committed = std::move(transaction).Commit(operation);
  if (files != nullptr) files->Settle(committed.ok() ? Status::Ok() : Status(committed.error()));
  if (!committed.ok() || committed->snapshot == nullptr) return committed;
  context.catalog.snapshots().Put(committed->snapshot);
  if (WantsManifest(*committed->snapshot)) {
    // The commit stands whatever becomes of the manifest.
    const Status written = WriteManifest(*committed->snapshot);
    if (!written.ok()) context.warn("The manifest was not written: " + written.error().message());
  }
  return committed;
}

std::string JsonList(const std::vector<std::string>& names) {
  Json json = Json::MakeArray();
  for (const std::string& name : names) json.Append(name);
  return json.Dump();
}

}  // namespace merganser
