#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/spark/plan/expression.h"
#include "merganser/spark/sql/lexer.h"
#include "merganser/spark/sql/parser.h"

namespace merganser {

/// The tokens of one statement with a cursor: what all the parsing functions share.
///
/// Words are asked for in upper case. Looking past the end gives the end token. Not copyable; lives
/// for one parse and points into the text.
class TokenStream {
 public:
  TokenStream(std::string_view text, const ParserOptions& options);
  TokenStream(const TokenStream&) = delete;
  TokenStream& operator=(const TokenStream&) = delete;

  /// Ok, or UNCLOSED_BRACKETED_COMMENT, PARSE_EMPTY_STATEMENT for a text without tokens.
  Status CheckText() const;

  const ParserOptions& options() const { return options_; }
  bool ansi_identifiers() const { return options_.ansi && options_.double_quoted_identifiers; }
  bool reserved_keywords() const { return options_.ansi && options_.enforce_reserved_keywords; }

  // ---- looking ----
  const Token& Peek(size_t ahead = 0) const {
    const size_t at = position_ + ahead;
    return at < tokens_.size() ? tokens_[at] : tokens_.back();
  }
  bool AtEnd() const { return Peek().is(TokenKind::kEnd); }
  bool PeekWord(std::string_view word, size_t ahead = 0) const { return Peek(ahead).is_word(word); }
  bool PeekSymbol(std::string_view symbol, size_t ahead = 0) const {
    return Peek(ahead).is_symbol(symbol);
  }
  /// Is the token `ahead` one of `words`?
  bool PeekAnyWord(std::initializer_list<std::string_view> words, size_t ahead = 0) const;
  bool PeekWords(std::string_view first, std::string_view second, size_t ahead = 0) const {
    return PeekWord(first, ahead) && PeekWord(second, ahead + 1);
  }
  /// Can the token `ahead` be a name in this session?
  bool PeekIdentifier(size_t ahead = 0) const;
  /// Is the token `ahead` a string literal in this session?
  bool PeekString(size_t ahead = 0) const;
  /// Does the parenthesis at the cursor enclose a query rather than an expression or a relation?
  bool PeekParenthesizedQuery() const { return EnclosesQuery(position_); }
  /// Does a query start at the token `ahead`?
  bool PeekQuery(size_t ahead = 0) const { return StartsQuery(position_ + ahead); }
  /// How many tokens ahead the parenthesis `ahead` closes; nullopt if it does not.
  std::optional<size_t> ClosingParenthesis(size_t ahead = 0) const;

  // ---- moving ----
  size_t position() const { return position_; }
  const Token& TokenAt(size_t position) const {
    return position < tokens_.size() ? tokens_[position] : tokens_.back();
  }
  const Token& Next();
  bool AcceptWord(std::string_view word);
  bool AcceptWords(std::string_view first, std::string_view second);
  bool AcceptSymbol(std::string_view symbol);
  Status ExpectWord(std::string_view word);
  Status ExpectWords(std::string_view first, std::string_view second);
  Status ExpectSymbol(std::string_view symbol);
  /// The `>` that ends a type, which may be the first half of a `>>`.
  Status ExpectClosingAngle();
  /// Semicolons, if any, and the end of the text.
  Status ExpectEnd();
  /// A place to come back to.
  struct Mark {
    size_t position = 0;
    int32_t parameters = 0;
  };
  Mark mark() const { return {position_, parameters_}; }
  /// Go back to `mark`, for a second reading.
  void Rewind(Mark mark) {
    position_ = mark.position;
    parameters_ = mark.parameters;
  }
  /// Skip to the end of the text.
  void SkipToEnd() { position_ = tokens_.size() - 1; }

  // ---- places and errors ----
  /// Place of the tokens from `first` up to the cursor.
  plan::Origin OriginFrom(size_t first) const { return OriginOf(first, position_); }
  /// Place of the tokens [first, end).
  plan::Origin OriginOf(size_t first, size_t end) const;
  /// Text of the tokens from `first` up to the cursor, as written.
  std::string_view TextFrom(size_t first) const;
  /// Text from the token at the cursor to the end of the statement, as written.
  std::string_view RemainingText() const;
  std::string_view text() const { return text_; }
  std::string_view Written(const Token& token) const {
    return text_.substr(token.start, token.stop - token.start);
  }

