#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "merganser/arrow/batch.h"
#include "merganser/base/result.h"
#include "merganser/delta/schema/data_type.h"
#include "merganser/engine/connection.h"
#include "merganser/engine/result_stream.h"

namespace merganser {

/// Rows that a statement gives, in batches. A statement without a result has no columns and no
/// rows.
///
/// `schema` has Spark's names and types; the batches' own column names mean nothing. Layouts of the
/// batches are those of engine::ResultStream.
class ResultSet {
 public:
  /// No columns, no rows.
  ResultSet() = default;
  ResultSet(StructType schema, std::shared_ptr<engine::Connection> connection,
            std::unique_ptr<engine::ResultStream> stream)
      : schema_(std::move(schema)),
        connection_(std::move(connection)),
        stream_(std::move(stream)) {}

  const StructType& schema() const { return schema_; }
  /// The Arrow schema that every batch follows. Requires a schema with columns.
  Result<ArrowSchemaOwner> ExportSchema() const { return stream_->ExportSchema(); }
  /// The next batch; no value at the end. Fails with the statement's run-time errors.
  Result<std::optional<ArrowBatch>> Next();

  /// The connection that the rows come from, for Interrupt and progress; null for a result without
  /// rows.
  const std::shared_ptr<engine::Connection>& connection() const { return connection_; }

 private:
  StructType schema_;
  // Before the stream: the stream must go first.
  std::shared_ptr<engine::Connection> connection_;
  std::unique_ptr<engine::ResultStream> stream_;
};

}  // namespace merganser
