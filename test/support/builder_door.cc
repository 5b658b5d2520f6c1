#include "test/support/builder_door.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "merganser/api/delta_table.h"
#include "merganser/spark/sql/lexer.h"

namespace merganser::test {
namespace {

/// Reads a MERGE token by token; texts between tokens are taken as they are written.
class MergeText {
 public:
  explicit MergeText(const std::string& text) : text_(text), tokens_(Tokenize(text).tokens) {}

  bool AtEnd() const { return Peek().is(TokenKind::kEnd); }
  bool PeekWord(std::string_view word, size_t ahead = 0) const { return Peek(ahead).is_word(word); }
  bool Accept(std::string_view word) {
    if (!PeekWord(word)) return false;
    ++at_;
    return true;
  }
  bool AcceptSymbol(std::string_view symbol) {
    if (!Peek().is_symbol(symbol)) return false;
    ++at_;
    return true;
  }

  /// The text up to the next of `words` or `symbols` outside of parentheses and CASE, or the end.
  std::string Until(const std::vector<std::string_view>& words,
                    const std::vector<std::string_view>& symbols = {}) {
    const size_t first = at_;
    int depth = 0;
    for (; !AtEnd(); ++at_) {
      if (depth == 0 && Stops(words, symbols)) break;
      if (Peek().is_symbol("(") || Peek().is_symbol("[") || PeekWord("CASE")) ++depth;
      if (Peek().is_symbol(")") || Peek().is_symbol("]") || PeekWord("END")) --depth;
    }
    if (at_ == first) return {};
    return text_.substr(tokens_[first].start, tokens_[at_ - 1].stop - tokens_[first].start);
  }

  /// A name or what is in parentheses; then its alias, with or without AS.
  std::string Relation(std::string* alias) {
    const size_t first = at_;
    int depth = 0;
    for (; !AtEnd(); ++at_) {
      if (Peek().is_symbol("(")) ++depth;
      if (Peek().is_symbol(")")) --depth;
      if (depth == 0 && !Peek(1).is_symbol(".") && !Peek().is_symbol(".")) break;
    }
    ++at_;
    std::string relation =
        text_.substr(tokens_[first].start, tokens_[at_ - 1].stop - tokens_[first].start);
    Accept("AS");
    if (!PeekWord("USING") && !PeekWord("ON") && !Peek().is(TokenKind::kSymbol)) {
      *alias = std::string(Peek().text);
      if (Peek().is(TokenKind::kBackquoted)) *alias = alias->substr(1, alias->size() - 2);
      ++at_;
    }
    return relation;
  }

