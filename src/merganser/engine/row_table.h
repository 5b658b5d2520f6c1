#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/arrow/batch.h"
#include "merganser/arrow/column.h"
#include "merganser/base/result.h"
#include "merganser/delta/schema/data_type.h"

namespace merganser::engine {

/// A small result held in memory, read by row and column number (0-based).
class RowTable {
 public:
  /// Fails with INTERNAL_ERROR if the batches do not follow `arrow_schema` and `schema`.
  static Result<RowTable> Make(StructType schema, ArrowSchemaOwner arrow_schema,
                               std::vector<ArrowBatch> batches);

  int64_t num_rows() const { return num_rows_; }
  size_t num_columns() const { return schema_.size(); }
  const StructType& schema() const { return schema_; }

  bool IsNull(int64_t row, size_t column) const;
  // Each accessor requires a non-NULL value of a fitting type; see ArrowColumn.
  int64_t Int64(int64_t row, size_t column) const;
  bool Bool(int64_t row, size_t column) const;
  double Double(int64_t row, size_t column) const;
  std::string String(int64_t row, size_t column) const;
  /// Bytes of a BINARY or STRING; valid as long as this table.
  std::string_view Blob(int64_t row, size_t column) const;
  /// The value as JSON text, whatever its type (AppendJsonValue).
  std::string Json(int64_t row, size_t column) const;

 private:
  struct Part {
    int64_t first_row;
    ArrowBatch batch;
    std::vector<ArrowColumn> columns;
  };
  RowTable() = default;
  const Part& Find(int64_t row) const;

  StructType schema_;
  std::shared_ptr<ArrowSchemaOwner> arrow_schema_;
  std::vector<std::unique_ptr<Part>> parts_;
  int64_t num_rows_ = 0;
};

}  // namespace merganser::engine
