#include "merganser/engine/functions/csv_text.h"

#include <cctype>

#include "merganser/engine/functions/datetime_text.h"
#include "merganser/engine/functions/number_text.h"

namespace merganser::engine {

std::vector<CsvField> SplitCsv(std::string_view line, const TextFormatOptions& options) {
  std::vector<CsvField> fields(1);
  const std::string_view separator = options.separator;
  size_t at = 0;
  bool begin = true;
  while (at < line.size()) {
    if (begin && options.trim_leading) {
      while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
      if (at == line.size()) break;
    }
    if (line.substr(at, separator.size()) == separator) {
      if (options.trim_trailing && !fields.back().quoted) {
        std::string& text = fields.back().text;
        while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.pop_back();
      }
      fields.emplace_back();
      at += separator.size();
      begin = true;
      continue;
    }
    if (begin && line[at] == options.quote) {
      fields.back().quoted = true;
      for (++at; at < line.size(); ++at) {
        const char c = line[at];
        if (c == options.escape && at + 1 < line.size() &&
            (line[at + 1] == options.quote || line[at + 1] == options.escape)) {
          fields.back().text += line[++at];
        } else if (c == options.quote) {
          ++at;
          break;
        } else {
          fields.back().text += c;
        }
      }
      begin = false;
      continue;
    }
    begin = false;
    fields.back().text += line[at++];
  }
  return fields;
}

void AppendCsvField(std::string_view text, const TextFormatOptions& options, std::string* out) {
  if (text.empty()) {
    *out += "\"\"";
    return;
  }
  const bool quote = text.find(options.separator) != std::string_view::npos ||
                     text.find(options.quote) != std::string_view::npos ||
                     text.find_first_of("\r\n") != std::string_view::npos;
  if (!quote) {
    *out += text;
    return;
  }
  *out += options.quote;
  for (const char c : text) {
    if (c == options.quote) *out += options.escape;
    *out += c;
  }
  *out += options.quote;
}

DataType InferCsvType(const CsvField& field) {
  if (field.text.empty()) return DataType::String();
  if (ParseInteger<int32_t>(field.text, false)) return DataType::Integer();
  if (ParseInteger<int64_t>(field.text, false)) return DataType::Long();
  if (ParseFloating<double>(field.text)) return DataType::Double();
  const bool dashes = field.text.size() >= 8 && field.text[4] == '-';
  if (dashes && field.text.find(':') == std::string::npos && engine::ParseDate(field.text))
    return DataType::Date();
  if (dashes && engine::ParseTimestamp(field.text, TimeZone::Utc(), 0))
    return DataType::Timestamp();
  std::string lower = field.text;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower == "true" || lower == "false" ? DataType::Boolean() : DataType::String();
}

}  // namespace merganser::engine
