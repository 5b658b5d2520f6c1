#include "merganser/commands/merge/touched_footers.h"

#include <string>
#include <utility>

#include "merganser/delta/protocol/data_path.h"
#include "merganser/delta/transaction/iceberg_compat.h"

namespace merganser {
namespace {

/// A file is held in memory while it is written.
constexpr int64_t kMaxSplicedBytes = 192 << 20;
/// Below this a footer costs about as much as the rows.
constexpr int64_t kMinSplicedBytes = 64 << 10;

/// Does the file hold what new files must beside the rows: partition columns, field ids inside of
/// lists and maps? Only a tag tells.
bool HoldsWhatIsAsked(const FileView& file, const WriteTarget& target) {
  const int version = target.properties.iceberg_compat_version();
  const bool stores_partitions =
      target.stores_partition_columns && !target.partition_columns.empty();
  if (version == 0 && !stores_partitions) return true;
  const auto tags = file.ToAddFile().tags.value_or(StringMap());
  const auto tag = tags.find(kIcebergCompatTag);
  return tag != tags.end() && tag->second == std::to_string(version);
}

}  // namespace

bool IsWorthSplicing(const FileView& file, const WriteTarget& target) {
  const auto path = DataFilePath(target.location.path, file.path());
  return path.ok() && path->starts_with(target.location.path + "/") &&
         file.size() <= kMaxSplicedBytes && file.size() >= kMinSplicedBytes &&
         HoldsWhatIsAsked(file, target);
}

Result<std::shared_ptr<const engine::DataFileFooter>> TouchedFooters::Read(size_t file) {
  auto& footer = footers_[file];
  if (footer) return footer;
  MERGANSER_ASSIGN_OR_RETURN(const std::string path,
                             DataFilePath(target_.location.path, match_.files[file].file.path()));
  MERGANSER_ASSIGN_OR_RETURN(engine::DataFileFooter read,
                             engine::DataFileFooter::Read(*target_.location.file_system, path));
  footer = std::make_shared<const engine::DataFileFooter>(std::move(read));
  return footer;
}

}  // namespace merganser
