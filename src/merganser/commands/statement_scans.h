#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/delta/table/snapshot.h"
#include "merganser/engine/kept_rows.h"
#include "merganser/engine/lowering/lowering.h"
#include "merganser/engine/scan/scan_handle.h"

namespace merganser {

/// A data file of `snapshot` as the engine's scan reads it; its deletion vector is loaded when the
/// file is opened. Fails with DELTA_PATH_OUTSIDE_TABLE if the path leaves the table's folder.
Result<engine::ScanFile> ScanFileOf(const Snapshot& snapshot, const FileView& file);
Result<engine::ScanFile> ScanFileOf(const Snapshot& snapshot, AddFile file);

/// The files of `snapshot` (all of them, or those given) as a source for mg_scan.
Result<std::shared_ptr<engine::ScanSource>> ScanSourceOf(const Snapshot& snapshot);
Result<std::shared_ptr<engine::ScanSource>> ScanSourceOf(const Snapshot& snapshot,
                                                         const std::vector<FileView>& files);
/// Files that the snapshot need not have, with its columns.
Result<std::shared_ptr<engine::ScanSource>> ScanSourceOf(const Snapshot& snapshot,
                                                         const std::vector<AddFile>& files);

/// The scans of one statement: keeps what its SQL refers to readable until the statement has
/// started.
class StatementScans {
 public:
  explicit StatementScans(StatementContext& context) : context_(context) {}

  StatementContext& context() const { return context_; }
  /// What LowerRelation and LowerExpression need; valid as long as this object.
  LoweringContext lowering();
  /// Keep `source` readable; returns the table expression for FROM.
  std::string Register(std::shared_ptr<const engine::ScanSource> source);
  /// Keep `rows` readable; returns the table expression for FROM.
  std::string Register(engine::KeptRows rows);

 private:
  Result<std::string> ScanChanges(const BoundTableChanges& changes);

  StatementContext& context_;
  std::vector<engine::ScanHandle> handles_;
  std::vector<engine::KeptRows> kept_rows_;
};

}  // namespace merganser
