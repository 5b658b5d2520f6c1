#include "merganser/commands/row_drawing.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace merganser {
namespace {

constexpr size_t kLeastWidth = 3;

/// The code point at `at`, which moves past it; damaged bytes count as one character each.
uint32_t NextCharacter(std::string_view text, size_t* at) {
  const auto lead = static_cast<unsigned char>(text[*at]);
  size_t length = 1;
  if (lead >= 0xf0) {
    length = 4;
  } else if (lead >= 0xe0) {
    length = 3;
  } else if (lead >= 0xc0) {
    length = 2;
  }
  if (length == 1 || *at + length > text.size()) {
    ++*at;
    return lead;
  }
  uint32_t code = lead & (0xffu >> (length + 1));
  for (size_t i = 1; i < length; ++i)
    code = (code << 6) | (static_cast<unsigned char>(text[*at + i]) & 0x3f);
  *at += length;
  return code;
}

size_t Utf16Units(uint32_t code) { return code > 0xffff ? 2 : 1; }

bool TakesTwoPlaces(uint32_t code) {
  return (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf) ||
         (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) ||
         (code >= 0xfe10 && code <= 0xfe19) || (code >= 0xfe30 && code <= 0xfe6f) ||
         (code >= 0xff00 && code <= 0xff60) || (code >= 0xffe0 && code <= 0xffe6);
}

size_t Width(std::string_view text) {
  size_t width = 0;
  for (size_t at = 0; at < text.size();) {
    const uint32_t code = NextCharacter(text, &at);
    width += Utf16Units(code) + (TakesTwoPlaces(code) ? 1 : 0);
  }
  return width;
}

size_t Length(std::string_view text) {
  size_t units = 0;
  for (size_t at = 0; at < text.size();) units += Utf16Units(NextCharacter(text, &at));
  return units;
}

/// The first `units` UTF-16 units; half a character is a question mark.
std::string Prefix(std::string_view text, size_t units) {
  size_t taken = 0;
  size_t at = 0;
  while (at < text.size() && taken < units) {
    const size_t before = at;
    taken += Utf16Units(NextCharacter(text, &at));
    if (taken > units) return std::string(text.substr(0, before)) + "?";
  }
  return std::string(text.substr(0, at));
}

/// Characters that would break the drawing, as their escapes.
std::string Escaped(std::string_view text) {
  constexpr std::string_view kBroken = "\a\b\t\n\v\f\r";
  constexpr std::string_view kNames = "abtnvfr";
  std::string escaped;
  for (const char c : text) {
    const size_t place = kBroken.find(c);
    if (place == std::string_view::npos) {
      escaped += c;
    } else {
      escaped += '\\';
      escaped += kNames[place];
    }
  }
  return escaped;
}

std::string Cut(const std::string& text, int truncate) {
  if (truncate <= 0 || Length(text) <= static_cast<size_t>(truncate)) return text;
  const auto limit = static_cast<size_t>(truncate);
  return limit < 4 ? Prefix(text, limit) : Prefix(text, limit - 3) + "...";
}

struct Cells {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;
};

Cells CellsOf(const DrawnRows& drawn) {
  Cells cells;
  for (const std::string& name : drawn.names) cells.names.push_back(Escaped(name));
  for (const auto& row : drawn.rows) {
    std::vector<std::string>& texts = cells.rows.emplace_back();
    for (const std::string& cell : row) texts.push_back(Cut(Escaped(cell), drawn.truncate));
  }
  return cells;
}

std::string Padded(const std::string& text, size_t width, bool left) {
  const std::string blanks(width - std::min(width, Width(text)), ' ');
  return left ? text + blanks : blanks + text;
}

std::string MoreLine(const DrawnRows& drawn) {
  if (!drawn.has_more) return "";
  return "only showing top " + std::to_string(drawn.num_rows) +
         (drawn.num_rows == 1 ? " row" : " rows");
}

std::string HtmlEscaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

}  // namespace

std::string DrawTable(const DrawnRows& drawn) {
  const Cells cells = CellsOf(drawn);
  std::vector<size_t> widths(cells.names.size(), kLeastWidth);
  const auto widen = [&](const std::vector<std::string>& row) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], Width(row[i]));
  };
  widen(cells.names);
  for (const auto& row : cells.rows) widen(row);
  const auto framed = [&](const std::string& separator, const std::string& inside) {
    return separator + inside + separator + "\n";
  };
  std::string inside;
  for (const size_t width : widths) inside += (inside.empty() ? "" : "+") + std::string(width, '-');
  const std::string rule = framed("+", inside);
  const auto line = [&](const std::vector<std::string>& row) {
    std::string text;
    for (size_t i = 0; i < row.size(); ++i)
      text += (i > 0 ? "|" : "") + Padded(row[i], widths[i], drawn.truncate <= 0);
    return framed("|", text);
  };
  std::string table = rule + line(cells.names) + rule;
  for (const auto& row : cells.rows) table += line(row);
  return table + rule + MoreLine(drawn);
}

std::string DrawVertically(const DrawnRows& drawn) {
  const Cells cells = CellsOf(drawn);
  size_t name_width = kLeastWidth;
  size_t value_width = kLeastWidth;
  for (const std::string& name : cells.names) name_width = std::max(name_width, Width(name));
  for (const auto& row : cells.rows) {
    for (const std::string& cell : row) value_width = std::max(value_width, Width(cell));
  }
  if (cells.rows.empty() && !drawn.has_more) return "(0 rows)";
  std::string text;
  for (size_t r = 0; r < cells.rows.size(); ++r) {
    std::string title = "-RECORD " + std::to_string(r);
    const size_t width = std::max(name_width + value_width + 5, title.size());
    text += title.append(width - title.size(), '-') + "\n";
    for (size_t i = 0; i < cells.names.size(); ++i) {
      text += " " + Padded(cells.names[i], name_width, true) + " | " +
              Padded(cells.rows[r][i], value_width, true) + " \n";
    }
  }
  return text + MoreLine(drawn);
}

std::string DrawHtml(const DrawnRows& drawn) {
  const Cells cells = CellsOf(drawn);
  std::string text = "<table border='1'>\n<tr>";
  for (const std::string& name : cells.names) text += "<th>" + HtmlEscaped(name) + "</th>";
  text += "</tr>\n";
  for (const auto& row : cells.rows) {
    text += "<tr>";
    for (const std::string& cell : row) text += "<td>" + HtmlEscaped(cell) + "</td>";
    text += "</tr>\n";
  }
  text += "</table>\n";
  return drawn.has_more ? text + MoreLine(drawn) + "\n" : text;
}

}  // namespace merganser
