#include "merganser/spark/sql/lexer.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace merganser {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Texts(std::string_view text) {
  std::vector<std::string> texts;
  for (const Token& token : Tokenize(text).tokens) {
    if (!token.is(TokenKind::kEnd)) texts.emplace_back(token.text);
  }
  return texts;
}

std::vector<TokenKind> Kinds(std::string_view text) {
  std::vector<TokenKind> kinds;
  for (const Token& token : Tokenize(text).tokens) {
    if (!token.is(TokenKind::kEnd)) kinds.push_back(token.kind);
  }
  return kinds;
}

TEST(LexerTest, TakesTheLongestSymbol) {
  EXPECT_THAT(Texts("a<=>b<=c<>d>>>e|>f||g|h->i=>j::k"),
              ElementsAre("a", "<=>", "b", "<=", "c", "<>", "d", ">>>", "e", "|>", "f", "||", "g",
                          "|", "h", "->", "i", "=>", "j", "::", "k"));
}

TEST(LexerTest, SpellsSymbolsOfTwoSpellingsInOneWay) {
  EXPECT_THAT(Texts("a == b != c !> d !< e"),
              ElementsAre("a", "=", "b", "<>", "c", "<=", "d", ">=", "e"));
}

TEST(LexerTest, TellsNumbersByTheirSuffix) {
  EXPECT_THAT(Kinds("1 1e3 1.5 1Y 1S 1L 1F 1D 1BD"),
              ElementsAre(TokenKind::kInteger, TokenKind::kExponent, TokenKind::kDecimal,
                          TokenKind::kTinyInt, TokenKind::kSmallInt, TokenKind::kBigInt,
                          TokenKind::kFloat, TokenKind::kDouble, TokenKind::kBigDecimal));
  EXPECT_THAT(Kinds("1e3f 1.5e-2d .5 1. 1.e5 2.5bd"),
              ElementsAre(TokenKind::kFloat, TokenKind::kDouble, TokenKind::kDecimal,
                          TokenKind::kDecimal, TokenKind::kExponent, TokenKind::kBigDecimal));
}

TEST(LexerTest, MakesAWordOfANumberThatRunsIntoLetters) {
  EXPECT_THAT(Texts("1a 1e5x 12_3 a.1b"), ElementsAre("1a", "1e5x", "12_3", "a", ".", "1b"));
  EXPECT_THAT(Texts("1.5x"), ElementsAre("1", ".", "5x"));
}

TEST(LexerTest, KeepsQuotesAndEscapesOfStrings) {
  EXPECT_THAT(Texts(R"('a''b' "c""d" 'e\'f' r'g\' `h``i`)"),
              ElementsAre("'a''b'", "\"c\"\"d\"", "'e\\'f'", "r'g\\'", "`h``i`"));
}

TEST(LexerTest, LeavesOutCommentsButNotHints) {
  EXPECT_THAT(Texts("a -- x\nb /* c /* d */ e */ f"), ElementsAre("a", "b", "f"));
  EXPECT_THAT(Texts("a -- x \\\n still\nb"), ElementsAre("a", "b"));
  EXPECT_THAT(Kinds("/*+ a */"),
              ElementsAre(TokenKind::kHintStart, TokenKind::kWord, TokenKind::kHintEnd));
}

TEST(LexerTest, SaysWhatIsLeftOpen) {
  EXPECT_EQ(Tokenize("a /* b").open_comment, 2U);
  EXPECT_EQ(Tokenize("a 'b").open_quote, 2U);
  EXPECT_EQ(Tokenize("a `b").open_quote, 2U);
  EXPECT_FALSE(Tokenize("a 'b' /* c */ `d`").open_quote.has_value());
  EXPECT_FALSE(Tokenize("a 'b' /* c */ `d`").open_comment.has_value());
}

TEST(LexerTest, CountsLinesAndColumnsInCharacters) {
  const auto tokens = Tokenize("'\xC3\xA9' a\n  b").tokens;
  ASSERT_EQ(tokens.size(), 4U);
  EXPECT_EQ(tokens[1].start, 5U);
  EXPECT_EQ(tokens[1].column, 4U);
  EXPECT_EQ(tokens[2].line, 2U);
  EXPECT_EQ(tokens[2].column, 2U);
}

TEST(LexerTest, TreatsUnicodeBlanksAsBlanksAndBrokenBytesAsUnrecognized) {
  EXPECT_THAT(Texts("a\xC2\xA0"
                    "b\xE3\x80\x80"
                    "c"),
              ElementsAre("a", "b", "c"));
  EXPECT_THAT(Kinds("a \xFF @"),
              ElementsAre(TokenKind::kWord, TokenKind::kUnrecognized, TokenKind::kUnrecognized));
}

TEST(LexerTest, ReadsALocationAsOneWord) {
  EXPECT_THAT(Texts("file:///a/b.c?d=e f"), ElementsAre("file:///a/b.c?d=e", "f"));
}

}  // namespace
}  // namespace merganser