  /// PARSE_SYNTAX_ERROR at the cursor.
  Error SyntaxError() const { return SyntaxErrorAt(position_); }
  /// PARSE_SYNTAX_ERROR at the token number `position`.
  Error SyntaxErrorAt(size_t position, std::string hint = {}) const;
  /// `error` placed at the tokens from `first` up to the cursor.
  Error ErrorFrom(size_t first, Error error) const;
  /// INVALID_STATEMENT_OR_CLAUSE for something this engine does not have.
  Error NotSupported(std::string_view operation) const;

  /// Keep `error`, about what a literal or type means, until all of the text has been read: a
  /// syntax error anywhere goes before it, as in Spark. The first one counts.
  void Defer(Error error) {
    if (!deferred_) deferred_ = std::move(error);
  }
  /// Ok, or the error that was kept.
  Status deferred() const { return deferred_ ? Status(*deferred_) : Status::Ok(); }

  /// Note that the text calls a function.
  void NoteCall(plan::CalledRoutine routine) { routines_.push_back(std::move(routine)); }
  std::vector<plan::CalledRoutine> TakeRoutines() { return std::move(routines_); }

  /// Number of the next positional parameter.
  int32_t NextParameter() { return parameters_++; }

  /// Inside of INSERT: a bare DEFAULT in a row or SELECT list stands for the column's default.
  bool default_values = false;

 private:
  friend class Nesting;
  friend class TreeHeight;
  bool EnclosesQuery(size_t position) const;
  bool StartsQuery(size_t position) const;
  QueryContext ContextOf(uint32_t start, uint32_t stop, uint32_t line, uint32_t column) const {
    return ContextInText(source_->text, start, stop, static_cast<int32_t>(line),
                         static_cast<int32_t>(column), options_.object_type, options_.object_name);
  }

  std::string_view text_;
  std::shared_ptr<const plan::Source> source_;
  const ParserOptions& options_;
  std::vector<Token> tokens_;
  /// For each `(` the position of its `)`, 0 for all others.
  std::vector<uint32_t> closing_;
  std::optional<uint32_t> open_comment_;
  std::optional<Error> deferred_;
  std::vector<plan::CalledRoutine> routines_;
  size_t position_ = 0;
  int32_t parameters_ = 0;
  int depth_ = 0;
  int height_ = 0;
};

/// Counts one level of nesting for as long as it lives.
class Nesting {
 public:
  explicit Nesting(TokenStream& in) : in_(in) { ++in_.depth_; }
  ~Nesting() { --in_.depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

  /// Ok, or FAILED_TO_PARSE_TOO_COMPLEX when the parser's own stack would be at risk.
  Status Check() const;

 private:
  TokenStream& in_;
};

/// Measures the tree that is built while it lives, siblings apart from each other. Chains such as
/// `a + b + c` or a row of joins make tall trees without nesting in the text; whoever walks such a
/// tree needs stack for its height.
class TreeHeight {
 public:
  explicit TreeHeight(TokenStream& in) : in_(in), siblings_(in.height_) { in_.height_ = 0; }
  ~TreeHeight() {
    if (in_.height_ < siblings_) in_.height_ = siblings_;
  }
  TreeHeight(const TreeHeight&) = delete;
  TreeHeight& operator=(const TreeHeight&) = delete;

  /// A node over all that was built since construction. Ok, or FAILED_TO_PARSE_TOO_COMPLEX.
  Status AddLevel() const;

 private:
  TokenStream& in_;
  int siblings_;
};

/// Levels of nesting that a statement may have, brackets and subqueries counted alike.
inline constexpr int kMaxNesting = 300;
/// Height that a tree may have.
inline constexpr int kMaxTreeHeight = 1200;

}  // namespace merganser
