// Functions of regular expressions, LIKE, and split().
#include <memory>
#include <string>

#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/like_pattern.h"
#include "merganser/engine/functions/regex.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/scalar_call.h"
#include "merganser/engine/functions/spark_text.h"
#include "merganser/engine/functions/text_lists.h"
#include "merganser/engine/functions/unicode_text.h"

namespace merganser::engine {
namespace {

using duckdb::LogicalType;

/// What a call knows of its pattern before it runs.
struct RegexCall {
  std::string function;
  CallSite site;
  std::shared_ptr<const Regex> constant;  ///< Of a constant pattern that is well formed.
  std::string constant_text;
};

RegexCall BindRegex(ScalarCall& call, size_t pattern_index, size_t context_index) {
  RegexCall out;
  out.function = call.name().substr(3);
  out.site = call.Context(context_index);
  if (const auto text = call.TryText(pattern_index)) {
    out.constant = Regex::Compile(*text);
    out.constant_text = *text;
  }
  return out;
}

/// The matcher of each row's pattern: one for a constant, else the last pattern's is kept.
class MatcherSource {
 public:
  explicit MatcherSource(const RegexCall& call) : call_(call) {
    if (call.constant != nullptr) Use(call.constant, call.constant_text);
  }
  RegexMatcher& For(std::string_view pattern) {
    if (matcher_ == nullptr || pattern != text_) {
      auto regex = Regex::Compile(pattern);
      if (regex == nullptr) {
        call_.site.Throw(Error(ErrorClass::INVALID_PARAMETER_VALUE,
                               {{"parameter", QuotedId("regexp")},
                                {"functionName", QuotedId(call_.function)},
                                {"value", QuotedValue(pattern)}},
                               "PATTERN"));
      }
      Use(std::move(regex), pattern);
    }
    return *matcher_;
  }
  const Regex& regex() const { return *regex_; }

  /// INVALID_PARAMETER_VALUE.REGEX_GROUP_INDEX unless the expression has the group.
  void RequireGroup(int32_t group) const {
    if (group >= 0 && group <= regex_->group_count()) return;
    call_.site.Throw(Error(ErrorClass::INVALID_PARAMETER_VALUE,
                           {{"parameter", QuotedId("idx")},
                            {"functionName", QuotedId(call_.function)},
                            {"groupCount", std::to_string(regex_->group_count())},
                            {"groupIndex", std::to_string(group)}},
                           "REGEX_GROUP_INDEX"));
  }

