#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "merganser/spark/sql/token.h"

namespace merganser {

/// The tokens of a text, and what was left open at its end.
struct TokenizedText {
  /// Blanks and comments left out; the last token is kEnd.
  std::vector<Token> tokens;
  /// First byte of a bracketed comment that never ends.
  std::optional<uint32_t> open_comment;
  /// First byte of a quotation or quoted name that never ends. Its quote is a kUnrecognized token
  /// and what follows is cut into tokens all the same, because a SET value may be any text.
  std::optional<uint32_t> open_quote;
};

/// Cut `text` (UTF-8) into tokens. Never fails: what starts no token is kUnrecognized.
///
/// The longest token wins, as in Spark's lexer: `1e5x` is a word, `1.e5` a number, `a.1b` three
/// tokens. `''` inside of '...' and `""` inside of "..." stand for the quote itself.
TokenizedText Tokenize(std::string_view text);

}  // namespace merganser
