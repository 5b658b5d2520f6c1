#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "merganser/arrow/batch.h"
#include "merganser/base/result.h"
#include "merganser/delta/schema/data_type.h"

namespace merganser {

/// Writes rows as Arrow IPC streams, each with its schema, one record batch and an end, as Spark
/// Connect sends results.
///
/// Arrow's types follow from Spark's: TIMESTAMP has the session's time zone, a day-time interval is
/// a duration, a year-month interval an interval of months, VOID is null. Nothing is compressed or
/// dictionary-encoded.
class IpcWriter {
 public:
  /// Fails with UNSUPPORTED_FEATURE for a type that cannot be sent (VARIANT).
  static Result<IpcWriter> Make(const StructType& schema, const std::string& time_zone);

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
  std::string schema_message_;
};

}  // namespace merganser
