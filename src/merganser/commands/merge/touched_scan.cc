#include "merganser/commands/merge/touched_scan.h"

#include <utility>

#include "merganser/commands/row_tracking_scan.h"
#include "merganser/commands/statement_scans.h"

namespace merganser {
namespace {

using SharedRows = std::shared_ptr<const DeletionVector>;

Result<std::shared_ptr<engine::ScanSource>> ScanTouched(const BoundMerge& merge,
                                                        const MatchResult& match,
                                                        const RowExtras& extras) {
  std::vector<FileView> views;
  for (const TouchedFile& touched : match.files) views.push_back(touched.file);
  MERGANSER_ASSIGN_OR_RETURN(auto source, ScanSourceOf(*merge.snapshot, views));
  if (extras.tracking) AddRowTracking(views, *extras.tracking, *source);
  for (size_t i = 0; i < views.size(); ++i) source->files[i].number = match.files[i].number;
  return source;
}

void Select(SharedRows rows, engine::ScanFile& file) {
  if (file.num_records >= 0)
    file.num_deleted = file.num_records - static_cast<int64_t>(rows->cardinality());
  file.selected_rows = [rows = std::move(rows)] { return rows; };
}

}  // namespace

Result<std::shared_ptr<engine::ScanSource>> ScanActed(const BoundMerge& merge,
                                                      const MatchResult& match,
                                                      const RowExtras& extras) {
  MERGANSER_ASSIGN_OR_RETURN(auto source, ScanTouched(merge, match, extras));
  for (size_t i = 0; i < match.files.size(); ++i) Select(match.files[i].rows, source->files[i]);
  return source;
}

Result<std::shared_ptr<engine::ScanSource>> ScanCopied(const BoundMerge& merge,
                                                       const MatchResult& match,
                                                       const RowExtras& extras,
                                                       std::vector<DeletionVector> taken) {
  MERGANSER_ASSIGN_OR_RETURN(auto source, ScanTouched(merge, match, extras));
  for (size_t i = 0; i < match.files.size(); ++i) {
    engine::ScanFile& file = source->files[i];
    auto gone = std::make_shared<DeletionVector>(std::move(taken[i]));
    gone->Merge(*match.files[i].rows);
    file.num_deleted += static_cast<int64_t>(gone->cardinality());
    file.deleted_rows = [gone, old = std::move(file.deleted_rows)]() -> Result<SharedRows> {
      if (!old) return SharedRows(gone);
      MERGANSER_ASSIGN_OR_RETURN(const SharedRows before, old());
      auto all = std::make_shared<DeletionVector>(*gone);
      all->Merge(*before);
      return SharedRows(std::move(all));
    };
  }
  return source;
}

Result<std::shared_ptr<engine::ScanSource>> ScanRows(const BoundMerge& merge,
                                                     const MatchResult& match,
                                                     std::vector<DeletionVector> wanted) {
  MERGANSER_ASSIGN_OR_RETURN(auto source, ScanTouched(merge, match, {}));
  for (size_t i = 0; i < match.files.size(); ++i)
    Select(std::make_shared<const DeletionVector>(std::move(wanted[i])), source->files[i]);
  return source;
}

}  // namespace merganser
