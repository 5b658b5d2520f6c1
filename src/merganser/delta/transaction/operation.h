#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "merganser/delta/protocol/actions.h"

namespace merganser {

/// What a commit says about itself in `commitInfo` ("Commit Provenance Information" in
/// PROTOCOL.md).
struct Operation {
  std::string name;  ///< "WRITE", "MERGE", "CREATE TABLE", ...
  /// Parameter to its value as JSON text (`"\"Append\""`, `"[]"` as text in quotes, `true`).
  std::map<std::string, std::string, std::less<>> parameters;
  /// Metric to value; kept as text in the log.
  StringMap metrics;

  /// Set a parameter to a text.
  Operation& Text(std::string_view key, std::string_view value);
  /// Set a parameter to JSON text that is written as a string, as Delta does for lists and maps.
  Operation& Encoded(std::string_view key, std::string_view json) { return Text(key, json); }
  Operation& Boolean(std::string_view key, bool value);
  Operation& Metric(std::string_view key, int64_t value);
};

}  // namespace merganser
