#pragma once

#include <cstdint>
#include <string_view>

namespace merganser::engine {

// Spark's variants of 32-bit Murmur3: the tail of a byte string is hashed byte by byte.
int32_t Murmur3Int(int32_t value, int32_t seed);
int32_t Murmur3Long(int64_t value, int32_t seed);
int32_t Murmur3Bytes(std::string_view bytes, int32_t seed);

// XXH64, as Spark uses it.
int64_t XxHash64Int(int32_t value, int64_t seed);
int64_t XxHash64Long(int64_t value, int64_t seed);
int64_t XxHash64Bytes(std::string_view bytes, int64_t seed);

}  // namespace merganser::engine
