#include "merganser/cli/output_format.h"

#include <algorithm>
#include <vector>

#include "merganser/base/json.h"
#include "merganser/cli/display_width.h"
#include "merganser/cli/text_rows.h"

namespace merganser {
namespace {

constexpr size_t kNarrowest = 3;

/// Line breaks and their kin would break the drawing.
std::string OneLine(std::string_view text) {
  std::string line;
  for (const char c : text) {
    switch (c) {
      case '\n':
        line += "\\n";
        break;
      case '\r':
        line += "\\r";
        break;
      case '\t':
        line += "\\t";
        break;
      case '\f':
        line += "\\f";
        break;
      case '\b':
        line += "\\b";
        break;
      case '\v':
        line += "\\v";
        break;
      case '\a':
        line += "\\a";
        break;
      default:
        line += c;
    }
  }
  return line;
}

std::string Shortened(const std::string& text, std::optional<int> truncate) {
  if (!truncate || *truncate <= 0 || CountCharacters(text) <= static_cast<size_t>(*truncate))
    return text;
  const auto limit = static_cast<size_t>(*truncate);
  if (limit < 4) return std::string(FirstCharacters(text, limit));
  return std::string(FirstCharacters(text, limit - 3)) + "...";
}

std::string Padded(const std::string& text, size_t width, bool left) {
  const std::string blanks(width - std::min(width, DisplayWidth(text)), ' ');
  return left ? text + blanks : blanks + text;
}

using TextTable = std::vector<std::vector<std::string>>;

Result<TextTable> ReadTable(ResultSet& result, const OutputOptions& options) {
  TextTable table(1);
  for (const StructField& field : result.schema())
    table[0].push_back(Shortened(OneLine(field.name), options.truncate));
  MERGANSER_RETURN_IF_ERROR(
      ForEachRow(result, options.time_zone, false, [&](const std::vector<TextCell>& cells) {
        std::vector<std::string> row;
        for (const TextCell& cell : cells)
          row.push_back(Shortened(OneLine(cell.text), options.truncate));
        table.push_back(std::move(row));
      }));
  return table;
}

void DrawTable(const TextTable& table, bool left, std::ostream& out) {
  std::vector<size_t> widths(table[0].size(), kNarrowest);
  for (const auto& row : table) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], DisplayWidth(row[i]));
  }
  std::string rule = "+";
  for (const size_t width : widths) rule += std::string(width, '-') + "+";
  out << rule << "\n";
  for (size_t r = 0; r < table.size(); ++r) {
    out << "|";
    for (size_t i = 0; i < table[r].size(); ++i) out << Padded(table[r][i], widths[i], left) << "|";
    out << "\n";
    if (r == 0) out << rule << "\n";
  }
  out << rule << "\n\n";
}

void DrawVertical(const TextTable& table, std::ostream& out) {
  size_t name_width = kNarrowest;
  size_t value_width = kNarrowest;
  for (const std::string& name : table[0]) name_width = std::max(name_width, DisplayWidth(name));
  for (size_t r = 1; r < table.size(); ++r) {
    for (const std::string& value : table[r])
      value_width = std::max(value_width, DisplayWidth(value));
  }
  for (size_t r = 1; r < table.size(); ++r) {
    std::string title = "-RECORD " + std::to_string(r - 1);
    title += std::string(
        std::max<size_t>(name_width + value_width + 5, title.size()) - title.size(), '-');
    out << title << "\n";
    for (size_t i = 0; i < table[r].size(); ++i) {
      out << " " << Padded(table[0][i], name_width, true) << " | "
          << Padded(table[r][i], value_width, true) << " \n";
    }
  }
  if (table.size() == 1) out << "(0 rows)\n";
  out << "\n";
}

std::string CsvField(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

Result<int64_t> PrintCsv(ResultSet& result, const OutputOptions& options, std::ostream& out) {
  int64_t rows = 0;
  const StructType& schema = result.schema();
  for (size_t i = 0; i < schema.size(); ++i) out << (i > 0 ? "," : "") << CsvField(schema[i].name);
  out << "\n";
  MERGANSER_RETURN_IF_ERROR(
      ForEachRow(result, options.time_zone, false, [&](const std::vector<TextCell>& cells) {
        for (size_t i = 0; i < cells.size(); ++i)
          out << (i > 0 ? "," : "") << (cells[i].is_null ? "" : CsvField(cells[i].text));
        out << "\n";
        ++rows;
      }));
  return rows;
}

Result<int64_t> PrintJson(ResultSet& result, const OutputOptions& options, std::ostream& out) {
  const bool lines = options.format == OutputFormat::kJsonLines;
  int64_t rows = 0;
  std::vector<std::string> keys;
  for (const StructField& field : result.schema()) {
    std::string key;
    AppendJsonString(field.name, &key);
    keys.push_back(std::move(key));
  }
  if (!lines) out << "[";
  MERGANSER_RETURN_IF_ERROR(
      ForEachRow(result, options.time_zone, true, [&](const std::vector<TextCell>& cells) {
        if (!lines) out << (rows > 0 ? ",\n " : "");
        out << "{";
        for (size_t i = 0; i < cells.size(); ++i)
          out << (i > 0 ? "," : "") << keys[i] << ":" << cells[i].json;
        out << "}";
        if (lines) out << "\n";
        ++rows;
      }));
  if (!lines) out << "]\n";
  return rows;
}

std::string MarkdownCell(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

void DrawMarkdown(const TextTable& table, std::ostream& out) {
  for (size_t r = 0; r < table.size(); ++r) {
    for (const std::string& cell : table[r]) out << "| " << MarkdownCell(cell) << " ";
    out << "|\n";
    if (r > 0) continue;
    for (size_t i = 0; i < table[r].size(); ++i) out << "| --- ";
    out << "|\n";
  }
}

}  // namespace

std::optional<OutputFormat> ParseOutputFormat(std::string_view name) {
  if (name == "table") return OutputFormat::kTable;
  if (name == "csv") return OutputFormat::kCsv;
  if (name == "json") return OutputFormat::kJson;
  if (name == "jsonl") return OutputFormat::kJsonLines;
  if (name == "markdown") return OutputFormat::kMarkdown;
  return std::nullopt;
}

Result<int64_t> PrintResult(ResultSet& result, const OutputOptions& options, std::ostream& out) {
  if (result.schema().empty()) return int64_t{0};
  if (options.format == OutputFormat::kCsv) return PrintCsv(result, options, out);
  if (options.format == OutputFormat::kJson || options.format == OutputFormat::kJsonLines) {
    return PrintJson(result, options, out);
  }
  MERGANSER_ASSIGN_OR_RETURN(const TextTable table, ReadTable(result, options));
  if (options.format == OutputFormat::kMarkdown) {
    DrawMarkdown(table, out);
  } else if (options.vertical) {
    DrawVertical(table, out);
  } else {
    DrawTable(table, options.truncate == 0, out);
  }
  return static_cast<int64_t>(table.size()) - 1;
}

}  // namespace merganser
