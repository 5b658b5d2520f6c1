#include "merganser/spark/sql/token_stream.h"

#include <algorithm>
#include <utility>

#include "merganser/spark/sql/keyword.h"

namespace merganser {
namespace {

bool IsAny(const Token& token, std::initializer_list<std::string_view> words) {
  return token.is(TokenKind::kWord) &&
         std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return token.is_word(word); });
}

/// Symbols that an expression may start with.
bool StartsExpression(const Token& token) {
  static constexpr std::string_view kStarts = "(*-+~!?:";
  return !token.is(TokenKind::kSymbol) ||
         (token.text.size() == 1 && kStarts.find(token.text) != kStarts.npos);
}

}  // namespace

TokenStream::TokenStream(std::string_view text, const ParserOptions& options)
    : text_(text),
      source_(std::make_shared<plan::Source>(plan::Source{.text = CountedText(std::string(text)),
                                                          .object_type = options.object_type,
                                                          .object_name = options.object_name})),
      options_(options) {
  TokenizedText tokenized = Tokenize(text);
  tokens_ = std::move(tokenized.tokens);
  open_comment_ = tokenized.open_comment;
  closing_.resize(tokens_.size(), 0);
  std::vector<uint32_t> open;
  for (uint32_t i = 0; i < tokens_.size(); ++i) {
    if (tokens_[i].is_symbol("(")) {
      open.push_back(i);
    } else if (tokens_[i].is_symbol(")") && !open.empty()) {
      closing_[open.back()] = i;
      open.pop_back();
    }
  }
}

Status TokenStream::CheckText() const {
  if (open_comment_) {
    return Error(ErrorClass::UNCLOSED_BRACKETED_COMMENT)
        .At(ContextOf(*open_comment_, static_cast<uint32_t>(text_.size()), 1, 0));
  }
  const bool empty = std::all_of(tokens_.begin(), tokens_.end(), [](const Token& token) {
    return token.is(TokenKind::kEnd) || token.is_symbol(";");
  });
  if (empty) return Error(ErrorClass::PARSE_EMPTY_STATEMENT).At(ContextOf(0, 0, 1, 0));
  return Status::Ok();
}

bool TokenStream::PeekAnyWord(std::initializer_list<std::string_view> words, size_t ahead) const {
  return IsAny(Peek(ahead), words);
}

bool TokenStream::PeekIdentifier(size_t ahead) const {
  const Token& token = Peek(ahead);
  if (token.is(TokenKind::kBackquoted)) return true;
  if (token.is(TokenKind::kDoubleQuoted)) return ansi_identifiers();
  return token.is(TokenKind::kWord) && !(reserved_keywords() && IsReservedKeyword(token.text));
}

bool TokenStream::PeekString(size_t ahead) const {
  const Token& token = Peek(ahead);
  return token.is(TokenKind::kString) ||
         (token.is(TokenKind::kDoubleQuoted) && !ansi_identifiers());
}

std::optional<size_t> TokenStream::ClosingParenthesis(size_t ahead) const {
  const size_t at = position_ + ahead;
  if (at >= closing_.size() || closing_[at] == 0) return std::nullopt;
  return closing_[at] - position_;
}

bool TokenStream::StartsQuery(size_t position) const {
  const Token& token = TokenAt(position);
  if (token.is_symbol("(")) return EnclosesQuery(position);
  if (!token.is(TokenKind::kWord)) return false;
  // The words of a query's start are also names: `(select + 1)`, `(from)`, `values(1, 2)`.
  const Token& next = TokenAt(position + 1);
  const bool name_follows = next.is(TokenKind::kWord) || next.is(TokenKind::kBackquoted) ||
                            next.is(TokenKind::kDoubleQuoted);
  if (token.is_word("SELECT")) return StartsExpression(next) && !next.is_word("AS");
  if (token.is_word("VALUES")) return StartsExpression(next) && !next.is_symbol("*");
  if (token.is_word("FROM")) return name_follows || next.is_symbol("(");
  return name_follows && (token.is_word("WITH") || token.is_word("TABLE"));
}

