#pragma once

#include <cstdint>
#include <utility>

#include "merganser/arrow/abi.h"

namespace merganser {

/// Owns an ArrowSchema or ArrowArray and releases it once. Move-only; a default one is empty.
template <typename T>
class ArrowOwner {
 public:
  ArrowOwner() : value_{} {}
  /// Takes over `value`; the caller's copy must not be used or released afterwards.
  explicit ArrowOwner(const T& value) : value_(value) {}
  ArrowOwner(ArrowOwner&& other) noexcept : value_(std::exchange(other.value_, T{})) {}
  ArrowOwner& operator=(ArrowOwner&& other) noexcept {
    if (this != &other) {
      Reset();
      value_ = std::exchange(other.value_, T{});
    }
    return *this;
  }
  ArrowOwner(const ArrowOwner&) = delete;
  ArrowOwner& operator=(const ArrowOwner&) = delete;
  ~ArrowOwner() { Reset(); }

  bool empty() const { return value_.release == nullptr; }
  const T& get() const { return value_; }
  /// For a producer to fill in. Requires `empty()`.
  T* out() { return &value_; }
  /// Hands ownership to the caller, who has to call its release callback.
  T Release() { return std::exchange(value_, T{}); }
  void Reset() {
    if (value_.release != nullptr) value_.release(&value_);
    value_ = T{};
  }

 private:
  T value_;
};

using ArrowSchemaOwner = ArrowOwner<ArrowSchema>;

/// Some rows of a result: a struct array with one child a column.
class ArrowBatch {
 public:
  ArrowBatch() = default;
  /// Takes over `array`, which must be a struct array.
  explicit ArrowBatch(const ArrowArray& array) : array_(array) {}

  int64_t num_rows() const { return array_.get().length; }
  int64_t num_columns() const { return array_.get().n_children; }
  const ArrowArray& array() const { return array_.get(); }
  const ArrowArray& column(int64_t i) const { return *array_.get().children[i]; }
  /// Hands ownership to the caller, who has to call its release callback.
  ArrowArray Release() { return array_.Release(); }

 private:
  ArrowOwner<ArrowArray> array_;
};

}  // namespace merganser
