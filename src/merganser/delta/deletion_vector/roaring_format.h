#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include <roaring/roaring.h>

namespace merganser {

struct RoaringDeleter {
  void operator()(roaring_bitmap_t* bitmap) const { roaring_bitmap_free(bitmap); }
};
/// A set of 32-bit numbers.
using RoaringBitmap = std::unique_ptr<roaring_bitmap_t, RoaringDeleter>;

/// Read one bitmap of the standard 32-bit format (RoaringFormatSpec) from the front of `bytes` and
/// move `bytes` past it.
///
/// Checks everything the format promises, where the library's own reader trusts the counts: bytes
/// of other people must never write past a buffer. Nothing if they break a promise.
std::optional<RoaringBitmap> ReadRoaringBitmap(std::string_view* bytes);

}  // namespace merganser
