#include "merganser/engine/scan/key_set.h"

#include <algorithm>
#include <utility>

namespace merganser::engine {
namespace {

template <typename T>
std::vector<T> SortedDistinct(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace

KeySet KeySet::OfIntegers(std::vector<int64_t> values) {
  KeySet keys;
  keys.integers_ = SortedDistinct(std::move(values));
  return keys;
}

KeySet KeySet::OfStrings(std::vector<std::string> values) {
  KeySet keys;
  keys.of_strings_ = true;
  keys.strings_ = SortedDistinct(std::move(values));
  return keys;
}

bool KeySet::Meets(int64_t min, int64_t max) const {
  const auto first = std::lower_bound(integers_.begin(), integers_.end(), min);
  return first != integers_.end() && *first <= max;
}

bool KeySet::Meets(std::string_view min, std::string_view max) const {
  const auto first = std::lower_bound(strings_.begin(), strings_.end(), min);
  return first != strings_.end() && std::string_view(*first).substr(0, max.size()) <= max;
}

}  // namespace merganser::engine
