#include "merganser/engine/checkpoint/checkpoint_slices.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "merganser/engine/splice/data_file_footer.h"
#include "merganser/io/local_file_system.h"

namespace merganser::engine {
namespace {

/// Fewer rows are not worth a piece of their own. Whole vectors of the engine, so that none is cut.
constexpr uint64_t kSliceRows = uint64_t{32} * 2048;
/// A set of more rows would cost more than it spares, whatever the footer says.
constexpr uint64_t kMostRows = 50'000'000;

struct RowSpan {
  uint64_t begin;
  uint64_t end;
};

ScanFile Slice(const std::string& path, const std::vector<RowSpan>& ranges) {
  auto rows = std::make_shared<DeletionVector>();
  for (const RowSpan& range : ranges) rows->AddRange(range.begin, range.end);
  ScanFile file;
  file.path = path;
  file.selected_rows = [rows = std::shared_ptr<const DeletionVector>(std::move(rows))] {
    return rows;
  };
  return file;
}

}  // namespace

std::vector<ScanFile> CheckpointSlices(const std::string& path, const StructType& schema,
                                       size_t threads) {
  std::vector<ScanFile> whole = {ScanFile{.path = path}};
  LocalFileSystem local;
  const auto footer = DataFileFooter::Read(local, path);
  if (!footer.ok()) return whole;
  const auto& groups = footer->row_groups();
  std::vector<RowSpan> wanted;
  uint64_t num_wanted = 0;
  for (size_t group = 0; group < groups.size(); ++group) {
    const bool is_null = std::ranges::all_of(
        schema, [&](const StructField& column) { return footer->IsNull(column.name, group); });
    if (is_null) continue;
    const auto begin = static_cast<uint64_t>(groups[group].first_row);
    const auto num_rows = static_cast<uint64_t>(groups[group].num_rows);
    wanted.push_back({begin, begin + num_rows});
    num_wanted += num_rows;
  }
  if (groups.empty() || num_wanted > kMostRows) return whole;
  if (wanted.empty()) return {};
  if (wanted.size() >= threads || num_wanted < 2 * kSliceRows)
    return wanted.size() == groups.size() ? whole : std::vector<ScanFile>{Slice(path, wanted)};

  std::vector<ScanFile> slices;
  for (const RowSpan& range : wanted) {
    const uint64_t num_rows = range.end - range.begin;
    const uint64_t per_thread = (num_rows / threads / kSliceRows + 1) * kSliceRows;
    for (uint64_t begin = range.begin; begin < range.end; begin += per_thread)
      slices.push_back(Slice(path, {{begin, std::min(begin + per_thread, range.end)}}));
  }
  return slices;
}

}  // namespace merganser::engine
