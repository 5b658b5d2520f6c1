#pragma once

#include <cstdint>

namespace merganser {

/// What `spark.sql.storeAssignmentPolicy` says about values stored in a column of another type.
enum class StoreAssignmentPolicy : uint8_t {
  kAnsi,    ///< Casts the SQL standard allows; a value that does not fit is an error.
  kLegacy,  ///< Any cast; a value that does not fit becomes null or wraps.
  kStrict,  ///< Only casts that lose nothing.
};

}  // namespace merganser
