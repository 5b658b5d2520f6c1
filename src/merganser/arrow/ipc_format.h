#pragma once

#include <cstdint>

#include <flatbuffers/flatbuffers.h>

/// Numbers of Arrow's IPC format: field slots of its tables and values of its enums, as
/// Message.fbs and Schema.fbs of the Arrow specification number them.
namespace merganser::ipc {

/// A message starts with this word, the length of its metadata, and the metadata.
inline constexpr uint32_t kContinuation = 0xFFFFFFFF;
inline constexpr int16_t kMetadataV5 = 4;
inline constexpr int64_t kAlignment = 8;

/// Place of field `id` in a table's index.
constexpr flatbuffers::voffset_t Slot(int id) {
  return static_cast<flatbuffers::voffset_t>(4 + 2 * id);
}

enum Header : uint8_t { kSchema = 1, kDictionaryBatch = 2, kRecordBatch = 3 };

enum TypeTag : uint8_t {
  kNull = 1,
  kInt = 2,
  kFloatingPoint = 3,
  kBinary = 4,
  kUtf8 = 5,
  kBool = 6,
  kDecimal = 7,
  kDate = 8,
  kTime = 9,
  kTimestamp = 10,
  kInterval = 11,
  kList = 12,
  kStruct = 13,
  kFixedSizeBinary = 15,
  kMap = 17,
  kDuration = 18,
  kLargeBinary = 19,
  kLargeUtf8 = 20,
  kLargeList = 21,
};

enum TimeUnit : int16_t { kSecond = 0, kMillisecond = 1, kMicrosecond = 2, kNanosecond = 3 };
enum IntervalUnit : int16_t { kYearMonth = 0, kDayTime = 1, kMonthDayNano = 2 };

/// Struct FieldNode of a record batch.
struct FieldNode {
  int64_t length;
  int64_t null_count;
};
/// Struct Buffer of a record batch: a place in the body.
struct BufferPlace {
  int64_t offset;
  int64_t length;
};

}  // namespace merganser::ipc
