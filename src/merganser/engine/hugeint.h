#pragma once

#include <duckdb.hpp>

#include "merganser/delta/schema/scalar.h"

namespace merganser::engine {

/// The engine's 128-bit integer, which also holds unscaled decimals, as the compiler's.
inline Int128 ToInt128(duckdb::hugeint_t value) {
  return (static_cast<Int128>(value.upper) << 64) | static_cast<Int128>(value.lower);
}

inline duckdb::hugeint_t ToHugeint(Int128 value) {
  duckdb::hugeint_t out;
  out.lower = static_cast<uint64_t>(value);
  out.upper = static_cast<int64_t>(value >> 64);
  return out;
}

}  // namespace merganser::engine
