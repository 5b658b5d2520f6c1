#include "merganser/delta/deletion_vector/deletion_vector.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "merganser/delta/deletion_vector/roaring_format.h"

namespace merganser {
namespace {

// "Deletion Vector Format" in PROTOCOL.md, and the form that the first releases wrote.
constexpr uint32_t kPortableMagic = 1681511377;
constexpr uint32_t kNativeMagic = 1681511376;

uint32_t High(uint64_t row) { return static_cast<uint32_t>(row >> 32); }
uint32_t Low(uint64_t row) { return static_cast<uint32_t>(row); }
uint64_t Compose(uint32_t high, uint32_t low) { return uint64_t{high} << 32 | low; }

template <typename T>
bool ReadNumber(std::string_view* bytes, T* value) {
  if (bytes->size() < sizeof(T)) return false;
  std::memcpy(value, bytes->data(), sizeof(T));
  bytes->remove_prefix(sizeof(T));
  return true;
}

template <typename T>
void AppendNumber(T value, std::string* out) {
  out->append(reinterpret_cast<const char*>(&value), sizeof(T));
}

Error Corrupted(std::string reason) {
  return Error(ErrorClass::DELTA_DELETION_VECTOR_CORRUPTED,
               {{"file", "bitmap"}, {"reason", std::move(reason)}});
}

}  // namespace

/// One 32-bit bitmap for each upper half that occurs; none of them is empty.
struct DeletionVector::Bitmaps {
  std::map<uint32_t, RoaringBitmap> by_high;

