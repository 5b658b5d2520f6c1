#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/spark/plan/relation.h"

namespace merganser {

/// A SELECT: its input, its list, and what it groups by.
struct WindowedSelect {
  plan::RelationPtr child;
  std::vector<plan::ExpressionPtr> expressions;
  std::vector<plan::ExpressionPtr> group_by;
};

/// Is it one of the two functions below, which are no functions of single rows?
bool IsTimeWindow(std::string_view lower_case_name);

/// The call of window(...) or session_window(...) in the list or GROUP BY of `select`, or null.
const plan::Expression* FindTimeWindow(const WindowedSelect& select);

/// `select` over rows that have one more column, called like the function, with the time window of
/// each; calls of the function refer to it. `window` is what FindTimeWindow gave; `time_type` the
/// type of its first argument. A row that is in several windows is there as often; one that is in
/// none is left out.
/// Fails with CANNOT_PARSE_INTERVAL for a length of window() that is no constant interval of days
/// and time, and with DATATYPE_MISMATCH.VALUE_OUT_OF_RANGE for one that is not positive.
Result<WindowedSelect> WithTimeWindow(const WindowedSelect& select, const plan::Expression& window,
                                      const DataType& time_type);

}  // namespace merganser
