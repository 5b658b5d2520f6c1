#pragma once

#include <functional>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"

namespace merganser {

/// One value of a result while it is being read.
struct TextCell {
  bool is_null = false;
  std::string text;  ///< As `show()` prints it; "NULL" for NULL.
  std::string json;  ///< As JSON; only filled if asked for.
};

/// Hand the rows of a result to `row`, as text. `with_json` fills TextCell::json.
/// `session_time_zone` is the zone of TIMESTAMP values. Fails with the result's run-time errors.
Status ForEachRow(ResultSet& result, const std::string& session_time_zone, bool with_json,
                  const std::function<void(const std::vector<TextCell>&)>& row);

}  // namespace merganser
