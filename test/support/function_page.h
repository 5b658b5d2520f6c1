#pragma once

#include <string>
#include <string_view>

namespace merganser::test {

/// The text of docs/sql/functions.md: the built-in functions of SQL by kind, and those of
/// `spark_names` (one a line) that are missing.
std::string FunctionPage(std::string_view spark_names);

}  // namespace merganser::test