 private:
  void Use(std::shared_ptr<const Regex> regex, std::string_view text) {
    matcher_.reset();
    regex_ = std::move(regex);
    matcher_ = std::make_unique<RegexMatcher>(*regex_);
    text_ = text;
  }
  const RegexCall& call_;
  std::shared_ptr<const Regex> regex_;
  std::unique_ptr<RegexMatcher> matcher_;
  std::string text_;
};

ScalarKernel BindRlike(ScalarCall& call) {
  const RegexCall regex = BindRegex(call, 1, 2);
  call.Expect(0, LogicalType::VARCHAR);
  call.Expect(1, LogicalType::VARCHAR);
  call.Returns(LogicalType::BOOLEAN);
  call.KeepArguments(2);
  return [regex](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MatcherSource matchers(regex);
    MapRows<std::string_view, std::string_view>(
        arguments, result, [&](std::string_view text, std::string_view pattern) {
          auto& matcher = matchers.For(pattern);
          matcher.Reset(text);
          return matcher.Find();
        });
  };
}

/// Appends a replacement as Java's Matcher does: $1, ${name}, and \ before any character. False if
/// it names a group that there is not.
bool AppendReplacement(std::string_view replacement, const Regex& regex,
                       const RegexMatcher& matcher, std::string* out) {
  for (size_t i = 0; i < replacement.size(); ++i) {
    const char c = replacement[i];
    if (c == '\\') {
      if (++i >= replacement.size()) return false;
      *out += replacement[i];
    } else if (c == '$') {
      int group = -1;
      if (++i >= replacement.size()) return false;
      if (replacement[i] == '{') {
        const size_t close = replacement.find('}', i);
        if (close == std::string_view::npos) return false;
        group =
            regex.GroupNumber(std::string(replacement.substr(i + 1, close - i - 1))).value_or(-1);
        i = close;
      } else {
        if (replacement[i] < '0' || replacement[i] > '9') return false;
        group = replacement[i] - '0';
        // More digits belong to the number as long as there is such a group.
        while (i + 1 < replacement.size() && replacement[i + 1] >= '0' &&
               replacement[i + 1] <= '9') {
          const int longer = group * 10 + (replacement[i + 1] - '0');
          if (longer > regex.group_count()) break;
          group = longer;
          ++i;
        }
      }
      if (group < 0 || group > regex.group_count()) return false;
      *out += matcher.Group(group);
    } else {
      *out += c;
    }
  }
  return true;
}

/// mg_regexp_replace(text, pattern, replacement, position [, context]).
ScalarKernel BindRegexpReplace(ScalarCall& call) {
  const RegexCall regex = BindRegex(call, 1, 4);
  for (size_t i = 0; i < 3; ++i) call.Expect(i, LogicalType::VARCHAR);
  call.Expect(3, LogicalType::INTEGER);
  call.Returns(LogicalType::VARCHAR);
  call.KeepArguments(4);
  return [regex](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MatcherSource matchers(regex);
    std::string buffer;
    MapRows<std::string_view, std::string_view, std::string_view, int32_t>(
        arguments, result,
        [&](std::string_view text, std::string_view pattern, std::string_view replacement,
            int32_t position) {
          auto& matcher = matchers.For(pattern);
          const size_t from = ByteOffset(text, position - 1);
          if (position > 1 && from >= text.size()) return text;
          const std::string_view region = text.substr(from);
          buffer.assign(text.substr(0, from));
          matcher.Reset(region);
          size_t copied = 0;
          while (matcher.Find()) {
            buffer.append(region.substr(copied, matcher.start() - copied));
            if (!AppendReplacement(replacement, matchers.regex(), matcher, &buffer)) {
              regex.site.Throw(Error(ErrorClass::INVALID_REGEXP_REPLACE,
                                     {{"source", std::string(text)},
                                      {"pattern", std::string(pattern)},
                                      {"replacement", std::string(replacement)},
                                      {"position", std::to_string(position)}}));
            }
            copied = matcher.end();
          }
          buffer.append(region.substr(copied));
          return std::string_view(buffer);
        });
  };
}

/// mg_regexp_extract(text, pattern, group [, context]).
ScalarKernel BindRegexpExtract(ScalarCall& call) {
  const RegexCall regex = BindRegex(call, 1, 3);
  call.Expect(0, LogicalType::VARCHAR);
  call.Expect(1, LogicalType::VARCHAR);
  call.Expect(2, LogicalType::INTEGER);
  call.Returns(LogicalType::VARCHAR);
  call.KeepArguments(3);
  return [regex](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MatcherSource matchers(regex);
    MapRows<std::string_view, std::string_view, int32_t>(
        arguments, result, [&](std::string_view text, std::string_view pattern, int32_t group) {
          auto& matcher = matchers.For(pattern);
          matcher.Reset(text);
          if (!matcher.Find()) return std::string_view();
          matchers.RequireGroup(group);
          return matcher.Group(group);
        });
  };
}

ScalarKernel BindRegexpExtractAll(ScalarCall& call) {
  const RegexCall regex = BindRegex(call, 1, 3);
  call.Expect(0, LogicalType::VARCHAR);
  call.Expect(1, LogicalType::VARCHAR);
  call.Expect(2, LogicalType::INTEGER);
  call.Returns(LogicalType::LIST(LogicalType::VARCHAR));
  call.KeepArguments(3);
  return [regex](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MatcherSource matchers(regex);
    MapRowsToTextLists<std::string_view, std::string_view, int32_t>(
        arguments, result,
        [&](std::string_view text, std::string_view pattern, int32_t group, TextListResult& lists) {
          auto& matcher = matchers.For(pattern);
          matcher.Reset(text);
          while (matcher.Find()) {
            matchers.RequireGroup(group);
            lists.Add(matcher.Group(group));
          }
        });
  };
}

/// A kernel of f(matcher, text) on (text, pattern [, context]).
template <typename F>
ScalarKernel BindMatch(ScalarCall& call, const LogicalType& type, size_t context_index, F f) {
  const RegexCall regex = BindRegex(call, 1, context_index);
  call.Expect(0, LogicalType::VARCHAR);
  call.Expect(1, LogicalType::VARCHAR);
  call.Returns(type);
  call.KeepArguments(2);
  return [regex, f](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MatcherSource matchers(regex);
    MapRows<std::string_view, std::string_view>(
        arguments, result, [&](std::string_view text, std::string_view pattern) {
          auto& matcher = matchers.For(pattern);
          matcher.Reset(text);
          return f(matcher, text);
        });
  };
}

bool IsLiteral(std::string_view pattern) {
  return !pattern.empty() && pattern.find_first_of("\\^$.|?*+()[]{}") == std::string_view::npos;
}

void SplitCharacters(std::string_view text, int32_t limit, TextListResult& lists) {
  const int64_t characters = CountCodePoints(text);
  const int64_t parts = limit > characters || limit <= 0 ? characters : limit;
  size_t at = 0;
  for (int64_t i = 0; i + 1 < parts; ++i) {
    const size_t size = CodePointSize(text[at]);
    lists.Add(text.substr(at, size));
    at += size;
  }
  lists.Add(text.substr(at));
}

void SplitLiteral(std::string_view text, std::string_view separator, int32_t limit,
                  TextListResult& lists) {
  size_t from = 0;
  for (int32_t parts = 1; limit <= 0 || parts < limit; ++parts) {
    const size_t found = text.find(separator, from);
    if (found == std::string_view::npos) break;
    lists.Add(text.substr(from, found - from));
    from = found + separator.size();
  }
  lists.Add(text.substr(from));
}

void SplitMatches(std::string_view text, RegexMatcher& matcher, int32_t limit,
                  TextListResult& lists) {
  matcher.Reset(text);
  size_t from = 0;
  int32_t parts = 1;
  while ((limit <= 0 || parts < limit) && matcher.Find()) {
    // An empty match in front of everything splits nothing off.
    if (matcher.end() == 0) continue;
    lists.Add(text.substr(from, matcher.start() - from));
    from = matcher.end();
    ++parts;
  }
  lists.Add(text.substr(from));
}

/// mg_split(text, pattern, limit [, context]).
ScalarKernel BindSplit(ScalarCall& call) {
  const RegexCall regex = BindRegex(call, 1, 3);
  call.Expect(0, LogicalType::VARCHAR);
  call.Expect(1, LogicalType::VARCHAR);
  call.Expect(2, LogicalType::INTEGER);
  call.Returns(LogicalType::LIST(LogicalType::VARCHAR));
  call.KeepArguments(3);
  return [regex](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MatcherSource matchers(regex);
    MapRowsToTextLists<std::string_view, std::string_view, int32_t>(
        arguments, result,
        [&](std::string_view text, std::string_view pattern, int32_t limit, TextListResult& lists) {
          if (pattern.empty() && !text.empty()) return SplitCharacters(text, limit, lists);
          if (IsLiteral(pattern)) return SplitLiteral(text, pattern, limit, lists);
          SplitMatches(text, matchers.For(pattern), limit, lists);
        });
  };
}

/// mg_like(text, pattern, escape [, context]); the case-blind form compares lower-case text.
ScalarKernel BindLike(ScalarCall& call, bool ignore_case) {
  const std::string escape = call.Text(2);
  const char escape_character = escape.empty() ? '\\' : escape[0];
  const CallSite site = call.Context(3);
  const auto compile = [=](std::string_view pattern) {
    auto compiled = LikePattern::Compile(ignore_case ? ToLower(pattern) : std::string(pattern),
                                         escape_character);
    if (!compiled.ok()) site.Throw(compiled.error());
    return *std::move(compiled);
  };
  call.Expect(0, LogicalType::VARCHAR);
  call.Expect(1, LogicalType::VARCHAR);
  call.Returns(LogicalType::BOOLEAN);
  call.KeepArguments(2);
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    std::optional<LikePattern> like;
    std::string last;
    MapRows<std::string_view, std::string_view>(
        arguments, result, [&](std::string_view text, std::string_view pattern) {
          if (!like || pattern != last) {
            like = compile(pattern);
            last = pattern;
          }
          return ignore_case ? like->Matches(ToLower(text)) : like->Matches(text);
        });
  };
}

}  // namespace

