#include "merganser/commands/statement_scans.h"

#include <utility>

#include <fmt/format.h>

#include "merganser/commands/change_feed_scan.h"
#include "merganser/commands/file_metadata_scan.h"
#include "merganser/commands/file_scan.h"
#include "merganser/delta/deletion_vector/deletion_vector_storage.h"
#include "merganser/delta/protocol/data_path.h"
#include "merganser/delta/protocol/statistics.h"

namespace merganser {

namespace {

template <typename Files>
Result<std::shared_ptr<engine::ScanSource>> SourceOf(const Snapshot& snapshot, const Files& files) {
  auto source = std::make_shared<engine::ScanSource>();
  source->schema = snapshot.schema();
  source->column_mapping = snapshot.column_mapping_mode();
  source->files.reserve(files.size());
  for (const auto& file : files) {
    MERGANSER_ASSIGN_OR_RETURN(engine::ScanFile scan, ScanFileOf(snapshot, file));
    source->files.push_back(std::move(scan));
  }
  return source;
}

}  // namespace

Result<engine::ScanFile> ScanFileOf(const Snapshot& snapshot, const FileView& file) {
  return ScanFileOf(snapshot, file.ToAddFile());
}

Result<engine::ScanFile> ScanFileOf(const Snapshot& snapshot, AddFile add) {
  engine::ScanFile scan;
  MERGANSER_ASSIGN_OR_RETURN(scan.path, DataFilePath(snapshot.path(), add.path));
  scan.size = add.size;
  scan.constants = std::move(add.partition_values);
  scan.statistics = std::move(add.stats).value_or("");
  scan.num_records = ParseNumRecords(scan.statistics).value_or(-1);
  if (add.deletion_vector) {
    scan.num_deleted = add.deletion_vector->cardinality;
    scan.deleted_rows = [table = snapshot.table(), descriptor = *std::move(add.deletion_vector)]()
        -> Result<std::shared_ptr<const DeletionVector>> {
      MERGANSER_ASSIGN_OR_RETURN(DeletionVector rows,
                                 ReadDeletionVector(*table.file_system, table.path, descriptor));
      return std::make_shared<const DeletionVector>(std::move(rows));
    };
  }
  return scan;
}

Result<std::shared_ptr<engine::ScanSource>> ScanSourceOf(const Snapshot& snapshot) {
  return ScanSourceOf(snapshot, snapshot.files().Files());
}

Result<std::shared_ptr<engine::ScanSource>> ScanSourceOf(const Snapshot& snapshot,
                                                         const std::vector<FileView>& files) {
  return SourceOf(snapshot, files);
}

Result<std::shared_ptr<engine::ScanSource>> ScanSourceOf(const Snapshot& snapshot,
                                                         const std::vector<AddFile>& files) {
  return SourceOf(snapshot, files);
}

std::string StatementScans::Register(engine::KeptRows rows) {
  kept_rows_.push_back(std::move(rows));
  return kept_rows_.back().sql();
}

std::string StatementScans::Register(std::shared_ptr<const engine::ScanSource> source) {
  if (source->schema.empty()) {
    // A table without columns has no rows; the engine's scan wants at least one.
    return fmt::format(
        "(SELECT CAST(NULL AS UBIGINT) AS {}, CAST(NULL AS BIGINT) AS {} WHERE FALSE)",
        engine::kFileIndexColumn, engine::kFileRowNumberColumn);
  }
  handles_.push_back(engine::RegisterScan(std::move(source)));
  return handles_.back().sql();
}

Result<std::string> StatementScans::ScanChanges(const BoundTableChanges& changes) {
  MERGANSER_ASSIGN_OR_RETURN(const FileLocation table,
                             context_.catalog.file_systems().Resolve(changes.table_path));
  MERGANSER_ASSIGN_OR_RETURN(const SnapshotRef latest, context_.catalog.snapshots().Latest(table));
  if (latest == nullptr)
    return Error(ErrorClass::DELTA_MISSING_DELTA_TABLE, {{"tableName", table.uri}});
  MERGANSER_ASSIGN_OR_RETURN(auto source, ChangeFeedSource(*latest, Version(changes.start_version),
                                                           Version(changes.end_version)));
  return Register(std::move(source));
}

LoweringContext StatementScans::lowering() {
  LoweringContext lowering;
  lowering.ansi = context_.conf.ansi_enabled();
  lowering.session_time_zone = context_.conf.session_time_zone();
  lowering.scan = [this](const BoundScan& scan) -> Result<std::string> {
    if (scan.snapshot->schema().empty()) {
      return Error(ErrorClass::DELTA_READ_TABLE_WITHOUT_COLUMNS,
                   {{"tableName", scan.snapshot->table().uri}});
    }
    if (scan.files != nullptr) {
      MERGANSER_ASSIGN_OR_RETURN(auto source, ScanSourceOf(*scan.snapshot, *scan.files));
      return Register(std::move(source));
    }
    const std::vector<FileView> files = scan.snapshot->files().Files();
    MERGANSER_ASSIGN_OR_RETURN(auto source, ScanSourceOf(*scan.snapshot, files));
    if (!scan.file_metadata) return Register(std::move(source));
    const auto tracking = FindRowTrackingColumns(scan.snapshot->properties());
    AddFileMetadata(files, tracking, *source);
    return WithFileMetadata(Register(std::move(source)), *scan.snapshot, tracking);
  };
  lowering.table_changes = [this](const BoundTableChanges& changes) {
    return ScanChanges(changes);
  };
  lowering.file_scan = [this](const BoundFileScan& scan, const std::vector<BoundColumn>& columns) {
    return FileScanSql(*this, scan, columns);
  };
  return lowering;
}

}  // namespace merganser
