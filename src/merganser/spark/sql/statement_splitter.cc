#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/ascii_text.h"
#include "merganser/spark/sql/lexer.h"
#include "merganser/spark/sql/parser.h"

namespace merganser {
std::vector<std::string> SplitStatements(std::string_view script) {
  const TokenizedText tokenized = Tokenize(script);
  std::vector<std::string> statements;
  size_t begin = 0;
  bool empty = true;
  const auto finish = [&](size_t end) {
    if (!empty) statements.emplace_back(Trim(script.substr(begin, end - begin)));
    empty = true;
  };
  for (const Token& token : tokenized.tokens) {
    if (token.is(TokenKind::kEnd)) break;
    if (tokenized.open_quote && token.start >= *tokenized.open_quote) {
      empty = false;
      break;
    }
    if (token.is_symbol(";")) {
      finish(token.start);
      begin = token.stop;
    } else {
      empty = false;
    }
  }
  // A comment that never ends belongs to the statement it is in, where it is an error.
  if (tokenized.open_comment) empty = false;
  finish(script.size());
  return statements;
}

bool IsComplete(std::string_view text) {
  const TokenizedText tokenized = Tokenize(text);
  if (tokenized.open_comment || tokenized.open_quote || tokenized.tokens.size() < 2) return false;
  return tokenized.tokens[tokenized.tokens.size() - 2].is_symbol(";");
}

}  // namespace merganser