 private:
  const Token& Peek(size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  bool Stops(const std::vector<std::string_view>& words,
             const std::vector<std::string_view>& symbols) const {
    for (const std::string_view word : words) {
      if (PeekWord(word)) return true;
    }
    for (const std::string_view symbol : symbols) {
      if (Peek().is_symbol(symbol)) return true;
    }
    return false;
  }

  const std::string& text_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
};

using Assignments = std::optional<MergeBuilder::Assignments>;

bool Put(MergeBuilder::Assignments& assignments, std::string column, std::string value) {
  const bool is_default = Tokenize(value).tokens[0].is_word("DEFAULT");
  return !column.empty() && !value.empty() && !is_default &&
         assignments.emplace(std::move(column), std::move(value)).second;
}

/// `a = 1, b = 2` up to the next clause.
Assignments ReadSet(MergeText& in) {
  MergeBuilder::Assignments assignments;
  do {
    std::string column = in.Until({"WHEN"}, {"=", ","});
    if (!in.AcceptSymbol("=")) return std::nullopt;
    if (!Put(assignments, std::move(column), in.Until({"WHEN"}, {","}))) return std::nullopt;
  } while (in.AcceptSymbol(","));
  return assignments;
}

/// `(a, b) VALUES (1, 2)`.
Assignments ReadValues(MergeText& in) {
  std::vector<std::string> columns;
  if (!in.AcceptSymbol("(")) return std::nullopt;
  do columns.push_back(in.Until({}, {",", ")"}));
  while (in.AcceptSymbol(","));
  if (!in.AcceptSymbol(")") || !in.Accept("VALUES") || !in.AcceptSymbol("(")) return std::nullopt;
  MergeBuilder::Assignments assignments;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (i > 0 && !in.AcceptSymbol(",")) return std::nullopt;
    if (!Put(assignments, columns[i], in.Until({}, {",", ")"}))) return std::nullopt;
  }
  if (!in.AcceptSymbol(")")) return std::nullopt;
  return assignments;
}

/// One WHEN clause added to `builder`; nothing if no call says it.
std::optional<MergeBuilder> WithClause(const MergeBuilder& builder, MergeText& in) {
  if (!in.Accept("WHEN")) return std::nullopt;
  const bool negated = in.Accept("NOT");
  if (!in.Accept("MATCHED")) return std::nullopt;
  bool by_source = false;
  if (in.Accept("BY")) {
    by_source = in.Accept("SOURCE");
    if (!by_source && !in.Accept("TARGET")) return std::nullopt;
  }
  MergeBuilder::Condition condition;
  if (in.Accept("AND")) condition = in.Until({"THEN"});
  if (!in.Accept("THEN")) return std::nullopt;
  if (in.Accept("DELETE")) {
    if (!negated) return builder.WhenMatchedDelete(condition);
    if (by_source) return builder.WhenNotMatchedBySourceDelete(condition);
    return std::nullopt;
  }
  const bool update = in.Accept("UPDATE");
  if (update ? !in.Accept("SET") : !in.Accept("INSERT")) return std::nullopt;
  if (in.AcceptSymbol("*")) {
    if (in.PeekWord("EXCEPT") || by_source || update == negated) return std::nullopt;
    return update ? builder.WhenMatchedUpdateAll(condition)
                  : builder.WhenNotMatchedInsertAll(condition);
  }
  const Assignments assignments = update ? ReadSet(in) : ReadValues(in);
  if (!assignments) return std::nullopt;
  if (!update) {
    if (!negated || by_source) return std::nullopt;
    return builder.WhenNotMatchedInsert(*assignments, condition);
  }
  if (!negated) return builder.WhenMatchedUpdate(*assignments, condition);
  if (!by_source) return std::nullopt;
  return builder.WhenNotMatchedBySourceUpdate(*assignments, condition);
}

}  // namespace

std::optional<MergeBuilder> AsBuilder(Session& session, const std::string& merge) {
  MergeText in(merge);
  if (!in.Accept("MERGE")) return std::nullopt;
  bool evolution = false;
  if (in.Accept("WITH")) {
    evolution = in.Accept("SCHEMA") && in.Accept("EVOLUTION");
    if (!evolution) return std::nullopt;
  }
  if (!in.Accept("INTO") || in.PeekWord("IDENTIFIER")) return std::nullopt;
  std::string target_alias;
  const std::string target = in.Relation(&target_alias);
  if (!in.Accept("USING") || in.PeekWord("IDENTIFIER")) return std::nullopt;
  std::string source_alias;
  const std::string source = in.Relation(&source_alias);
  if (!in.Accept("ON")) return std::nullopt;
  const std::string condition = in.Until({"WHEN"});

  const auto table = DeltaTable::ForName(session, target);
  if (!table.ok()) return std::nullopt;
  MergeBuilder builder = (target_alias.empty() ? *table : table->As(target_alias))
                             .Merge(source, source_alias, condition);
  if (evolution) builder = builder.WithSchemaEvolution();
  while (!in.AtEnd()) {
    std::optional<MergeBuilder> next = WithClause(builder, in);
    if (!next) return std::nullopt;
    builder = *std::move(next);
  }
  return builder;
}

std::string BuilderClass(const std::string& sql_class) {
  static const std::map<std::string, std::string> classes = {
      {"MERGE_WITHOUT_WHEN", "DELTA_MERGE_MISSING_WHEN"},
      {"NON_LAST_MATCHED_CLAUSE_OMIT_CONDITION", "DELTA_NON_LAST_MATCHED_CLAUSE_OMIT_CONDITION"},
      {"NON_LAST_NOT_MATCHED_BY_TARGET_CLAUSE_OMIT_CONDITION",
       "DELTA_NON_LAST_NOT_MATCHED_CLAUSE_OMIT_CONDITION"},
      {"NON_LAST_NOT_MATCHED_BY_SOURCE_CLAUSE_OMIT_CONDITION",
       "DELTA_NON_LAST_NOT_MATCHED_BY_SOURCE_CLAUSE_OMIT_CONDITION"},
  };
  const auto found = classes.find(sql_class);
  return found == classes.end() ? sql_class : found->second;
}

}  // namespace merganser::test
