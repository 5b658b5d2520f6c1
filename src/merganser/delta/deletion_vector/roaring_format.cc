#include "merganser/delta/deletion_vector/roaring_format.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

namespace merganser {
namespace {

constexpr uint32_t kCookieWithRuns = 12347;
constexpr uint32_t kCookieWithoutRuns = 12346;
constexpr uint32_t kMostContainers = 65536;
constexpr uint32_t kMostArrayValues = 4096;
constexpr uint32_t kFewestContainersWithOffsets = 4;
constexpr size_t kBitsetWords = 1024;

/// Little-endian numbers from the front of a buffer.
class Source {
 public:
  explicit Source(std::string_view bytes) : bytes_(bytes) {}

  template <typename T>
  bool Read(T* value) {
    if (bytes_.size() < sizeof(T)) return false;
    std::memcpy(value, bytes_.data(), sizeof(T));
    bytes_.remove_prefix(sizeof(T));
    return true;
  }
  bool Take(size_t length, std::string_view* part) {
    if (bytes_.size() < length) return false;
    *part = bytes_.substr(0, length);
    bytes_.remove_prefix(length);
    return true;
  }
  std::string_view rest() const { return bytes_; }

 private:
  static_assert(std::endian::native == std::endian::little);
  std::string_view bytes_;
};

struct Container {
  uint16_t key = 0;
  uint32_t cardinality = 0;
  bool is_run = false;
};

bool ReadHeader(Source& source, std::vector<Container>* containers) {
  uint32_t cookie = 0;
  if (!source.Read(&cookie)) return false;
  uint32_t count = 0;
  std::string_view run_flags;
  if ((cookie & 0xffff) == kCookieWithRuns) {
    count = (cookie >> 16) + 1;
    if (!source.Take((count + 7) / 8, &run_flags)) return false;
  } else if (cookie != kCookieWithoutRuns || !source.Read(&count)) {
    return false;
  }
  if (count > kMostContainers) return false;
  for (uint32_t i = 0; i < count; ++i) {
    Container container;
    uint16_t cardinality_minus_one = 0;
    if (!source.Read(&container.key) || !source.Read(&cardinality_minus_one)) return false;
    if (i > 0 && container.key <= containers->back().key) return false;
    container.cardinality = cardinality_minus_one + 1u;
    container.is_run = !run_flags.empty() && ((run_flags[i / 8] >> (i % 8)) & 1) != 0;
    containers->push_back(container);
  }
  std::string_view offsets;
  const bool has_offsets = run_flags.empty() || count >= kFewestContainersWithOffsets;
  return !has_offsets || source.Take(count * sizeof(uint32_t), &offsets);
}

bool ReadRuns(Source& source, uint32_t base, roaring_bitmap_t* bitmap) {
  uint16_t count = 0;
  if (!source.Read(&count)) return false;
  int64_t last = -1;
  for (uint16_t i = 0; i < count; ++i) {
    uint16_t start = 0;
    uint16_t length_minus_one = 0;
    if (!source.Read(&start) || !source.Read(&length_minus_one)) return false;
    const uint32_t end = uint32_t{start} + length_minus_one;
    if (start <= last || end > 0xffff) return false;
    roaring_bitmap_add_range_closed(bitmap, base + start, base + end);
    last = end;
  }
  return true;
}

bool ReadArray(Source& source, uint32_t base, uint32_t cardinality, roaring_bitmap_t* bitmap) {
  std::vector<uint32_t> values(cardinality);
  int64_t last = -1;
  for (uint32_t& value : values) {
    uint16_t low = 0;
    if (!source.Read(&low) || low <= last) return false;
    value = base + low;
    last = low;
  }
  roaring_bitmap_add_many(bitmap, values.size(), values.data());
  return true;
}

bool ReadBitset(Source& source, uint32_t base, uint32_t cardinality, roaring_bitmap_t* bitmap) {
  std::vector<uint32_t> values;
  values.reserve(cardinality);
  for (size_t i = 0; i < kBitsetWords; ++i) {
    uint64_t word = 0;
    if (!source.Read(&word)) return false;
    for (; word != 0; word &= word - 1) {
      values.push_back(base + static_cast<uint32_t>(i * 64) +
                       static_cast<uint32_t>(std::countr_zero(word)));
    }
  }
  if (values.size() != cardinality) return false;
  roaring_bitmap_add_many(bitmap, values.size(), values.data());
  return true;
}

}  // namespace

std::optional<RoaringBitmap> ReadRoaringBitmap(std::string_view* bytes) {
  Source source(*bytes);
  std::vector<Container> containers;
  if (!ReadHeader(source, &containers)) return std::nullopt;
  RoaringBitmap bitmap(roaring_bitmap_create());
  for (const Container& container : containers) {
    const uint32_t base = uint32_t{container.key} << 16;
    const bool ok = container.is_run ? ReadRuns(source, base, bitmap.get())
                    : container.cardinality <= kMostArrayValues
                        ? ReadArray(source, base, container.cardinality, bitmap.get())
                        : ReadBitset(source, base, container.cardinality, bitmap.get());
    if (!ok) return std::nullopt;
  }
  *bytes = source.rest();
  return bitmap;
}

}  // namespace merganser
