#include "merganser/engine/functions/sentences.h"

#include "merganser/base/ascii_text.h"
#include "merganser/engine/functions/unicode_text.h"

namespace merganser::engine {
namespace {

bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}
bool IsWordPart(char c) { return IsLetter(c) || IsDigit(c) || c == '_'; }
bool IsCloser(char c) { return c == '"' || c == '\'' || c == ')' || c == ']' || c == '}'; }

/// End of the sentence that begins at `at`, with the space behind it.
size_t SentenceEnd(std::string_view text, size_t at) {
  while (at < text.size()) {
    const char mark = text[at++];
    if (mark != '.' && mark != '!' && mark != '?') continue;
    bool only_dots = mark == '.';
    while (at < text.size() && (text[at] == '.' || text[at] == '!' || text[at] == '?')) {
      only_dots = only_dots && text[at] == '.';
      ++at;
    }
    while (at < text.size() && IsCloser(text[at])) ++at;
    const size_t space = at;
    while (at < text.size() && IsSpace(text[at])) ++at;
    if (at == text.size()) return at;
    const bool goes_on = IsDigit(text[at]) || IsLowerCase(CodePointAt(text, at));
    if (!only_dots || (at > space && !goes_on)) return at;
  }
  return at;
}

/// End of the word that begins at `at`.
size_t WordEnd(std::string_view text, size_t at) {
  while (at < text.size()) {
    if (IsWordPart(text[at])) {
      ++at;
      continue;
    }
    const char mark = text[at];
    if (at + 1 >= text.size()) break;
    const char before = text[at - 1];
    const char after = text[at + 1];
    const bool within_letters =
        (mark == '\'' || mark == '.') && IsLetter(before) && IsLetter(after);
    const bool within_digits =
        (mark == '\'' || mark == '.' || mark == ',') && IsDigit(before) && IsDigit(after);
    if (!within_letters && !within_digits) break;
    ++at;
  }
  return at;
}

}  // namespace

std::vector<std::vector<std::string>> SplitSentences(std::string_view text) {
  std::vector<std::vector<std::string>> sentences;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = SentenceEnd(text, begin);
    std::vector<std::string>& words = sentences.emplace_back();
    for (size_t at = begin; at < end;) {
      if (!IsLetter(text[at]) && !IsDigit(text[at])) {
        ++at;
        continue;
      }
      const size_t word_end = WordEnd(text.substr(0, end), at);
      words.emplace_back(text.substr(at, word_end - at));
      at = word_end;
    }
    begin = end;
  }
  return sentences;
}

}  // namespace merganser::engine
