#include "merganser/commands/result_set.h"

namespace merganser {

Result<std::optional<ArrowBatch>> ResultSet::Next() {
  if (stream_ == nullptr) return std::optional<ArrowBatch>();
  return stream_->Next();
}

}  // namespace merganser