  roaring_bitmap_t* At(uint32_t high) {
    RoaringBitmap& bitmap = by_high[high];
    if (!bitmap) bitmap.reset(roaring_bitmap_create());
    return bitmap.get();
  }
  const roaring_bitmap_t* Find(uint32_t high) const {
    const auto found = by_high.find(high);
    return found == by_high.end() ? nullptr : found->second.get();
  }
};

DeletionVector::DeletionVector() : bitmaps_(std::make_unique<Bitmaps>()) {}

DeletionVector::DeletionVector(const DeletionVector& other) : DeletionVector() { Merge(other); }

DeletionVector::DeletionVector(DeletionVector&& other) noexcept
    : bitmaps_(std::make_unique<Bitmaps>()) {
  bitmaps_.swap(other.bitmaps_);
}

DeletionVector& DeletionVector::operator=(DeletionVector other) noexcept {
  bitmaps_.swap(other.bitmaps_);
  return *this;
}

DeletionVector::~DeletionVector() = default;

DeletionVector DeletionVector::Of(std::span<const uint64_t> rows) {
  DeletionVector vector;
  vector.AddMany(rows);
  return vector;
}

Result<DeletionVector> DeletionVector::Deserialize(std::string_view bytes) {
  uint32_t magic = 0;
  if (!ReadNumber(&bytes, &magic)) return Corrupted("it is too short");
  if (magic != kPortableMagic && magic != kNativeMagic) {
    return Corrupted("it starts with the unknown magic number " + std::to_string(magic));
  }
  const bool portable = magic == kPortableMagic;
  uint64_t count = 0;
  uint32_t short_count = 0;
  if (portable ? !ReadNumber(&bytes, &count) : !ReadNumber(&bytes, &short_count)) {
    return Corrupted("it is too short");
  }
  if (!portable) count = short_count;

  DeletionVector vector;
  int64_t last = -1;
  for (uint64_t i = 0; i < count; ++i) {
    uint32_t number = 0;  // The upper half of the rows, or the bitmap's length.
    if (!ReadNumber(&bytes, &number)) return Corrupted("it ends in the middle");
    const uint32_t high = portable ? number : static_cast<uint32_t>(i);
    if (high > 0x7fffffff || high <= last) return Corrupted("its keys are not ascending");
    last = high;
    auto bitmap = ReadRoaringBitmap(&bytes);
    if (!bitmap) return Corrupted("it holds a malformed bitmap");
    if (!roaring_bitmap_is_empty(bitmap->get()))
      vector.bitmaps_->by_high.emplace(high, *std::move(bitmap));
  }
  if (!bytes.empty()) return Corrupted("bytes follow its end");
  return vector;
}

std::string DeletionVector::Serialize() const {
  std::string bytes;
  AppendNumber(kPortableMagic, &bytes);
  AppendNumber(uint64_t{bitmaps_->by_high.size()}, &bytes);
  for (const auto& [high, bitmap] : bitmaps_->by_high) {
    const RoaringBitmap compact(roaring_bitmap_copy(bitmap.get()));
    roaring_bitmap_run_optimize(compact.get());
    AppendNumber(high, &bytes);
    const size_t start = bytes.size();
    bytes.resize(start + roaring_bitmap_portable_size_in_bytes(compact.get()));
    roaring_bitmap_portable_serialize(compact.get(), bytes.data() + start);
  }
  return bytes;
}

void DeletionVector::Add(uint64_t row) { roaring_bitmap_add(bitmaps_->At(High(row)), Low(row)); }

void DeletionVector::AddMany(std::span<const uint64_t> rows) {
  std::vector<uint32_t> lows;
  for (size_t i = 0; i < rows.size();) {
    const uint32_t high = High(rows[i]);
    lows.clear();
    for (; i < rows.size() && High(rows[i]) == high; ++i) lows.push_back(Low(rows[i]));
    roaring_bitmap_add_many(bitmaps_->At(high), lows.size(), lows.data());
  }
}

void DeletionVector::AddRange(uint64_t begin, uint64_t end) {
  while (begin < end) {
    const uint64_t next = std::min(end, Compose(High(begin) + 1, 0));
    roaring_bitmap_add_range_closed(bitmaps_->At(High(begin)), Low(begin), Low(next - 1));
    begin = next;
  }
}

void DeletionVector::Merge(const DeletionVector& other) {
  for (const auto& [high, bitmap] : other.bitmaps_->by_high) {
    roaring_bitmap_or_inplace(bitmaps_->At(high), bitmap.get());
  }
}

void DeletionVector::Subtract(const DeletionVector& other) {
  for (const auto& [high, bitmap] : other.bitmaps_->by_high) {
    const auto mine = bitmaps_->by_high.find(high);
    if (mine == bitmaps_->by_high.end()) continue;
    roaring_bitmap_andnot_inplace(mine->second.get(), bitmap.get());
    if (roaring_bitmap_is_empty(mine->second.get())) bitmaps_->by_high.erase(mine);
  }
}

bool DeletionVector::empty() const { return bitmaps_->by_high.empty(); }

uint64_t DeletionVector::cardinality() const {
  uint64_t count = 0;
  for (const auto& [high, bitmap] : bitmaps_->by_high)
    count += roaring_bitmap_get_cardinality(bitmap.get());
  return count;
}

bool DeletionVector::Contains(uint64_t row) const {
  const roaring_bitmap_t* bitmap = bitmaps_->Find(High(row));
  return bitmap != nullptr && roaring_bitmap_contains(bitmap, Low(row));
}

std::optional<uint64_t> DeletionVector::Last() const {
  if (empty()) return std::nullopt;
  const auto& [high, bitmap] = *bitmaps_->by_high.rbegin();
  return Compose(high, roaring_bitmap_maximum(bitmap.get()));
}

bool DeletionVector::Intersects(const DeletionVector& other) const {
  return std::any_of(bitmaps_->by_high.begin(), bitmaps_->by_high.end(), [&](const auto& entry) {
    const roaring_bitmap_t* theirs = other.bitmaps_->Find(entry.first);
    return theirs != nullptr && roaring_bitmap_intersect(entry.second.get(), theirs);
  });
}

std::vector<uint64_t> DeletionVector::Rows() const {
  std::vector<uint64_t> rows;
  rows.reserve(cardinality());
  std::vector<uint32_t> lows;
  for (const auto& [high, bitmap] : bitmaps_->by_high) {
    lows.resize(roaring_bitmap_get_cardinality(bitmap.get()));
    roaring_bitmap_to_uint32_array(bitmap.get(), lows.data());
    for (const uint32_t low : lows) rows.push_back(Compose(high, low));
  }
  return rows;
}

uint32_t DeletionVector::SelectLive(uint64_t begin, uint32_t count, uint32_t* selection) const {
  uint32_t live = 0;
  uint32_t position = 0;
  while (position < count) {
    const uint64_t row = begin + position;
    // Rows up to here share their upper half.
    const auto stop =
        static_cast<uint32_t>(std::min<uint64_t>(count, Compose(High(row) + 1, 0) - begin));
    if (const roaring_bitmap_t* bitmap = bitmaps_->Find(High(row))) {
      roaring_uint32_iterator_t deleted;
      roaring_init_iterator(bitmap, &deleted);
      roaring_move_uint32_iterator_equalorlarger(&deleted, Low(row));
      while (deleted.has_value) {
        const uint64_t next = Compose(High(row), deleted.current_value) - begin;
        if (next >= stop) break;
        while (position < next) selection[live++] = position++;
        position = static_cast<uint32_t>(next) + 1;
        roaring_advance_uint32_iterator(&deleted);
      }
    }
    while (position < stop) selection[live++] = position++;
  }
  return live;
}

uint64_t DeletionVector::CountRange(uint64_t begin, uint64_t end) const {
  uint64_t count = 0;
  for (auto it = bitmaps_->by_high.lower_bound(High(begin)); it != bitmaps_->by_high.end(); ++it) {
    const uint64_t base = Compose(it->first, 0);
    if (base >= end) break;
    const uint64_t from = std::max(begin, base) - base;
    const uint64_t to = std::min(end - base, uint64_t{1} << 32);
    count += roaring_bitmap_range_cardinality(it->second.get(), from, to);
  }
  return count;
}

bool DeletionVector::operator==(const DeletionVector& other) const {
  return std::equal(
      bitmaps_->by_high.begin(), bitmaps_->by_high.end(), other.bitmaps_->by_high.begin(),
      other.bitmaps_->by_high.end(), [](const auto& a, const auto& b) {
        return a.first == b.first && roaring_bitmap_equals(a.second.get(), b.second.get());
      });
}

}  // namespace merganser
