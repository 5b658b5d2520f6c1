#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <duckdb.hpp>
#include <duckdb/common/multi_file/multi_file_list.hpp>
#include <duckdb/planner/table_filter.hpp>

#include "merganser/engine/scan/scan_source.h"

namespace merganser::engine {

/// The files of a ScanSource that a scan has not ruled out, in order.
class ScanFileList final : public duckdb::MultiFileList {
 public:
  /// All files that the source's key sets do not rule out.
  explicit ScanFileList(std::shared_ptr<const ScanSource> source);

  const std::shared_ptr<const ScanSource>& source() const { return source_; }
  /// Position in the source of the i-th file of this list.
  size_t file_index(duckdb::idx_t i) const { return kept_[i]; }
  const ScanFile& file(duckdb::idx_t i) const { return source_->files[kept_[i]]; }

  /// Rows that a scan of the list gives, if all files have counts and none is read in part by
  /// choice.
  std::optional<duckdb::idx_t> ExactRowCount() const;

  duckdb::unique_ptr<duckdb::MultiFileList> DynamicFilterPushdown(
      duckdb::ClientContext& context, const duckdb::MultiFileOptions& options,
      const duckdb::vector<duckdb::string>& names, const duckdb::vector<duckdb::LogicalType>& types,
      const duckdb::vector<duckdb::column_t>& column_ids,
      duckdb::TableFilterSet& filters) const override;
  duckdb::vector<duckdb::OpenFileInfo> GetAllFiles() const override;
  duckdb::FileExpandResult GetExpandResult() const override;
  duckdb::idx_t GetTotalFileCount() const override { return kept_.size(); }
  duckdb::unique_ptr<duckdb::NodeStatistics> GetCardinality(
      duckdb::ClientContext& context) const override;
  duckdb::unique_ptr<duckdb::MultiFileList> Copy() const override;

 protected:
  duckdb::OpenFileInfo GetFile(duckdb::idx_t i) const override;

 private:
  ScanFileList(std::shared_ptr<const ScanSource> source, std::vector<size_t> kept)
      : source_(std::move(source)), kept_(std::move(kept)) {}
  bool MayMatchFile(duckdb::ClientContext& context, size_t index, duckdb::column_t column,
                    const duckdb::TableFilter& filter) const;

  std::shared_ptr<const ScanSource> source_;
  std::vector<size_t> kept_;
};

}  // namespace merganser::engine
