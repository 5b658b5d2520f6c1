#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"

namespace merganser {

/// A value of a command's result: NULL, or a value of the column's type. Strings also stand for
/// DECIMAL and DATE text; int64 for BYTE to LONG and TIMESTAMP (microseconds).
struct CommandCell;
using CommandStruct = std::vector<CommandCell>;
struct CommandList {
  std::vector<CommandCell> items;
};
struct CommandMap {
  std::vector<std::pair<std::string, std::optional<std::string>>> entries;
};
struct CommandCell {
  std::variant<std::monostate, bool, int64_t, double, std::string, CommandList, CommandMap,
               CommandStruct>
      value;

  CommandCell() = default;
  // NOLINTBEGIN(google-explicit-constructor): values of these types stand for cells in braces.
  template <typename T>
  CommandCell(T v) : value(std::move(v)) {}
  CommandCell(const char* text) : value(std::string(text)) {}
  CommandCell(int v) : value(int64_t{v}) {}
  template <typename T>
  CommandCell(std::optional<T> v) {
    if (v) value = *std::move(v);
  }
  // NOLINTEND(google-explicit-constructor)
};

/// Give `rows` as a statement's result. Meant for the few rows that commands answer with.
Result<ResultSet> CommandResult(StatementContext& context, StructType schema,
                                const std::vector<std::vector<CommandCell>>& rows);

}  // namespace merganser