bool TokenStream::EnclosesQuery(size_t position) const {
  // A run of parentheses around a query is a query as long as each pair but the outermost is
  // followed by what may follow a query inside of parentheses.
  size_t inner = position;
  while (TokenAt(inner).is_symbol("(") && inner - position <= kMaxNesting) ++inner;
  if (inner == position || TokenAt(inner).is_symbol("(") || !StartsQuery(inner)) return false;
  for (size_t open = inner - 1; open > position; --open) {
    const size_t close = open < closing_.size() ? closing_[open] : 0;
    if (close == 0) return true;  // Never closed: the error will be found inside.
    const Token& after = TokenAt(close + 1);
    const bool goes_on = after.is(TokenKind::kEnd) || after.is_symbol(")") ||
                         after.is_symbol("|>") ||
                         IsAny(after, {"UNION", "INTERSECT", "EXCEPT", "MINUS", "ORDER", "CLUSTER",
                                       "DISTRIBUTE", "SORT", "WINDOW", "LIMIT", "OFFSET"});
    if (!goes_on) return false;
  }
  return true;
}

const Token& TokenStream::Next() {
  const Token& token = Peek();
  if (!token.is(TokenKind::kEnd)) ++position_;
  return token;
}

bool TokenStream::AcceptWord(std::string_view word) {
  if (!PeekWord(word)) return false;
  ++position_;
  return true;
}

bool TokenStream::AcceptWords(std::string_view first, std::string_view second) {
  if (!PeekWords(first, second)) return false;
  position_ += 2;
  return true;
}

bool TokenStream::AcceptSymbol(std::string_view symbol) {
  if (!PeekSymbol(symbol)) return false;
  ++position_;
  return true;
}

Status TokenStream::ExpectWord(std::string_view word) {
  return AcceptWord(word) ? Status::Ok() : Status(SyntaxError());
}

Status TokenStream::ExpectWords(std::string_view first, std::string_view second) {
  MERGANSER_RETURN_IF_ERROR(ExpectWord(first));
  return ExpectWord(second);
}

Status TokenStream::ExpectSymbol(std::string_view symbol) {
  return AcceptSymbol(symbol) ? Status::Ok() : Status(SyntaxError());
}

Status TokenStream::ExpectClosingAngle() {
  if (AcceptSymbol(">")) return Status::Ok();
  Token& token = tokens_[position_];
  if (!token.is_symbol(">>") && !token.is_symbol(">>>")) return SyntaxError();
  token.text.remove_prefix(1);
  ++token.start;
  ++token.column;
  return Status::Ok();
}

Status TokenStream::ExpectEnd() {
  while (AcceptSymbol(";")) {
  }
  if (AtEnd()) return Status::Ok();
  if (!Peek(1).is(TokenKind::kEnd)) return SyntaxError();
  return SyntaxErrorAt(position_, ": extra input '" + std::string(Written(Peek())) + "'");
}

plan::Origin TokenStream::OriginOf(size_t first, size_t end) const {
  const Token& start = TokenAt(first);
  const Token& stop = end > first ? TokenAt(end - 1) : start;
  return {source_, static_cast<int32_t>(start.start), static_cast<int32_t>(stop.stop) - 1,
          static_cast<int32_t>(start.line), static_cast<int32_t>(start.column)};
}

std::string_view TokenStream::TextFrom(size_t first) const {
  if (position_ <= first) return {};
  return text_.substr(TokenAt(first).start, TokenAt(position_ - 1).stop - TokenAt(first).start);
}

std::string_view TokenStream::RemainingText() const { return text_.substr(Peek().start); }

Error TokenStream::SyntaxErrorAt(size_t position, std::string hint) const {
  const Token& token = TokenAt(position);
  std::string shown = token.is(TokenKind::kEnd) ? std::string("end of input")
                                                : "'" + std::string(Written(token)) + "'";
  return Error(ErrorClass::PARSE_SYNTAX_ERROR,
               {{"error", std::move(shown)}, {"hint", std::move(hint)}})
      .At(ContextOf(token.start, token.stop, token.line, token.column));
}

Error TokenStream::ErrorFrom(size_t first, Error error) const {
  const Token& start = TokenAt(first);
  const uint32_t stop = position_ > first ? TokenAt(position_ - 1).stop : start.stop;
  return std::move(error).At(ContextOf(start.start, stop, start.line, start.column));
}

Error TokenStream::NotSupported(std::string_view operation) const {
  return ErrorFrom(position_, Error(ErrorClass::INVALID_STATEMENT_OR_CLAUSE,
                                    {{"operation", std::string(operation)}}));
}

Status Nesting::Check() const {
  if (in_.depth_ <= kMaxNesting) return Status::Ok();
  return in_.ErrorFrom(in_.position(), Error(ErrorClass::FAILED_TO_PARSE_TOO_COMPLEX));
}

Status TreeHeight::AddLevel() const {
  if (++in_.height_ <= kMaxTreeHeight) return Status::Ok();
  return in_.ErrorFrom(in_.position(), Error(ErrorClass::FAILED_TO_PARSE_TOO_COMPLEX));
}

}  // namespace merganser
