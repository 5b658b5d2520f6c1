#pragma once

#include <string>
#include <vector>

namespace merganser {

/// Rows as text, and how many of them there were to draw.
struct DrawnRows {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;
  int truncate = 20;      ///< UTF-16 units of a cell at most; 0 for all.
  int num_rows = 20;      ///< Rows that were asked for.
  bool has_more = false;  ///< There are more rows than `rows`.
};

/// The table that DataFrame.show prints. Cells are cut and escaped here; widths count full-width
/// characters twice.
std::string DrawTable(const DrawnRows& rows);

/// The same with a line a value.
std::string DrawVertically(const DrawnRows& rows);

/// An HTML table.
std::string DrawHtml(const DrawnRows& rows);

}  // namespace merganser
