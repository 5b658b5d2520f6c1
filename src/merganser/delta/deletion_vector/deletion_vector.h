#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"

namespace merganser {

/// The rows of a data file that are deleted: a set of row positions, from 0.
///
/// A value; copying copies the bitmap. Reading from several threads is safe, changing is not.
class DeletionVector {
 public:
  DeletionVector();
  DeletionVector(const DeletionVector& other);
  DeletionVector(DeletionVector&& other) noexcept;
  DeletionVector& operator=(DeletionVector other) noexcept;
  ~DeletionVector();
  static DeletionVector Of(std::span<const uint64_t> rows);

  /// Read the bytes of one vector ("Deletion Vector Format": magic number and portable 64-bit
  /// bitmap). Fails with DELTA_DELETION_VECTOR_CORRUPTED (kCorruption) if they are not that,
  /// whatever they are.
  static Result<DeletionVector> Deserialize(std::string_view bytes);
  /// Bytes that Deserialize and every other Delta reader understand.
  std::string Serialize() const;

  void Add(uint64_t row);
  void AddMany(std::span<const uint64_t> rows);
  /// Rows [begin, end).
  void AddRange(uint64_t begin, uint64_t end);
  void Merge(const DeletionVector& other);
  /// Remove the rows of `other`.
  void Subtract(const DeletionVector& other);

  bool empty() const;
  uint64_t cardinality() const;
  bool Contains(uint64_t row) const;
  /// Largest row, if any.
  std::optional<uint64_t> Last() const;
  bool Intersects(const DeletionVector& other) const;

  /// All rows, ascending.
  std::vector<uint64_t> Rows() const;
  /// Positions in [begin, begin + count) that are NOT deleted, relative to `begin`, ascending,
  /// written to `selection` (room for `count`). Returns how many.
  uint32_t SelectLive(uint64_t begin, uint32_t count, uint32_t* selection) const;
  /// Deleted rows in [begin, end).
  uint64_t CountRange(uint64_t begin, uint64_t end) const;

  bool operator==(const DeletionVector& other) const;

 private:
  struct Bitmaps;
  std::unique_ptr<Bitmaps> bitmaps_;
};

}  // namespace merganser
