#include "merganser/spark/sql/lexer.h"

#include <utility>

#include "merganser/base/ascii_text.h"

namespace merganser {
namespace {

bool IsAsciiLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
char Upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
bool IsContinuationByte(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// A character beyond ASCII: its code point and length in bytes; length 0 for broken UTF-8.
struct WideCharacter {
  uint32_t code = 0;
  size_t length = 0;
};

WideCharacter DecodeWide(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
  if (length == 0 || lead > 0xF4 || text.size() < length) return {};
  uint32_t code = lead & (0xFF >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if (!IsContinuationByte(text[i])) return {};
    code = (code << 6) | (static_cast<unsigned char>(text[i]) & 0x3F);
  }
  return {code, length};
}

bool IsWideBlank(uint32_t code) {
  return code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 ||
         code == 0x202F || code == 0x205F || code == 0x3000;
}

/// Letters beyond ASCII, roughly: everything but the blocks of punctuation and symbols. They only
/// decide which error an unquoted name with such a character gives.
bool IsWideLetter(uint32_t code) {
  if (code < 0xC0) return code == 0xAA || code == 0xB5 || code == 0xBA;
  if (code == 0xD7 || code == 0xF7) return false;
  if (code >= 0x2000 && code <= 0x2BFF) return code >= 0x2C00;
  if (code >= 0x3000 && code <= 0x303F) return false;
  if (code >= 0xFE00 && code <= 0xFE6F) return false;
  return code != 0xFEFF && code < 0x1F000;
}

// Longest first: a prefix never hides a longer symbol.
constexpr std::pair<std::string_view, std::string_view> kSymbols[] = {
    {">>>", ">>>"}, {"<=>", "<=>"}, {"==", "="},  {"<>", "<>"}, {"!=", "<>"}, {"<=", "<="},
    {"!>", "<="},   {">=", ">="},   {"!<", ">="}, {"<<", "<<"}, {">>", ">>"}, {"||", "||"},
    {"|>", "|>"},   {"::", "::"},   {"->", "->"}, {"=>", "=>"}, {";", ";"},   {"(", "("},
    {")", ")"},     {",", ","},     {".", "."},   {"[", "["},   {"]", "]"},   {"!", "!"},
    {"=", "="},     {"<", "<"},     {">", ">"},   {"+", "+"},   {"-", "-"},   {"*", "*"},
    {"/", "/"},     {"%", "%"},     {"~", "~"},   {"&", "&"},   {"|", "|"},   {"^", "^"},
    {":", ":"},     {"?", "?"},
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  TokenizedText Run() && {
    while (true) {
      SkipBlanksAndComments();
      if (position_ >= text_.size()) break;
      ScanToken();
    }
    Emit(TokenKind::kEnd, 0);
    return std::move(result_);
  }

 private:
  char At(size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }
  std::string_view Rest() const { return text_.substr(position_); }

  /// Move on by `length` bytes, keeping line and column.
  void Advance(size_t length) {
    for (const size_t end = position_ + length; position_ < end; ++position_) {
      if (text_[position_] == '\n') {
        ++line_;
        column_ = 0;
      } else if (!IsContinuationByte(text_[position_])) {
        ++column_;
      }
    }
  }

  void Emit(TokenKind kind, size_t length) { Emit(kind, length, text_.substr(position_, length)); }

  void Emit(TokenKind kind, size_t length, std::string_view spelling) {
    const auto start = static_cast<uint32_t>(position_);
    result_.tokens.push_back(
        {kind, spelling, start, static_cast<uint32_t>(position_ + length), line_, column_});
    Advance(length);
  }

  void SkipBlanksAndComments() {
    while (position_ < text_.size()) {
      const char c = text_[position_];
      if (c == ' ' || (c >= '\t' && c <= '\r')) {
        Advance(1);
      } else if (c == '-' && At(position_ + 1) == '-') {
        SkipLineComment();
      } else if (c == '/' && At(position_ + 1) == '*' && At(position_ + 2) != '+') {
        SkipBracketedComment();
      } else if (static_cast<unsigned char>(c) >= 0x80) {
        const WideCharacter wide = DecodeWide(Rest());
        if (wide.length == 0 || !IsWideBlank(wide.code)) return;
        Advance(wide.length);
      } else {
        return;
      }
    }
  }

  /// A backslash at the end of a line continues the comment on the next one.
  void SkipLineComment() {
    size_t end = position_;
    while (end < text_.size()) {
      if (text_[end] == '\\' && At(end + 1) == '\n') {
        end += 2;
      } else if (text_[end] == '\n') {
        break;
      } else {
        ++end;
      }
    }
    Advance(end - position_);
  }

  /// Bracketed comments nest.
  void SkipBracketedComment() {
    size_t end = position_ + 2;
    int depth = 1;
    while (depth > 0 && end < text_.size()) {
      if (text_[end] == '*' && At(end + 1) == '/') {
        --depth;
        end += 2;
      } else if (text_[end] == '/' && At(end + 1) == '*' && At(end + 2) != '+') {
        ++depth;
        end += 2;
      } else {
        ++end;
      }
    }
    if (depth > 0) result_.open_comment = static_cast<uint32_t>(position_);
    Advance(end - position_);
  }

  void ScanToken() {
    const char c = text_[position_];
    if (c == '\'') return ScanQuoted(TokenKind::kString, position_, true);
    if (c == '"') return ScanQuoted(TokenKind::kDoubleQuoted, position_, true);
    if (c == '`') return ScanQuoted(TokenKind::kBackquoted, position_, false);
    if (Upper(c) == 'R' && (At(position_ + 1) == '\'' || At(position_ + 1) == '"')) {
      if (ScanRawString()) return;
    }
    if (IsDigit(c) || (c == '.' && IsDigit(At(position_ + 1)))) {
      if (ScanNumber()) return;
    }
    if (const size_t length = WordLength(); length > 0) return Emit(TokenKind::kWord, length);
    if (c == '/' && At(position_ + 1) == '*') return Emit(TokenKind::kHintStart, 3);
    if (c == '*' && At(position_ + 1) == '/') return Emit(TokenKind::kHintEnd, 2);
    for (const auto& [spelling, symbol] : kSymbols) {
      if (Rest().starts_with(spelling)) {
        return Emit(TokenKind::kSymbol, spelling.size(), symbol);
      }
    }
    size_t length = 1;
    while (IsContinuationByte(At(position_ + length)) && length < 4) ++length;
    Emit(TokenKind::kUnrecognized, length);
  }

  /// A quotation whose quote is written inside of it by doubling it or, with `backslashes`, after
  /// a backslash.
  void ScanQuoted(TokenKind kind, size_t begin, bool backslashes) {
    const char quote = text_[begin];
    size_t valid_end = 0;
    for (size_t i = begin + 1; i < text_.size();) {
      if (text_[i] == quote) {
        valid_end = i + 1;
        if (At(i + 1) != quote) break;
        i += 2;
      } else {
        i += backslashes && text_[i] == '\\' ? 2 : 1;
      }
    }
    if (valid_end == 0) return EmitOpenQuote();
    Emit(kind, valid_end - position_);
  }

  bool ScanRawString() {
    const size_t end = text_.find(text_[position_ + 1], position_ + 2);
    if (end == text_.npos) return false;
    Emit(TokenKind::kString, end + 1 - position_);
    return true;
  }

  void EmitOpenQuote() {
    if (!result_.open_quote) result_.open_quote = static_cast<uint32_t>(position_);
    Emit(TokenKind::kUnrecognized, 1);
  }

  /// Bytes of the word at the cursor: letters, digits, underscores, or a location such as
  /// `file:///x`, which is a token only so that the error can name it whole.
  size_t WordLength() const {
    const std::string_view rest = Rest();
    size_t length = 0;
    bool only_letters = true;
    while (length < rest.size()) {
      const char c = rest[length];
      if (IsAsciiLetter(c)) {
        ++length;
      } else if (IsDigit(c) || c == '_') {
        only_letters = false;
        ++length;
      } else if (static_cast<unsigned char>(c) >= 0x80) {
        const WideCharacter wide = DecodeWide(rest.substr(length));
        if (wide.length == 0 || IsWideBlank(wide.code) || !IsWideLetter(wide.code)) break;
        length += wide.length;
      } else {
        break;
      }
    }
    if (length > 0 && only_letters && rest.substr(length).starts_with("://")) {
      size_t end = length + 3;
      while (end < rest.size() && IsLocationCharacter(rest[end])) ++end;
      if (end > length + 3) return end;
    }
    return length;
  }

  static bool IsLocationCharacter(char c) {
    return IsAsciiLetter(c) || IsDigit(c) || static_cast<unsigned char>(c) >= 0x80 ||
           std::string_view("_/-.?=&#%").find(c) != std::string_view::npos;
  }

  size_t DigitsEnd(size_t offset) const {
    while (IsDigit(At(offset))) ++offset;
    return offset;
  }

  /// End of an exponent at `offset`, or `offset` if there is none.
  size_t ExponentEnd(size_t offset) const {
    if (Upper(At(offset)) != 'E') return offset;
    size_t digits = offset + 1;
    if (At(digits) == '+' || At(digits) == '-') ++digits;
    return IsDigit(At(digits)) ? DigitsEnd(digits) : offset;
  }

  /// A number with a point must not run into a letter, digit or underscore.
  bool EndsNumber(size_t offset) const {
    const char c = At(offset);
    return !IsAsciiLetter(c) && !IsDigit(c) && c != '_';
  }

  struct Number {
    TokenKind kind = TokenKind::kInteger;
    size_t end = 0;
  };

  /// The longest number with mantissa [position, mantissa_end).
  Number LongestNumber(size_t mantissa_end, bool has_point) const {
    const size_t exponent_end = ExponentEnd(mantissa_end);
    Number best;
    const auto consider = [&](TokenKind kind, size_t end) {
      if (end > best.end && (!has_point || EndsNumber(end))) best = {kind, end};
    };
    for (const size_t end : {exponent_end, mantissa_end}) {
      if (Upper(At(end)) == 'B' && Upper(At(end + 1)) == 'D')
        consider(TokenKind::kBigDecimal, end + 2);
      if (Upper(At(end)) == 'D') consider(TokenKind::kDouble, end + 1);
      if (Upper(At(end)) == 'F') consider(TokenKind::kFloat, end + 1);
    }
    if (!has_point) {
      if (Upper(At(mantissa_end)) == 'L') consider(TokenKind::kBigInt, mantissa_end + 1);
      if (Upper(At(mantissa_end)) == 'S') consider(TokenKind::kSmallInt, mantissa_end + 1);
      if (Upper(At(mantissa_end)) == 'Y') consider(TokenKind::kTinyInt, mantissa_end + 1);
    }
    if (exponent_end > mantissa_end) consider(TokenKind::kExponent, exponent_end);
    consider(has_point ? TokenKind::kDecimal : TokenKind::kInteger, mantissa_end);
    return best;
  }

  /// Emit the number at the cursor; false if the text there is a word or symbol.
  bool ScanNumber() {
    const size_t whole_end = DigitsEnd(position_);
    Number best;
    if (whole_end > position_) best = LongestNumber(whole_end, false);
    if (At(whole_end) == '.') {
      const Number with_point = LongestNumber(DigitsEnd(whole_end + 1), true);
      if (with_point.end > best.end) best = with_point;
    }
    if (best.end <= position_ || WordLength() > best.end - position_) return false;
    Emit(best.kind, best.end - position_);
    return true;
  }

  std::string_view text_;
  size_t position_ = 0;
  uint32_t line_ = 1;
  uint32_t column_ = 0;
  TokenizedText result_;
};

}  // namespace

TokenizedText Tokenize(std::string_view text) { return Lexer(text).Run(); }

}  // namespace merganser
