#pragma once

#include <memory>
#include <string>
#include <vector>

#include "merganser/engine/database.h"

namespace merganser::test {

/// Run the examples of a Markdown page, in order, in one session of a fresh warehouse: every block
/// fenced as `sql`, its statements separated by semicolons at line ends. What follows a block says
/// what its last statement gives:
/// - a table: names of the columns and rows, in order, as `show()` prints values;
/// - a line "Error: `CLASS`" or "Error: `CLASS.SUBCLASS`";
/// - a block fenced as `text`: the one text that it gives, numbers of milliseconds and bytes aside.
/// Statements before the last must succeed. Returns what went wrong, one entry an example.
std::vector<std::string> RunMarkdown(const std::shared_ptr<engine::Database>& database,
                                     const std::string& path);

}  // namespace merganser::test
