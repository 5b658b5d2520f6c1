#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"

namespace merganser {

enum class OutputFormat : uint8_t { kTable, kCsv, kJson, kJsonLines, kMarkdown };

/// "table", "csv", "json", "jsonl" or "markdown".
std::optional<OutputFormat> ParseOutputFormat(std::string_view name);

struct OutputOptions {
  OutputFormat format = OutputFormat::kTable;
  /// Longest cell in characters, of which the last three become "..."; nullopt shows whole values.
  /// 0 shows whole values, aligned to the left, as `show(truncate=False)` does.
  std::optional<int> truncate;
  bool vertical = false;  ///< One line a value, as `show(vertical=True)`.
  std::string time_zone = "UTC";
};

/// Print all rows of `result` (tables as Spark's `show()` draws them). A result without columns
/// prints nothing. Returns the number of rows. Fails with the result's run-time errors; what was
/// printed before stays.
Result<int64_t> PrintResult(ResultSet& result, const OutputOptions& options, std::ostream& out);

}  // namespace merganser
