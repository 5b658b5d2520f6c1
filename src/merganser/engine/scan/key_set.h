#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace merganser::engine {

/// Sorted distinct values of a column that a scan is interested in; row groups whose range of
/// values holds none of them are skipped. A hint: rows with other values may still come out.
class KeySet {
 public:
  /// For columns of BYTE to LONG, DATE, TIMESTAMP, TIMESTAMP_NTZ, and DECIMAL up to 18 digits
  /// (unscaled, at the column's scale). Need not be sorted or distinct.
  static KeySet OfIntegers(std::vector<int64_t> values);
  /// For STRING columns, compared by bytes. Need not be sorted or distinct.
  static KeySet OfStrings(std::vector<std::string> values);

  bool of_strings() const { return of_strings_; }
  /// Is some value within [min, max]?
  bool Meets(int64_t min, int64_t max) const;
  /// The same for strings; `max` stands for every string that starts with it.
  bool Meets(std::string_view min, std::string_view max) const;

 private:
  bool of_strings_ = false;
  std::vector<int64_t> integers_;
  std::vector<std::string> strings_;
};

}  // namespace merganser::engine
