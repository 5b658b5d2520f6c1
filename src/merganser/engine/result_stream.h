#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "merganser/arrow/batch.h"
#include "merganser/base/result.h"
#include "merganser/delta/schema/data_type.h"

namespace merganser::engine {

/// Rows of a running query, in batches, in Arrow's C data interface.
///
/// Layouts: 32-bit offsets for strings, binaries and lists, bits for booleans, decimal128,
/// microsecond timestamps ("UTC" for TIMESTAMP). Intervals and VARIANT arrive as they are carried:
/// INT32 months, INT64 microseconds, JSON text.
class ResultStream {
 public:
  ~ResultStream();
  ResultStream(const ResultStream&) = delete;
  ResultStream& operator=(const ResultStream&) = delete;

  /// Column names and the types that the engine sees; the statement's own Spark types (intervals,
  /// VOID, CHAR) are known to whoever made the SQL.
  const StructType& schema() const { return schema_; }

  /// A fresh copy of the struct schema that every batch follows.
  Result<ArrowSchemaOwner> ExportSchema() const;

  /// The next batch, never an empty one; no value at the end. Fails as Connection's statements do,
  /// after which the stream is at its end.
  Result<std::optional<ArrowBatch>> Next();

  struct Native;
  ResultStream(std::unique_ptr<Native> native, StructType schema);

 private:
  std::unique_ptr<Native> native_;
  StructType schema_;
};

}  // namespace merganser::engine
