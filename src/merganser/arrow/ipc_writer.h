#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "merganser/arrow/batch.h"
#include "merganser/base/result.h"
#include "merganser/delta/schema/data_type.h"

namespace merganser {

/// Writes rows as Arrow IPC streams, each with its schema, one record batch and an end, as Spark
/// Connect sends results.
///
/// Arrow's types follow from Spark's: TIMESTAMP has the session's time zone, a day-time interval is
/// a duration, a year-month interval an interval of months, VOID is null, a VARIANT a struct of its
/// binary value and metadata. Nothing is compressed or dictionary-encoded.
class IpcWriter {
 public:
  /// Value and metadata of a variant ("Variant Binary Encoding" of Apache Parquet) from its JSON
  /// text.
  using VariantEncoder = std::function<std::pair<std::string, std::string>(std::string_view json)>;

  static IpcWriter Make(const StructType& schema, const std::string& time_zone,
                        VariantEncoder encode_variant);

  /// The stream of `count` rows of `batch` from `first` on. `batch` is a struct array whose columns
  /// have the layouts of engine::ResultStream for the schema's types.
  std::string Write(const ArrowArray& batch, int64_t first, int64_t count) const;

  /// The stream of all rows of `batches`, one record batch each; of one without rows if there are
  /// none.
  std::string WriteAll(const std::vector<ArrowBatch>& batches) const;

  /// The stream of a batch without rows, or of `rows` rows without columns.
  std::string WriteEmpty(int64_t rows = 0) const;

 private:
  IpcWriter() = default;
  std::string BatchMessage(const ArrowArray& batch, int64_t first, int64_t count) const;

  StructType schema_;
  VariantEncoder encode_variant_;
  std::string schema_message_;
};

}  // namespace merganser
