#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "merganser/base/result.h"

namespace merganser::engine {

/// A set of row positions of one data file, as plain bits: constant-time lookup while scanning.
class RowBitmap {
 public:
  /// `position` is the 0-based row of the file.
  void Add(uint64_t position);
  bool Contains(uint64_t position) const {
    const uint64_t word = position >> 6;
    return word < words_.size() && ((words_[word] >> (position & 63)) & 1) != 0;
  }
  /// Number of positions in the set. Costs a pass over the bits.
  uint64_t Count() const;

 private:
  std::vector<uint64_t> words_;
};

/// Loads a bitmap when its file is opened, so that files pruned away cost nothing. Must be safe to
/// call from any thread.
using RowBitmapLoader = std::function<Result<std::shared_ptr<const RowBitmap>>()>;

}  // namespace merganser::engine
