#include "merganser/engine/functions/phonetics.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

#include "merganser/engine/functions/unicode_text.h"

namespace merganser::engine {

std::string Soundex(std::string_view text) {
  // Of A to Z. '0' are the vowels, which separate equal codes; '7' are H and W, which do not.
  static constexpr std::string_view kCodes = "01230127022455012623017202";
  if (text.empty()) return {};
  const auto upper = [](char c) { return static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c); };
  const auto is_letter = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto code_of = [](char c) { return kCodes[static_cast<size_t>(c - 'A')]; };
  const char first = upper(text[0]);
  if (!is_letter(first)) return std::string(text);
  std::string out(1, first);
  char last = code_of(first);
  for (size_t i = 1; i < text.size() && out.size() < 4; ++i) {
    const char c = upper(text[i]);
    if (!is_letter(c)) {
      last = '0';
      continue;
    }
    const char code = code_of(c);
    if (code == '7') continue;
    if (code != '0' && code != last) out += code;
    last = code;
  }
  out.resize(4, '0');
  return out;
}

int32_t Levenshtein(std::string_view a, std::string_view b) {
  const auto code_points = [](std::string_view text) {
    std::vector<uint32_t> codes;
    for (size_t at = 0; at < text.size(); at += CodePointSize(text[at]))
      codes.push_back(CodePointAt(text, at));
    return codes;
  };
  const auto left = code_points(a);
  const auto right = code_points(b);
  std::vector<int32_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 0; i < left.size(); ++i) {
    int32_t diagonal = row[0];
    row[0] = static_cast<int32_t>(i) + 1;
    for (size_t j = 0; j < right.size(); ++j) {
      const int32_t replaced = diagonal + (left[i] == right[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace merganser::engine