void RegisterRegexpFunctions(FunctionRegistry& registry) {
  registry.Add("mg_rlike", BindRlike);
  registry.Add("mg_regexp_replace", BindRegexpReplace);
  registry.Add("mg_regexp_extract", BindRegexpExtract);
  registry.Add("mg_regexp_extract_all", BindRegexpExtractAll);
  registry.Add("mg_regexp_count", [](ScalarCall& call) {
    return BindMatch(call, LogicalType::INTEGER, 2, [](RegexMatcher& matcher, std::string_view) {
      int32_t count = 0;
      while (matcher.Find()) ++count;
      return count;
    });
  });
  registry.Add("mg_regexp_instr", [](ScalarCall& call) {
    return BindMatch(
        call, LogicalType::INTEGER, 2, [](RegexMatcher& matcher, std::string_view text) {
          return matcher.Find()
                     ? static_cast<int32_t>(CountCodePoints(text.substr(0, matcher.start())) + 1)
                     : 0;
        });
  });
  registry.Add("mg_regexp_substr", [](ScalarCall& call) {
    return BindMatch(
        call, LogicalType::VARCHAR, 2,
        [](RegexMatcher& matcher, std::string_view) -> std::optional<std::string_view> {
          if (!matcher.Find()) return std::nullopt;
          return matcher.Group(0);
        });
  });
  registry.Add("mg_split", BindSplit);
  registry.Add("mg_like", [](ScalarCall& call) { return BindLike(call, false); });
  registry.Add("mg_ilike", [](ScalarCall& call) { return BindLike(call, true); });
}

}  // namespace merganser::engine
