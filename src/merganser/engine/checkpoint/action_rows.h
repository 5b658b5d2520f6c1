#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <duckdb.hpp>

#include "merganser/delta/protocol/action_visitor.h"
#include "merganser/engine/checkpoint/checkpoint_schema.h"

namespace merganser::engine {

/// Turns actions into rows of CheckpointSchema. Kinds outside the schema are passed over.
///
/// Throws through the engine what `flush` throws.
class ActionRows final : public ActionVisitor {
 public:
  using Flush = std::function<void(duckdb::DataChunk&)>;

  /// `flush` gets full chunks, and the rest in Finish; the chunk is its own during the call only.
  ActionRows(const CheckpointColumns& columns, Flush flush);

  using ActionVisitor::Visit;
  void Visit(const Protocol& action) override;
  void Visit(const Metadata& action) override;
  void Visit(const AddFile& action) override;
  void Visit(const RemoveFile& action) override;
  void Visit(const SetTransaction& action) override;
  void Visit(const DomainMetadata& action) override;
  void Visit(const CheckpointMetadata& action) override;
  void Visit(const Sidecar& action) override;
  void Finish();

  int64_t num_rows() const { return num_rows_; }

 private:
  /// Start a row of which only the column `name` is set. Null if the schema does not have it.
  duckdb::Vector* StartRow(std::string_view name);
  void EndRow();
  void SetParsedStatistics(duckdb::Vector& parsed, const DataType& type, const AddFile& action);

  CheckpointColumns columns_;
  StructType schema_;
  Flush flush_;
  duckdb::DataChunk chunk_;
  duckdb::idx_t row_ = 0;
  int64_t num_rows_ = 0;
};

}  // namespace merganser::engine
