#pragma once

#include <cstdint>
#include <string_view>

namespace merganser {

/// Kinds of tokens of Spark SQL. A keyword is a word: whether it means itself or a name is for the
/// parser to say.
enum class TokenKind : uint8_t {
  kEnd,
  kWord,
  kBackquoted,    ///< `name`
  kString,        ///< '...', r'...', r"..."
  kDoubleQuoted,  ///< "..."
  kInteger,       ///< 12
  kExponent,      ///< 1e3, 1.5E-2: a double
  kDecimal,       ///< 1.5, .5, 1.
  kTinyInt,       ///< 1Y
  kSmallInt,      ///< 1S
  kBigInt,        ///< 1L
  kFloat,         ///< 1F
  kDouble,        ///< 1D
  kBigDecimal,    ///< 1BD
  kSymbol,
  kHintStart,     ///< `/*+`
  kHintEnd,       ///< `*/`
  kUnrecognized,  ///< One character that starts no token, among them an unmatched quote.
};

/// A piece of a statement. Points into the statement's text.
struct Token {
  TokenKind kind = TokenKind::kEnd;
  /// As written, quotes included; symbols of two spellings in one (`==` is "=", `!=` is "<>").
  std::string_view text;
  uint32_t start = 0;   ///< First byte.
  uint32_t stop = 0;    ///< Past the last byte.
  uint32_t line = 1;    ///< 1-based.
  uint32_t column = 0;  ///< 0-based, in characters.

  bool is(TokenKind k) const { return kind == k; }
  bool is_symbol(std::string_view symbol) const {
    return kind == TokenKind::kSymbol && text == symbol;
  }
  /// Is this the (unquoted) word `upper`, in any case? `upper` is in upper case.
  bool is_word(std::string_view upper) const {
    return kind == TokenKind::kWord && text.size() == upper.size() && EqualsUpper(upper);
  }
  bool is_number() const { return kind >= TokenKind::kInteger && kind <= TokenKind::kBigDecimal; }

 private:
  bool EqualsUpper(std::string_view upper) const {
    for (size_t i = 0; i < upper.size(); ++i) {
      char c = text[i];
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
      if (c != upper[i]) return false;
    }
    return true;
  }
};

}  // namespace merganser
