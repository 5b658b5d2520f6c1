#include "merganser/engine/functions/csv_text.h"

#include <algorithm>

namespace merganser::engine {
namespace {

bool IsBlank(char c) { return static_cast<unsigned char>(c) <= ' '; }

}  // namespace

bool CsvTokenizer::IsEnd(std::string_view text, size_t at) const {
  return at >= text.size() || (multi_line_ && (text[at] == '\n' || text[at] == '\r'));
}

bool CsvTokenizer::IsSeparator(std::string_view text, size_t at) const {
  return text[at] == options_.separator[0] &&
         text.compare(at, options_.separator.size(), options_.separator) == 0;
}

size_t CsvTokenizer::ScanPlain(std::string_view text, size_t from, size_t at,
                               CsvField* field) const {
  while (!IsEnd(text, at) && !IsSeparator(text, at)) ++at;
  if (field != nullptr) {
    std::string_view value = text.substr(from, at - from);
    while (options_.trim_trailing && !value.empty() && IsBlank(value.back()))
      value.remove_suffix(1);
    *field = {value, false};
  }
  return at;
}

size_t CsvTokenizer::ScanQuoted(std::string_view text, size_t at, CsvField* field) {
  const char quote = options_.quote;
  const char escape = options_.escape;
  const size_t begin = at + 1;
  const size_t kept = unescaped_.size();
  bool rewritten = false;
  // Copies what stands before an escaped character, then the character.
  size_t copied = begin;
  const auto rewrite = [&](size_t until, char c) {
    rewritten = true;
    if (field == nullptr) return;
    unescaped_.append(text.substr(copied, until - copied));
    unescaped_ += c;
  };
  const auto finish = [&](size_t until) {
    if (field == nullptr) return;
    if (!rewritten) {
      *field = {text.substr(begin, until - begin), true};
      return;
    }
    unescaped_.append(text.substr(copied, until - copied));
    *field = {std::string_view(unescaped_).substr(kept), true};
  };
  size_t i = begin;
  while (i < text.size()) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (c == escape && i + 1 < text.size() && (next == quote || (next == escape && c != quote))) {
      rewrite(i, next);
      i += 2;
      copied = i;
    } else if (c == quote) {
      size_t after = i + 1;
      while (!IsEnd(text, after) && IsBlank(text[after]) && !IsSeparator(text, after)) ++after;
      if (IsEnd(text, after) || IsSeparator(text, after)) {
        finish(i);
        return after;
      }
      unescaped_.resize(kept);
      return ScanPlain(text, at, i, field);
    } else if (multi_line_ && c == '\r' && next == '\n') {
      rewrite(i, '\n');
      i += 2;
      copied = i;
    } else {
      ++i;
    }
  }
  finish(text.size());
  return text.size();
}

size_t CsvTokenizer::Scan(std::string_view text, size_t at, CsvField* field) {
  if (options_.trim_leading) {
    while (!IsEnd(text, at) && IsBlank(text[at]) && !IsSeparator(text, at)) ++at;
  }
  if (at < text.size() && text[at] == options_.quote && options_.quote != '\0')
    return ScanQuoted(text, at, field);
  return ScanPlain(text, at, at, field);
}

const std::vector<CsvField>& CsvTokenizer::Split(std::string_view record) {
  fields_.clear();
  unescaped_.clear();
  unescaped_.reserve(record.size());
  size_t at = 0;
  while (true) {
    fields_.emplace_back();
    at = Scan(record, at, &fields_.back());
    if (IsEnd(record, at)) return fields_;
    at += options_.separator.size();
  }
}

size_t CsvTokenizer::RecordLength(std::string_view text) const {
  CsvTokenizer scanner(options_, multi_line_);
  size_t at = 0;
  while (true) {
    at = scanner.Scan(text, at, nullptr);
    if (IsEnd(text, at)) return at;
    at += options_.separator.size();
  }
}

void AppendCsvField(std::string_view text, const TextFormatOptions& options, std::string* out) {
  while (options.trim_leading && !text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (options.trim_trailing && !text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  if (text.empty()) {
    *out += options.empty_value;
    return;
  }
  const bool has_quote = text.find(options.quote) != std::string_view::npos;
  const bool quote = options.quote_all || text.find(options.separator) != std::string_view::npos ||
                     (has_quote && options.escape_quotes) ||
                     text.find_first_of("\r\n") != std::string_view::npos;
  if (!quote) {
    *out += text;
    return;
  }
  *out += options.quote;
  for (const char c : text) {
    const bool escaped = c == options.quote || c == options.escape;
    if (escaped && options.escape != '\0') *out += options.escape;
    *out += c;
  }
  *out += options.quote;
}

void AppendCsvNull(const TextFormatOptions& options, std::string* out) {
  if (!options.quote_all) {
    *out += options.null_value;
    return;
  }
  *out += options.quote;
  *out += options.null_value;
  *out += options.quote;
}

}  // namespace merganser::engine
